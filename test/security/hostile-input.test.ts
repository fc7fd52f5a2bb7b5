import { inspect } from "node:util";
import { type BrowserInfraClient, BrowserInfraError } from "../../src/client/index.js";
import { durationMs } from "../../src/text/duration.js";
import { oneLine, quote, quotePath, shorten } from "../../src/text/escape.js";
import { containsSecret, textCleaner, withoutAddresses, withoutQuery } from "../../src/text/redact.js";
import { answer, json } from "../client/fault-server.js";
import { canaryKey, closeBenches, openClient, startBench, wireExtension } from "../client/test-client.js";
import { wireApiKey, wireProject } from "../client/wire-records.js";
import { errorOf } from "../support/error-of.js";

afterEach(closeBenches);

/** Operations that put an id or a name into a path. */
const byId: Readonly<Record<string, (client: BrowserInfraClient, id: string) => Promise<unknown>>> = {
  "extensions.get": ({ extensions }, id) => extensions.get(id),
  "extensions.download": ({ extensions }, id) => extensions.download(id),
  "extensions.delete": ({ extensions }, id) => extensions.delete(id),
  "projects.get": ({ projects }, id) => projects.get(id),
  "projects.limits": ({ projects }, id) => projects.limits(id),
  "projects.update": ({ projects }, id) => projects.update(id, { name: "new" }),
  "projects.setLimits": ({ projects }, id) => projects.setLimits(id, { maxConcurrentSessions: 1 }),
  "projects.delete": ({ projects }, id) => projects.delete(id),
  "apiKeys.get": ({ apiKeys }, id) => apiKeys.get(id),
  "apiKeys.rename": ({ apiKeys }, id) => apiKeys.rename(id, "new"),
  "apiKeys.rotate": ({ apiKeys }, id) => apiKeys.rotate(id),
  "apiKeys.delete": ({ apiKeys }, id) => apiKeys.delete(id),
  "browserPools.get": ({ browserPools }, id) => browserPools.get(id),
  "browserPools.update": ({ browserPools }, id) => browserPools.update(id, { size: 1 }),
  "browserPools.delete": ({ browserPools }, id) => browserPools.delete(id),
  "authConnections.startLogin": ({ authConnections }, id) => authConnections.startLogin(id),
  "authConnections.waitForAuthentication": ({ authConnections }, id) =>
    authConnections.waitForAuthentication(id),
  "authConnections.get": ({ authConnections }, id) => authConnections.get(id),
  "authConnections.follow": async ({ authConnections }, id) => authConnections.follow(id).next(),
  "authConnections.waitForLogin": ({ authConnections }, id) => authConnections.waitForLogin(id),
};

/** Ids that leave the folder of a URL or end the path, once decoded by a server or a proxy. */
const traversals: readonly [what: string, id: string][] = [
  ["nothing", ""],
  ["one dot", "."],
  ["two dots", ".."],
  ["three dots", "..."],
  ["encoded dots", "%2e%2e"],
  ["dots encoded twice", "%252e%252e"],
  ["a slash", "a/b"],
  ["an encoded slash", "a%2Fb"],
  ["a step up", "../org/api_keys"],
  ["a backslash", "a\\b"],
  ["a query", "a?x=1"],
  ["a fragment", "a#b"],
  ["a line break", "a\r\nx: 1"],
  ["a NUL", "a\0b"],
  ["10 kB", "x".repeat(10_000)],
  ["full-width dots", "\uff0e\uff0e"],
  ["a full-width slash", "a\uff0fb"],
  ["a two-dot leader", "\u2025"],
  ["half of a surrogate pair", "a\ud800"],
];

