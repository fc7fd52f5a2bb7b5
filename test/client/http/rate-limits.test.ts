import { systemClock } from "../../../src/client/http/retry/options.js";
import { type ApiError, CanceledError, OutcomeUnknownError, RetryBudget } from "../../../src/client/index.js";
import { newEmulator } from "../../support/emulator.js";
import { errorOf } from "../../support/error-of.js";
import { json, reset, type Script } from "../fault-server.js";
import { type Bench, closeBenches, openClient, startBench, wireExtension } from "../test-client.js";
import { wireApiKey } from "../wire-records.js";

afterEach(closeBenches);

const limited = (headers: Readonly<Record<string, string>> = {}, status = 429): Script =>
  json(status, { code: "rate_limited", message: "Slow down." }, headers);
const archive = new Uint8Array(100_000).map((_, index) => index);

type Act = (client: Bench["client"], signal?: AbortSignal) => Promise<unknown>;

/** A write of either policy, and the answer when it is carried out. */
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
  test("follows Retry-After, with jitter that grows", async () => {
    const { client, waits } = await startBench([
      limited({ "retry-after": "1" }),
      limited({ "retry-after": "1" }),
      limited({ "retry-after": "60" }),
      limited({ "retry-after-ms": "250" }),
      done,
    ]);
    await act(client);
    expect(waits).toEqual([1100, 1200, 60_400, 1050]);
  });

  test("is refused at once when it must wait for more than a minute, and says until when", async () => {
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

  test("is refused when it has waited for maxThrottledMs in all", async () => {
    const { client, server, waits } = await startBench([limited({ "retry-after": "2" })], {
      retry: { maxThrottledMs: 7000 },
    });
    const error = await errorOf(act(client));
    expect(error).toMatchObject({ name: "ApiError", status: 429 });
    expect(error.message).toContain("Slow down. Tried 4 times.");
    expect(waits).toEqual([2100, 2200, 2400]);
    expect(server.requests).toHaveLength(4);
  });

  test("is refused at once when the service forbids a retry", async () => {
    const { client, server } = await startBench([limited({ "x-should-retry": "false" })]);
    expect(await errorOf(act(client))).toMatchObject({ name: "ApiError", status: 429 });
    expect(server.requests).toHaveLength(1);
  });

  test("is canceled, not in doubt, when it is canceled while it waits", async () => {
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

  test("gives back what it took from the retry budget", async () => {
    const budget = new RetryBudget(14);
    const { client } = await startBench([limited(), limited(), limited(), done], { retry: { budget } });
    await act(client);
    // A retry after a timeout takes 10, one after a rate limit 1.
    const taken = [budget.take(true), ...Array.from({ length: 5 }, () => budget.takeThrottled())];
    expect(taken).toEqual([true, true, true, true, true, false]);
  });

  test("is refused when the retry budget is empty", async () => {
    const { client, server } = await startBench([limited()], { retry: { budget: new RetryBudget(3) } });
    expect((await errorOf(act(client))).message).toContain(
      "Not retried: this process has used up its retry budget.",
    );
    expect(server.requests).toHaveLength(4);
  });
});

describe("rate limits", () => {
  // The emulator answers without reading the body, and closes the connection.
  test.each([200, 65_536, 150_000, 1_000_000])(
    "an upload of %i bytes that is refused before it is read is refused, not in doubt",
    async (bytes) => {
      const emulator = await newEmulator({ requestsPerSecond: 1 });
      const { client } = openClient(emulator.url, {
        apiKey: emulator.apiKeys[0] ?? "",
        retry: { maxThrottledMs: 1 },
      });
      const errors = await Promise.all(
        Array.from({ length: 20 }, () =>
          errorOf(client.extensions.upload({ archive: new Uint8Array(bytes) })),
        ),
      );
      // The first is read, and is no archive.
      expect(errors.map((error) => error.name)).toEqual(Array.from({ length: 20 }, () => "ApiError"));
      expect(new Set(errors.map((error) => (error as ApiError).status))).toEqual(new Set([400, 429]));
    },
  );

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

  test("a read has its four attempts besides those that a rate limit refused", async () => {
    const failing = json(503, { code: "internal_error", message: "Try later" });
    const { client, server } = await startBench([
      ...[limited(), failing, limited(), failing, limited(), failing, limited()],
      json(200, wireExtension),
    ]);
    expect((await client.extensions.get("ad-blocker")).id).toBe(wireExtension.id);
    expect(server.requests).toHaveLength(8);
  });
});
