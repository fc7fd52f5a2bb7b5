import { systemClock } from "../../../src/client/http/retry/options.js";
import {
  ApiError,
  CanceledError,
  ConnectionError,
  ContractError,
  type Extension,
  OutcomeUnknownError,
} from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { answer, closedPort, hang, json, noContent, reset, type Script, stalled } from "../fault-server.js";
import {
  type Bench,
  benchDate,
  closeBenches,
  openClient,
  startBench,
  wireExtension,
} from "../test-client.js";
import { wireApiKey } from "../wire-records.js";

// Without a name, the record confirms every upload.
const created = json(201, { ...wireExtension, name: null });
const archive = new Uint8Array(300_000).map((_, index) => index);
const refused = (status: number, headers = {}): Script =>
  json(status, { code: "some_code", message: "No." }, headers);

const upload = ({ client }: Pick<Bench, "client">, signal?: AbortSignal): Promise<Extension> =>
  client.extensions.upload({ archive, name: "ad-blocker" }, { signal });

const { id } = wireApiKey;
const renamed = json(200, { ...wireApiKey, name: "new" });
const gone = json(404, { code: "not_found", message: "No such key." });
const rename = ({ client }: Pick<Bench, "client">, signal?: AbortSignal) =>
  client.apiKeys.rename(id, "new", { signal });

afterEach(closeBenches);