describe("an id", () => {
  test.each(traversals)(
    "X8: an id of %s is refused by every operation before any request",
    async (_what, id) => {
      const { client, server } = await startBench([json(200, {})]);
      for (const [operation, act] of Object.entries(byId)) {
        const error = await errorOf(act(client, id));
        expect([operation, error.name]).toEqual([operation, "InputError"]);
      }
      const { message } = await errorOf(client.projects.get(id));
      expect(message).toMatch(/^"id" .+\. Pass the project's id as the service shows it\.$/s);
      expect(server.connections()).toBe(0);
    },
  );
});

describe("a value that becomes a header", () => {
  const injections = ["a\r\nX-Evil: canary", "a\ncanary", "a\0canary", "cänary", "\u2028canary", "can ary"];

  test.each(injections)(
    "X7: a key or project id that fits no header is refused before sending, and not echoed: %j",
    async (value) => {
      const { client, server } = await startBench([json(200, {})]);
      const attempts: readonly (() => unknown)[] = [
        () => openClient(server.url, { apiKey: value }),
        () => openClient(server.url, { projectId: value }),
        () => client.inProject(value),
      ];
      for (const attempt of attempts) {
        const error = await errorOf(Promise.resolve().then(attempt));
        expect(error).toMatchObject({ name: "ConfigError", code: "config_invalid" });
        expect(inspect(error, { showHidden: true })).not.toMatch(/can ?ary|cänary|Evil/);
      }
      expect(server.connections()).toBe(0);
    },
  );

  test("X7: an extension name with quotes or control characters is refused before any request", async () => {
    const { client, server } = await startBench([json(201, wireExtension)]);
    for (const name of ['a"; filename="b', "a\r\nX-Evil: 1", "a\0b"]) {
      const error = await errorOf(client.extensions.upload({ archive: new Uint8Array(9), name }));
      expect(error.name).toBe("InputError");
    }
    expect(server.connections()).toBe(0);
  });
});

describe("a hostile member of a response", () => {
  const pollution = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},';
  const hostile = (value: unknown) => JSON.stringify(value).replaceAll("{", `{${pollution}`);
  const operations: readonly [string, unknown, (client: BrowserInfraClient) => Promise<unknown>][] = [
    ["a record", wireExtension, ({ extensions }) => extensions.get("ad-blocker")],
    ["a list", [wireExtension], ({ extensions }) => extensions.list()],
    ["a nested record", wireApiKey, ({ apiKeys }) => apiKeys.get(wireApiKey.id)],
    ["limits", {}, ({ projects }) => projects.limits(wireProject.id)],
  ];

  test.each(operations)(
    "X11: a response member named __proto__ or constructor changes nothing: %s",
    async (_what, value, act) => {
      const { client } = await startBench([answer(200, hostile(value).replaceAll(",}", "}"))]);
      const found = await act(client);
      expect(inspect(found, { depth: 9, showHidden: true })).not.toContain("polluted");
      expect("polluted" in {}).toBe(false);
      expect(([] as unknown[] & { polluted?: true }).polluted).toBeUndefined();
    },
  );

  test("X11: a member named __proto__ or constructor in an error response changes nothing", async () => {
    const { client } = await startBench([
      answer(400, hostile({ code: "bad_request", message: "Bad", details: [{ message: "x" }] })),
    ]);
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(error).toBeInstanceOf(BrowserInfraError);
    expect("polluted" in error).toBe(false);
    expect("polluted" in {}).toBe(false);
  });
});

describe("a megabyte of hostile text", () => {
  /** Longest time for one string, in milliseconds. Typical: about a millisecond. */
  const millisecondsMax = 100;
  const megabyte = (piece: string) => piece.repeat(Math.ceil(1_000_000 / piece.length));
  const pieces = [
    "a",
    " ",
    ".",
    "/",
    "\\",
    "%2e",
    "\u001b[2J",
    "é",
    "😀",
    "\ud800",
    "sk_1",
    "a@",
    "://",
    "?a=",
  ];
  const clean = textCleaner(canaryKey);
  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    durationMs,
    oneLine,
    quote,
    quotePath,
    shorten: (text) => shorten(text, 500),
    isSecretKey: (text) => containsSecret(text, canaryKey),
    withoutAddresses,
    withoutQuery,
    textCleaner: clean,
  };

  test.each(Object.entries(readers))(
    "X12: a megabyte of hostile text is read by %s within 100 ms",
    (_name, read) => {
      for (const piece of pieces) {
        for (const text of [megabyte(piece), `https://${megabyte(piece)}`, `${megabyte(piece)}\n`]) {
          // CPU time, because the machine may be busy. Repeated after a longer time: the garbage
          // collector may have run.
          const isFast = [1, 2, 3].some(() => {
            const start = process.cpuUsage();
            try {
              read(text);
            } catch (error) {
              expect(error).toBeInstanceOf(BrowserInfraError);
            }
            const { user, system } = process.cpuUsage(start);
            return (user + system) / 1000 < millisecondsMax;
          });
          expect([piece, isFast]).toEqual([piece, true]);
        }
      }
    },
  );
});
