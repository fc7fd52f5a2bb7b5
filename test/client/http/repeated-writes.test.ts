import { inspect } from "node:util";
import {
  ApiError,
  CanceledError,
  ConnectionError,
  ContractError,
  OutcomeUnknownError,
  RetryBudget,
} from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { answer, hang, json, raw, reset, type Script, thenClose } from "../fault-server.js";
import { type Bench, canaryKey, closeBenches, startBench } from "../test-client.js";
import { wireApiKey } from "../wire-records.js";

afterEach(closeBenches);

const { id } = wireApiKey;
const done = json(200, { ...wireApiKey, name: "new" });
const failing = (status: number, headers = {}): Script =>
  json(status, { code: "some_code", message: "No." }, headers);
const gone = json(404, { code: "not_found", message: "No such key." });
const stalled = raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{");
const rename = ({ client }: Pick<Bench, "client">, signal?: AbortSignal) =>
  client.apiKeys.rename(id, "new", { signal });

describe("renames, which may be retried", () => {
  test.each<[string, Script]>([
    ["is reset after the request", reset],
    ["is closed without an answer", (socket) => socket.end()],
    ["closes before the body is complete", thenClose(stalled)],
    ["never answers", hang],
    ["hangs in the middle of the body", stalled],
    ["answers 500", failing(500)],
    ["answers 503", failing(503)],
    ["answers 408", failing(408)],
    ["answers 429", failing(429)],
  ])("a rename whose connection %s is retried unchanged and succeeds", async (_fault, script) => {
    const bench = await startBench([script, done], {
      deadlines: { headersMs: 500, bodyIdleMs: 500, requestMs: 1_000 },
    });
    expect((await rename(bench)).name).toBe("new");
    expect(bench.server.requests.map(({ method, body }) => [method, body.toString()])).toEqual([
      ["PATCH", '{"name":"new"}'],
      ["PATCH", '{"name":"new"}'],
    ]);
    expect(bench.waits).toEqual([250]);
    expect(bench.server.connections()).toBe(2);
  });

  test("a rename that stays in doubt is sent four times and says what may have happened", async () => {
    const bench = await startBench([reset]);
    const error = await errorOf(rename(bench));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.cause).toBeInstanceOf(ConnectionError);
    expect(error.message).toMatch(
      /^Renaming the API key "ckk0000000000000000000cd" may or may not have happened: the connection was lost before the response was complete \([A-Z_]+\)\. Tried 4 times\. The key has either its old name or the new one\. Read the key to see which\. Renaming it again is safe\.$/,
    );
    expect(bench.server.requests).toHaveLength(4);
    expect(bench.waits).toEqual([250, 500, 1000]);
  });

  test("a rename answered 503 each time is in doubt, with the service's words as the cause", async () => {
    const bench = await startBench([failing(503, { "x-request-id": "req_7" })]);
    const error = await errorOf(rename(bench));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.cause).toBeInstanceOf(ApiError);
    expect(error.message).toContain("the service answered 503. Tried 4 times. The key has either");
    expect(error.message).toContain("Request id: req_7.");
    expect(error).toMatchObject({
      request: { method: "PATCH", path: `/org/api_keys/${id}`, requestId: "req_7" },
    });
  });

  test("a rename that was only throttled is refused, not in doubt", async () => {
    const bench = await startBench([failing(429, { "retry-after": "60" })]);
    expect(await errorOf(rename(bench))).toMatchObject({ name: "ApiError", status: 429 });
    // 60 s each, and 5 minutes at most in all.
    expect(bench.server.requests).toHaveLength(5);
  });

  test("Retry-After is followed", async () => {
    const bench = await startBench([failing(429, { "retry-after": "7" }), done]);
    await rename(bench);
    expect(bench.waits).toEqual([7100]);
  });

  test("a rename answered 505 is not retried, and in doubt", async () => {
    const bench = await startBench([failing(505)]);
    expect(await errorOf(rename(bench))).toBeInstanceOf(OutcomeUnknownError);
    expect(bench.server.requests).toHaveLength(1);
  });

  test("a rename answered 501 is refused: the service does not know the operation", async () => {
    const bench = await startBench([failing(501)]);
    const error = await errorOf(rename(bench));
    expect(error).toMatchObject({ name: "ApiError", status: 501 });
    expect(error.message).toContain("This service does not support the operation.");
    expect(bench.server.requests).toHaveLength(1);
  });

  test.each<[string, Script]>([
    ["says that the key is gone", gone],
    ["says that the request is bad", failing(400)],
  ])("when a retry %s, that settles the matter", async (_what, refusal) => {
    const bench = await startBench([reset, refusal]);
    expect(await errorOf(rename(bench))).toBeInstanceOf(ApiError);
    expect(bench.server.requests).toHaveLength(2);
  });

  test.each([401, 403, 409, 501])(
    "when a retry is refused with %i, the send before it stays in doubt",
    async (status) => {
      const bench = await startBench([reset, failing(status)]);
      const error = await errorOf(rename(bench));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.cause).toMatchObject({ name: "ApiError", status });
      expect(error.message).toContain(`, and a later attempt got status ${status}. Tried 2 times.`);
    },
  );

  test("renames take from the retry budget of reads", async () => {
    const bench = await startBench([failing(503)], { retry: { budget: new RetryBudget(12) } });
    await errorOf(rename(bench));
    expect(bench.server.requests).toHaveLength(3);
    await errorOf(bench.client.apiKeys.get(id));
    expect(bench.server.requests).toHaveLength(4);
  });

  test.each<[string, Script]>([
    ["truncated JSON", answer(200, '{"id":"x"')],
    ["204", raw("HTTP/1.1 204 No Content\r\n\r\n")],
    ["another key", json(200, { ...wireApiKey, id: "ckk0000000000000000000zz" })],
    ["a broken gzip", answer(200, "x", { "content-encoding": "gzip" })],
  ])("a rename confirmed with %s is in doubt and not retried", async (_what, script) => {
    const bench = await startBench([script]);
    const error = await errorOf(rename(bench));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.cause).toBeInstanceOf(ContractError);
    expect(error.message).toContain(
      "the service accepted the request, but its response cannot be used. The key has either",
    );
    expect(bench.server.requests).toHaveLength(1);
  });

  test("a rename canceled before it begins opens no connection", async () => {
    const bench = await startBench([done]);
    expect(await errorOf(rename(bench, AbortSignal.abort()))).toBeInstanceOf(CanceledError);
    expect(bench.server.connections()).toBe(0);
  });

  test("a rename canceled while it waits for an answer is in doubt, with the cancellation as the cause", async () => {
    const abort = new AbortController();
    const bench = await startBench([() => void setTimeout(() => abort.abort(), 20)]);
    const error = await errorOf(rename(bench, abort.signal));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.cause).toBeInstanceOf(CanceledError);
    expect(bench.server.requests).toHaveLength(1);
  });

  test.each<[string, Script, typeof CanceledError | typeof OutcomeUnknownError]>([
    ["being throttled is canceled", failing(429), CanceledError],
    ["a lost answer is in doubt", reset, OutcomeUnknownError],
  ])("a rename canceled before a retry after %s", async (_what, script, expected) => {
    const abort = new AbortController();
    const sleep = async () => {
      abort.abort();
      throw new Error("aborted");
    };
    const bench = await startBench([script, done], { retry: { clock: { now: () => 0, sleep } } });
    expect(await errorOf(rename(bench, abort.signal))).toBeInstanceOf(expected);
    expect(bench.server.requests).toHaveLength(1);
  });

  test("a rename that finds no service is a connection error: nothing was sent", async () => {
    const bench = await startBench([done]);
    await bench.server.close();
    expect(await errorOf(rename(bench))).toMatchObject({
      name: "ConnectionError",
      code: "connection_failed",
    });
    expect(bench.waits).toHaveLength(3);
  });

  test("X1: the key is in no error of a rename, however the service echoes it", async () => {
    const echo = { code: "bad_request", message: `Bearer ${canaryKey}`, details: canaryKey };
    const scripts: Script[] = [
      json(400, echo, { "x-request-id": canaryKey }),
      json(503, echo, { "x-request-id": canaryKey }),
      json(200, { ...wireApiKey, id: canaryKey }),
      json(200, { ...wireApiKey, name: [canaryKey] }),
      raw(canaryKey),
    ];
    for (const script of scripts) {
      const bench = await startBench([script]);
      for (const act of [() => rename(bench), () => bench.client.apiKeys.get(id)]) {
        const error = await errorOf(act());
        const all = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error);
        expect(all).not.toContain(canaryKey);
      }
    }
    const { client } = await startBench([
      json(200, [{ ...wireApiKey, status: "active", updated_at: wireApiKey.created_at, name: canaryKey }]),
    ]);
    expect(inspect(await errorOf(client.projects.getByName("web")))).not.toContain(canaryKey);
  });
});