// The tests of hostile responses cover the result of every write for every answer.
describe("writes", () => {
  test("the error for an upload in doubt says what happened, and how to find the outcome", async () => {
    const { client } = await startBench([refused(503, { "x-request-id": "req_7" })]);
    const error = await errorOf(upload({ client }));
    expect(error).toMatchObject({
      name: "OutcomeUnknownError",
      cause: expect.any(ApiError),
      request: { method: "POST", path: "/extensions", requestId: "req_7" },
      message:
        'Uploading the extension "ad-blocker" may or may not have happened: the service answered 503. The request was not retried, because a second request might repeat the change. List the extensions and compare names and checksums before uploading it again. Request id: req_7.',
    });
  });

  test("the error for a write that is not retried names the wait that the service asks for", async () => {
    const past = new Date(benchDate - 5_000).toUTCString();
    for (const [asked, seconds] of [
      ["7", 7],
      [past, 0],
    ] as const) {
      const { client } = await startBench([refused(403, { "retry-after": asked })]);
      expect((await errorOf(upload({ client }))).message).toContain(`The service asked to wait ${seconds} s`);
    }
  });

  test("an unusable response to an upload is the cause of the error for an unknown outcome", async () => {
    const { client } = await startBench([answer(201, '{"id":"x"')]);
    const error = await errorOf(upload({ client }));
    expect(error.cause).toBeInstanceOf(ContractError);
    expect(error.message).toContain(
      "the service accepted the request, but its response cannot be used. The request was not retried",
    );
  });

  test("an upload to a closed port is a connection error: nothing was sent", async () => {
    const port = await closedPort();
    const error = await errorOf(upload(openClient(`http://127.0.0.1:${port}`)));
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_failed" });
  });

  test("an upload to a name that does not resolve is a connection error: nothing was sent", async () => {
    const error = await errorOf(upload(openClient("https://nowhere.invalid")));
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_failed" });
    expect(error.message).toMatch(/could not be resolved \((ENOTFOUND|EAI_AGAIN)\), host nowhere\.invalid/);
  });

  test("an upload over a TLS handshake that fails is a connection error: nothing was sent", async () => {
    const bench = await startBench(
      [hang],
      {},
      { onConnection: (socket) => Boolean(socket.end("HTTP/1.1 400 Bad\r\n\r\n")) },
    );
    const error = await errorOf(upload(openClient(`https://127.0.0.1:${bench.server.port}`)));
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_untrusted" });
    expect(bench.server.connections()).toBe(1);
  });

  test("an upload over a TLS handshake that never ends is a connection error: nothing was sent", async () => {
    const bench = await startBench([hang]);
    const error = await errorOf(
      upload(openClient(`https://127.0.0.1:${bench.server.port}`, { deadlines: { connectMs: 80 } })),
    );
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_timeout" });
  });

  test("an upload that is canceled before it begins opens no connection", async () => {
    const bench = await startBench([created]);
    expect(await errorOf(upload(bench, AbortSignal.abort()))).toBeInstanceOf(CanceledError);
    expect(bench.server.connections()).toBe(0);
  });

  test("an upload that is canceled while it connects is canceled at once, not in doubt", async () => {
    const abort = new AbortController();
    const bench = await startBench(
      [hang],
      {},
      {
        onConnection: () => {
          setTimeout(() => abort.abort(), 20);
          return false;
        },
      },
    );
    const { client } = openClient(`https://127.0.0.1:${bench.server.port}`);
    const start = performance.now();
    expect(await errorOf(upload({ client }, abort.signal))).toBeInstanceOf(CanceledError);
    // The connection itself would be given up after 10 s.
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test.each<[string, Script]>([
    ["before the response", hang],
    ["in the middle of the response", stalled],
  ])(
    "an upload that is canceled %s is in doubt, with the cancellation as the cause",
    async (_stage, script) => {
      const abort = new AbortController();
      const bench = await startBench([
        (socket, request) => {
          script(socket, request);
          setTimeout(() => abort.abort(), 20);
        },
      ]);
      const error = await errorOf(upload(bench, abort.signal));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.cause).toBeInstanceOf(CanceledError);
      expect(bench.server.requests).toHaveLength(1);
    },
  );

  test("an upload that is canceled while its archive is being sent is in doubt", async () => {
    const abort = new AbortController();
    const bench = await startBench([created], {}, { onHead: (socket) => socket.pause() });
    const big = new Uint8Array(20_000_000);
    const running = bench.client.extensions.upload(
      { archive: big },
      { signal: abort.signal, onProgress: () => abort.abort() },
    );
    expect(await errorOf(running)).toBeInstanceOf(OutcomeUnknownError);
    expect(bench.server.requests).toHaveLength(0);
  });

  test("an upload that is refused before the whole archive was sent is not in doubt", async () => {
    const refuseEarly = {
      onHead: (socket: import("node:net").Socket) =>
        void socket.end(
          'HTTP/1.1 413 Too Large\r\ncontent-type: application/json\r\ncontent-length: 38\r\n\r\n{"code":"too_large","message":"Big."}  ',
        ),
    };
    const bench = await startBench([hang], {}, refuseEarly);
    const error = await errorOf(bench.client.extensions.upload({ archive: new Uint8Array(20_000_000) }));
    expect(error).toMatchObject({ name: "ApiError", status: 413 });
  });

  test("the deadline of an upload grows with the archive, and the headers' deadline does not apply", async () => {
    const slow: Script = (socket, request) => setTimeout(() => created(socket, request), 1200);
    const bench = await startBench([slow], {
      deadlines: { headersMs: 50, requestMs: 50, minArchiveBytesPerSecond: 100_000 },
    });
    expect((await upload(bench)).id).toBe(wireExtension.id);
  });

  test("every write opens a new connection, because the service may close an idle connection", async () => {
    // The second request on a connection is reset, as if the service had just closed an idle
    // connection.
    const perConnection = new Map<number, number>();
    const once: Script = (socket, request) => {
      const count = (perConnection.get(request.connection) ?? 0) + 1;
      perConnection.set(request.connection, count);
      if (count > 1) {
        reset(socket, request);
      } else {
        (request.method === "DELETE" ? noContent : created)(socket, request);
      }
    };
    const bench = await startBench([once]);
    for (let count = 0; count < 10; count++) {
      await upload(bench);
    }
    for (let count = 0; count < 10; count++) {
      await bench.client.extensions.delete(wireExtension.id);
    }
    expect(bench.server.requests).toHaveLength(20);
    expect(bench.server.connections()).toBe(20);
    expect(bench.server.requests.every(({ headers }) => headers.connection === "close")).toBe(true);
  });

  test.each<[string, Script]>([
    ["204", noContent],
    ["200 and an empty body", answer(200, "", { "content-type": "" })],
    ["202 and an empty body", answer(202, "", { "content-type": "" })],
    ["200 and JSON", json(200, { deleted: true })],
    ["202 and JSON", json(202, null)],
    ["200 and text", answer(200, "Deleted.", { "content-type": "text/plain" })],
    ["200 and text without a type", answer(200, "OK", { "content-type": "" })],
    ["202 and text that is no JSON as its type says", answer(202, "Accepted")],
  ])("a delete answered with %s is done", async (_answer, script) => {
    const { client, server } = await startBench([script]);
    expect(await client.extensions.delete(wireExtension.id)).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });
});

describe("deletions in doubt", () => {
  test.each<[string, Script]>([
    ["a page", answer(200, "<!doctype html>Sign in", { "content-type": "text/html" })],
    ["a page of another type", answer(200, "\n<html>Sign in</html>", { "content-type": "text/plain" })],
  ])(
    "a delete answered with %s is in doubt, because the response may come from a sign-in page",
    async (_answer, script) => {
      const { client } = await startBench([script]);
      const error = await errorOf(client.extensions.delete(wireExtension.id));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.cause).toMatchObject({ message: expect.stringContaining("does not confirm a deletion") });
    },
  );
});

