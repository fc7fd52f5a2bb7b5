import { inspect } from "node:util";
import {
  ApiError,
  type BrowserInfraClient,
  isNotFound,
  OutcomeUnknownError,
} from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { answer, endless, json, raw, reset, type Script } from "../fault-server.js";
import { operations } from "../hostile/operations.js";
import { canaryKey, closeBenches, openClient, startBench } from "../test-client.js";

afterEach(closeBenches);

async function messageFor(
  script: Script,
  act = (client: BrowserInfraClient): Promise<unknown> => client.extensions.get("ad-blocker"),
) {
  const { client } = await startBench([script], {
    retry: { attempts: 1 },
    origins: {
      apiKey: "environment variable BROWSER_INFRA_API_KEY",
      projectId: "stack configuration browser-infra:projectId",
    },
    projectId: "prj",
  });
  return (await errorOf(act(client))).message;
}

describe("refusals", () => {
  test("the error for a refusal names the operation, status, service's message, remedy and request id", async () => {
    const script = json(
      409,
      { code: "conflict", message: "Extension name already exists." },
      { "x-request-id": "req_9f3" },
    );
    const message = await messageFor(script, (client) =>
      client.extensions.upload({ archive: new Uint8Array(9), name: "ad-blocker" }),
    );
    expect(message).toBe(
      'Uploading the extension "ad-blocker" failed: 409 conflict, Extension name already exists. The name is already used in this project: choose another, or import or delete the existing object. Request id: req_9f3.',
    );
  });

  test("the error for a refused key says where the key came from", async () => {
    expect(await messageFor(json(401, { code: "unauthorized", message: "Invalid token" }))).toContain(
      "401 unauthorized, Invalid token. Check the API key (environment variable BROWSER_INFRA_API_KEY)",
    );
  });

  /** Operations that give a name of which there is one. Names of API keys and of proxies are not unique. */
  const unique = [
    ...["extensions.upload", "browserPools.create", "profiles.create", "profiles.rename", "projects.create"],
    ...[
      "credentials.create",
      "telemetryDestinations.create",
      "credentialProviders.create",
      "projects.update",
    ],
  ];

  test.each(operations.filter(({ write }) => write !== undefined))(
    "the error for a 409 of $name advises about a name only if the operation gives a unique name",
    async ({ name, run }) => {
      const message = await messageFor(json(409, { code: "conflict", message: "No." }), (client) =>
        run(client, 1_000),
      );
      const isUnique = unique.includes(name);
      expect(message).toMatch(isUnique ? /No\. [^.]*\bnames? (is|are) /i : /No\. (?!.*\bnames? (is|are) )/i);
    },
  );

  test("the error for an unknown project says where the project id came from", async () => {
    expect(
      await messageFor(json(404, { code: "project_not_found", message: "Project not found or inactive" })),
    ).toContain(
      "Check the project id (stack configuration browser-infra:projectId): it is unknown or archived.",
    );
  });

  test.each([
    [400, "bad_request", "Fix what the service reports above and try again."],
    [403, "forbidden", "Check that the API key has access to this project and that the"],
    [413, "too_large", "Make the archive smaller."],
    [501, "unknown", "This service does not support the operation."],
    [418, "forbidden", "See the service's documentation for this status."],
  ])("the error for a refusal with %i says what to do", async (status, code, expected) => {
    expect(await messageFor(json(status, { code, message: "No." }))).toContain(
      `failed: ${status} ${code}, No. ${expected}`,
    );
  });

  test.each([
    [404, undefined, "The base URL has a path: end it after the host"],
    [404, "not_found", "Check the id or name"],
    [500, "internal", "Try again later."],
  ])(
    "with a path in the base URL, only a foreign 404 blames the path: %i %s",
    async (status, code, expected) => {
      const { server } = await startBench([json(status, { code, message: "No." })]);
      const { client } = openClient(`${server.url}/v1`, { retry: { attempts: 1 } });
      expect((await errorOf(client.extensions.get("ad-blocker"))).message).toContain(`No. ${expected}`);
    },
  );

  test("the advice for a code wins over the advice for its status", async () => {
    const message = await messageFor(json(400, { code: "resource_in_use", message: "In use" }), (client) =>
      client.extensions.delete("x1"),
    );
    expect(message).toContain(
      "The object is still in use, for example in a browser pool. Remove the object there first.",
    );
  });

  test("the error for a deletion in conflict with the state does not advise a different name", async () => {
    const message = await messageFor(json(409, { code: "conflict", message: "In use." }), (client) =>
      client.profiles.delete("x1"),
    );
    expect(message).toContain("409 conflict, In use. Fix what the service reports above and try again.");
  });

  test.each([
    [
      "an array of details",
      { code: "bad_request", message: "Bad.", details: [{ message: "no manifest" }, { code: 3 }, "x"] },
      "400 bad_request, Bad.; no manifest.",
    ],
    [
      "a string as details",
      { code: "bad_request", message: "Bad", details: "no manifest" },
      "400 bad_request, Bad; no manifest.",
    ],
    [
      "an inner error",
      { code: "bad_request", message: "Bad", inner_error: { code: "invalid_input", message: "no zip" } },
      "400 bad_request, Bad; no zip.",
    ],
    ["a nested error", { error: { code: "bad_request", message: "Bad" } }, "400 bad_request, Bad."],
    ["null", null, "400, without an explanation."],
    [
      "members of wrong types",
      { code: 7, message: ["x"], details: 3, inner_error: "y", error: [] },
      "failed: 400.",
    ],
    ["a malformed code", { code: "Not A Code!", message: "Bad" }, "400, Bad."],
  ])("an error body with %s is understood", async (_form, body, expected) => {
    expect(await messageFor(json(400, body))).toContain(expected);
  });

  test.each<[string, Script, string]>([
    ["empty", answer(502, "", { "content-type": "" }), "502, with an empty body."],
    [
      "an HTML page",
      answer(502, "<h1>Bad gateway</h1>", { "content-type": "text/html; charset=utf-8" }),
      "502, with an HTML page, perhaps from a proxy in between.",
    ],
    [
      "cut off",
      (socket) =>
        socket.end("HTTP/1.1 403 No\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"),
      "403, with a body that is not JSON",
    ],
  ])(
    "the error for a refusal whose body is %s names the status and the kind of body",
    async (_form, script, expected) => {
      expect(await messageFor(script)).toContain(expected);
    },
  );

  test("the error for a refusal has status, code and request as fields", async () => {
    const { client } = await startBench([
      json(404, { code: "not_found", message: "no" }, { "x-request-id": "req_1" }),
    ]);
    expect(await errorOf(client.extensions.get("a b"))).toMatchObject({
      code: "not_found",
      status: 404,
      serviceCode: "not_found",
      request: { method: "GET", path: "/extensions/a%20b/metadata", requestId: "req_1" },
    });
  });

  test.each<[string, boolean, Script]>([
    ["a 404 with code not_found", true, json(404, { code: "not_found", message: "Gone" })],
    ["a 404 with code project_not_found", false, json(404, { code: "project_not_found", message: "x" })],
    ["a 404 without a body", false, answer(404, "")],
    ["a 404 of a proxy", false, answer(404, "<html>not_found</html>", { "content-type": "text/html" })],
    ["a 410 with code not_found", false, json(410, { code: "not_found", message: "x" })],
    ["a reset", false, reset],
  ])("isNotFound of %s is %s", async (_form, expected, script) => {
    const { client } = await startBench([script]);
    expect(isNotFound(await errorOf(client.extensions.get("ad-blocker")))).toBe(expected);
  });

  test.each([300, 301, 302, 303, 304, 307, 308])(
    "X4: a redirect %i of a read is an error that names only the new host, which gets no request",
    async (status) => {
      const second = await startBench([json(200, {})]);
      const { client, server } = await startBench([
        answer(status, "", { location: `${second.server.url}/steal?token=t0ken` }),
      ]);
      const error = await errorOf(client.extensions.get("ad-blocker"));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: "redirect_refused", status });
      expect(error.message).toContain(
        `failed: ${status}, a redirect to 127.0.0.1:${second.server.port}. Redirects are never followed`,
      );
      expect(error.message).not.toContain("t0ken");
      expect(server.requests).toHaveLength(1);
      expect(second.server.connections()).toBe(0);
    },
  );

  test("X4: a write that is answered with a redirect is in doubt, and the new host gets no request", async () => {
    const second = await startBench([json(200, {})]);
    const { client, server } = await startBench([
      answer(303, "", { location: `${second.server.url}/done?token=t0ken` }),
    ]);
    const error = await errorOf(client.projects.create("agents"));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain(
      `may or may not have happened: the service answered 303, a redirect to 127.0.0.1:${second.server.port}, which is not followed. Check that the base URL is the service's own. `,
    );
    expect(error.message).not.toContain("t0ken");
    expect([server.requests.length, second.server.connections()]).toEqual([1, 0]);
  });

  test("the service's message in an error is one line of limited length", async () => {
    const message = await messageFor(
      json(400, { code: "bad_request", message: `a\u001b[2J\r\nb\u202ec${"x".repeat(5000)}` }),
    );
    expect(message).toContain("400 bad_request, a [2J b cxxx");
    expect(message.length).toBeLessThan(900);
    expect(message).not.toMatch(/[\p{C}]/u);
  });

  test("X1: no error contains the API key, however the service echoes the key", async () => {
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const echoes = [
      canaryKey,
      encodeURIComponent(canaryKey),
      base64(canaryKey),
      base64(`u:${canaryKey}`),
      base64(`us:${canaryKey}`),
      base64(`use:${canaryKey}`),
      Buffer.from(canaryKey).toString("base64url"),
    ];
    const secrets = [
      canaryKey,
      encodeURIComponent(canaryKey),
      ...echoes.slice(2).map((text) => text.slice(6, -4)),
    ];
    for (const echo of echoes) {
      const headers = { "x-request-id": echo.replace(/\s/g, "") };
      const scripts: Script[] = [
        json(400, { code: "bad_request", message: `bad header Bearer ${echo}`, details: echo }, headers),
        json(400, { code: echo, message: "x".repeat(490) + echo }, headers),
        answer(302, "", { location: `https://host.example/?k=${echo}` }),
        answer(302, "", { location: `https://${encodeURIComponent(echo).replaceAll("%", "")}.example/` }),
        json(200, { id: echo, created_at: echo, size_bytes: echo }, headers),
        answer(200, echo, headers),
        raw(`HTTP/1.1 200 OK\r\nbroken ${echo}\r\n\r\n`),
        raw(echo),
        reset,
      ];
      for (const script of scripts) {
        const { client } = await startBench([script], {
          retry: { attempts: 1 },
          deadlines: { requestMs: 1_000 },
        });
        const errors = [
          await errorOf(client.extensions.get("ad-blocker")),
          await errorOf(client.extensions.upload({ archive: new Uint8Array(9) })),
        ];
        for (const error of errors) {
          const all =
            inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error) + String(error.stack);
          for (const secret of secrets) {
            expect(all).not.toContain(secret);
          }
        }
      }
    }
  });

  test("X1: a call with the API key in the URL is refused before any request, and the error hides the key", async () => {
    const apiKey = "plain0123456789key";
    const { client, server } = await startBench([reset], { apiKey });
    const { extensions, projects, apiKeys } = client;
    for (const act of [
      extensions.get(apiKey),
      extensions.delete(apiKey),
      extensions.list({ name: apiKey }),
      projects.get(apiKey),
      projects.limits(`x-${apiKey}`),
      projects.getByName(apiKey),
      projects.list({ query: `a ${apiKey}` }),
      apiKeys.get(apiKey),
      apiKeys.list({ query: apiKey }),
    ]) {
      const error = await errorOf(act);
      expect(error.name).toBe("InputError");
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(apiKey);
    }
    expect(server.connections()).toBe(0);
  });

  test("an API key that is as short as a word does not forbid that word as an id", async () => {
    const { client, server } = await startBench([json(404, { code: "not_found", message: "No" })], {
      apiKey: "test",
    });
    await errorOf(client.extensions.get("test"));
    expect(server.requests).toHaveLength(1);
  });

  test("X1: inspecting a client does not show the API key", async () => {
    const { client } = await startBench([reset]);
    await errorOf(client.extensions.get("x1"));
    const all = inspect(client, { depth: 10, showHidden: true, getters: true }) + JSON.stringify(client);
    expect(all).not.toContain(canaryKey);
  });
});

describe("long refusals", () => {
  const long = "x".repeat(200_000);

  test("a refusal with 200 kB of details keeps its code and message", async () => {
    const { client } = await startBench([json(404, { details: long, code: "not_found", message: "Gone." })]);
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(isNotFound(error)).toBe(true);
    expect(error.message).toContain("404 not_found, Gone.");
  });

  test("an endless refusal is reported by the status alone", async () => {
    const { client } = await startBench([
      endless("HTTP/1.1 403 No\r\ncontent-type: application/json\r\n\r\n"),
    ]);
    expect(await errorOf(client.extensions.get("ad-blocker"))).toMatchObject({
      status: 403,
      serviceCode: undefined,
    });
  });

  test("isNotFound is false for a 404 whose body is cut off", async () => {
    const { client } = await startBench([answer(404, '{"code":"not_found","message":"Go')]);
    expect(isNotFound(await errorOf(client.extensions.get("ad-blocker")))).toBe(false);
  });
});
