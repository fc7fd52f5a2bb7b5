import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { systemClock } from "../../../src/client/http/retry/options.js";
import { CanceledError, OutcomeUnknownError, RetryBudget } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, reset, type Script } from "../fault-server.js";
import { type Bench, closeBenches, openClient, startBench, wireExtension } from "../test-client.js";
import { wireApiKey } from "../wire-records.js";

afterEach(closeBenches);

const limited = (headers: Readonly<Record<string, string>> = {}, status = 429): Script =>
  json(status, { code: "rate_limited", message: "Slow down." }, headers);
const archive = new Uint8Array(100_000).map((_, index) => index);

type Act = (client: Bench["client"], signal?: AbortSignal) => Promise<unknown>;

/** A write of either policy, and the response after success. */
const writes: readonly [string, Script, Act][] = [
  [
    "an upload",
    json(201, wireExtension),
    (client, signal) => client.extensions.upload({ archive, name: "ad-blocker" }, { signal }),
  ],
  [
    "a rename",
    json(200, { ...wireApiKey, name: "new" }),
    (client, signal) => client.apiKeys.rename(wireApiKey.id, "new", { signal }),
  ],
];

describe.each(writes)("%s that a rate limit refuses", (_write, done, act) => {
  test("a write follows Retry-After with a little jitter, and backs off when a rate limit refuses repeatedly", async () => {
    const { client, waits } = await startBench([
      limited({ "retry-after": "1" }),
      limited({ "retry-after": "1" }),
      limited({ "retry-after": "60" }),
      limited({ "retry-after-ms": "250" }),
      done,
    ]);
    await act(client);
    expect(waits).toEqual([1100, 1100, 60_100, 2000]);
  });

  test("a write fails at once if Retry-After is more than a minute, and the error names the time", async () => {
    const { client, server, waits } = await startBench([limited({ "retry-after": "3600" })]);
    const error = await errorOf(act(client));
    expect(error).toMatchObject({ name: "ApiError", status: 429 });
    expect(error.message).toContain(
      "failed: 429 rate_limited, Slow down. The service asked to wait 3600 s (until 2026-11-21T11:00:00.000Z). " +
        "That is longer than the maximum wait of 60 s. The organization has sent too many requests: wait, or " +
        "run fewer operations at once.",
    );
    expect([server.requests.length, waits]).toEqual([1, []]);
  });

  test("a write fails when the rate limit has let nothing through for maxThrottledMs", async () => {
    const { client, server, waits } = await startBench([limited({ "retry-after": "2" })], {
      retry: { maxThrottledMs: 7000 },
    });
    const error = await errorOf(act(client));
    expect(error).toMatchObject({ name: "ApiError", status: 429 });
    expect(error.message).toContain(
      "Slow down. The rate limit would let no request through for more than 7 s.",
    );
    expect(waits).toEqual([2100, 2100, 2100]);
    expect(server.requests).toHaveLength(4);
  });

  test("a write that a rate limit refuses fails at once when the service forbids a retry", async () => {
    const { client, server } = await startBench([limited({ "x-should-retry": "false" })]);
    expect(await errorOf(act(client))).toMatchObject({ name: "ApiError", status: 429 });
    expect(server.requests).toHaveLength(1);
  });

  test("a write that is canceled during the wait for a rate limit is canceled, not in doubt", async () => {
    const abort = new AbortController();
    const sleep: typeof systemClock.sleep = (milliseconds, signal) => {
      abort.abort();
      return systemClock.sleep(milliseconds, signal);
    };
    const { client, server } = await startBench([limited({ "retry-after": "30" }), done], {
      retry: { clock: { ...systemClock, sleep } },
    });
    expect(await errorOf(act(client, abort.signal))).toBeInstanceOf(CanceledError);
    expect(server.requests).toHaveLength(1);
  });

  test("a write that a rate limit refuses takes nothing from the retry budget", async () => {
    const budget = new RetryBudget(0);
    const { client } = await startBench([limited(), limited(), limited(), done], { retry: { budget } });
    await act(client);
    expect(budget.take(false)).toBe(false);
  });
});

describe("rate limits", () => {
  // Runs in a separate thread, to close while the client writes.
  test("an upload is refused, not in doubt, when the service answers 429 and closes before reading the archive", async () => {
    const server = new Worker(
      `const refusal = "HTTP/1.1 429 No\\r\\ncontent-length: 2\\r\\nconnection: close\\r\\n\\r\\n{}";
       const server = require("node:net").createServer((socket) => {
         socket.on("error", () => {});
         socket.once("data", () => socket.pause().write(refusal, () => socket.destroy()));
       });
       server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port));`,
      { eval: true },
    );
    const [port] = await once(server, "message");
    const { client } = openClient(`http://127.0.0.1:${port}`, { retry: { maxThrottledMs: 1 } });
    const uploads = Array.from({ length: 20 }, () =>
      errorOf(client.extensions.upload({ archive: new Uint8Array(8_000_000) })),
    );
    const errors = await Promise.all(uploads);
    await server.terminate();
    expect(errors.map(({ name }) => name)).toEqual(errors.map(() => "ApiError"));
  });

  test("an upload that is in doubt after a rate limit is not sent again", async () => {
    const { client, server } = await startBench([limited(), reset]);
    const upload = client.extensions.upload({ archive, name: "ad-blocker" });
    expect(await errorOf(upload)).toBeInstanceOf(OutcomeUnknownError);
    expect(server.requests).toHaveLength(2);
  });

  test("a rename in doubt stays in doubt after a rate limit that does not end", async () => {
    const { client } = await startBench([reset, limited({ "retry-after": "60" })]);
    const error = await errorOf(client.apiKeys.rename(wireApiKey.id, "new"));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain(", and a later attempt got status 429.");
  });

  test("a read has four attempts in addition to the attempts that a rate limit refused", async () => {
    const failing = json(503, { code: "internal_error", message: "Try later" });
    const { client, server } = await startBench([
      ...[limited(), failing, limited(), failing, limited(), failing, limited()],
      json(200, wireExtension),
    ]);
    expect((await client.extensions.get("ad-blocker")).id).toBe(wireExtension.id);
    expect(server.requests).toHaveLength(8);
  });
});