describe("renames, which may be retried", () => {
  test("a rename that stays in doubt is sent four times, and the error says what may have happened", async () => {
    const bench = await startBench([reset]);
    const error = await errorOf(rename(bench));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.cause).toBeInstanceOf(ConnectionError);
    expect(error.message).toMatch(
      /^Renaming the API key "ckk0000000000000000000cd" may or may not have happened: the connection was lost before the response was complete \([A-Z_]+\)\. Tried 4 times\. The API key has either the old name or the new name\. Read the API key to see which\. Repeating the change is safe\.$/,
    );
    expect(bench.server.requests).toHaveLength(4);
    expect(bench.waits).toEqual([250, 500, 1000]);
  });

  test.each([425, 429])("a rename that gets only the status %i is refused, not in doubt", async (status) => {
    const bench = await startBench([refused(status, { "retry-after": "60" })]);
    expect(await errorOf(rename(bench))).toMatchObject({ name: "ApiError", status });
    // 60 s each, and no request passes for 5 minutes.
    expect(bench.server.requests).toHaveLength(5);
  });

  test("a rename answered 505 is not retried, and in doubt", async () => {
    const bench = await startBench([refused(505)]);
    const error = await errorOf(rename(bench));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).not.toContain("Tried");
    expect(bench.server.requests).toHaveLength(1);
  });

  test.each<[string, Script]>([
    ["the key is gone", gone],
    ["the request is bad", refused(400)],
  ])(
    "a rename is refused, not in doubt, when the response to the retry says that %s",
    async (_what, refusal) => {
      const bench = await startBench([reset, refusal]);
      expect(await errorOf(rename(bench))).toBeInstanceOf(ApiError);
      expect(bench.server.requests).toHaveLength(2);
    },
  );

  test.each([401, 403, 409, 501])(
    "a rename stays in doubt when the retry after a lost response is refused with %i",
    async (status) => {
      const bench = await startBench([reset, refused(status)]);
      const error = await errorOf(rename(bench));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.cause).toMatchObject({ name: "ApiError", status });
      expect(error.message).toContain(`, and a later attempt got status ${status}. Tried 2 times.`);
    },
  );

  test.each<[string, Script, typeof CanceledError | typeof OutcomeUnknownError]>([
    ["being throttled is canceled", refused(429), CanceledError],
    ["a lost response is in doubt", reset, OutcomeUnknownError],
  ])("a rename canceled before a retry after %s", async (_what, script, expected) => {
    const abort = new AbortController();
    const sleep = async () => {
      abort.abort();
      throw new Error("aborted");
    };
    const bench = await startBench([script, renamed], {
      retry: { clock: { ...systemClock, now: () => 0, sleep } },
    });
    expect(await errorOf(rename(bench, abort.signal))).toBeInstanceOf(expected);
    expect(bench.server.requests).toHaveLength(1);
  });

  test("a rename that finds no service is a connection error: nothing was sent", async () => {
    const bench = await startBench([renamed]);
    await bench.server.close();
    expect(await errorOf(rename(bench))).toMatchObject({
      name: "ConnectionError",
      code: "connection_failed",
    });
    expect(bench.waits).toHaveLength(3);
  });
});
