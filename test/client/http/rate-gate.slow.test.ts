import { systemClock } from "../../../src/client/http/retry/options.js";
import { CanceledError, RetryBudget } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, type Script, startFaultServer } from "../fault-server.js";
import { canaryKey, closeBenches, openClient, startBench, wireExtension } from "../test-client.js";

afterEach(closeBenches);

const limited = (headers: Readonly<Record<string, string>> = {}): Script =>
  json(429, { code: "rate_limited", message: "Slow down." }, headers);
// Without a name, the record confirms every upload.
const created = json(201, { ...wireExtension, name: null });
/** Record of the requested extension. */
const good: Script = (socket, request) =>
  json(200, { ...wireExtension, name: request.target.split("/").at(2) })(socket, request);
const archive = new Uint8Array(100);

/** Limit of one request in `everyMs`. A refusal contains the time of the next allowed request. */
function oneIn(everyMs: number, done: Script, headers: Readonly<Record<string, string>>): Script {
  let nextAt = 0;
  return (socket, request) => {
    const now = performance.now();
    if (now < nextAt) {
      limited({ "retry-after-ms": String(Math.ceil(nextAt - now)), ...headers })(socket, request);
      return;
    }
    nextAt = now + everyMs;
    done(socket, request);
  };
}

/** Clock whose waits end when the test decides. */
function heldClock() {
  const waits: { milliseconds: number; end: () => void }[] = [];
  let elapsedMs = 0;
  const clock = {
    ...systemClock,
    elapsed: () => elapsedMs,
    sleep: (milliseconds: number, signal: AbortSignal | undefined) =>
      new Promise<void>((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        const end = () => {
          elapsedMs += milliseconds;
          resolve();
        };
        waits.push({ milliseconds, end });
      }),
  };
  const firstWait = async () => {
    const end = performance.now() + 10_000;
    while (waits.length === 0) {
      if (performance.now() > end) {
        throw new Error("no request has waited within 10 s");
      }
      await new Promise(setImmediate);
    }
    return waits.shift() as (typeof waits)[number];
  };
  return { clock, firstWait };
}

describe("the gate of an account", () => {
  test.each([
    ["publishes its limit", { "x-ratelimit-limit": "6000" }],
    ["publishes no limit", {}],
  ])(
    "200 simultaneous uploads all arrive when the service takes an upload per 10 ms and %s",
    async (_how, headers) => {
      const { client, server } = await startBench([oneIn(10, created, headers)], {
        retry: { clock: systemClock, budget: new RetryBudget(100) },
      });
      const uploads = Array.from({ length: 200 }, () => client.extensions.upload({ archive }));
      expect((await Promise.allSettled(uploads)).filter(({ status }) => status === "rejected")).toEqual([]);
      // All but one of the first requests were refused. Later requests seldom are: requests share
      // this process.
      expect(server.requests.length).toBeLessThan(500);
    },
  );

  test("after a rate limit refuses, no client of the account sends a request before Retry-After", async () => {
    const { clock, firstWait } = heldClock();
    const server = await startFaultServer([limited({ "retry-after": "30" }), good]);
    const options = { retry: { clock, random: () => 0 } };
    const client = () => openClient(server.url, options).client;
    const first = client().extensions.get("first");
    const wait = await firstWait();
    const second = client().extensions.get("second");
    await openClient(server.url, { ...options, apiKey: `${canaryKey}x` }).client.extensions.get("other");
    const targets = () => server.requests.map(({ target }) => target.split("/").at(2));
    expect(targets()).toEqual(["first", "other"]);
    expect(wait.milliseconds).toBe(30_000);
    wait.end();
    await first;
    const next = await firstWait();
    expect(targets()).toEqual(["first", "other", "first"]);
    next.end();
    await second;
    expect(targets()).toEqual(["first", "other", "first", "second"]);
    await server.close();
  });

  test("a request that a rate limit kept from being sent fails with an error about that request", async () => {
    const { clock, firstWait } = heldClock();
    const { client, server } = await startBench([limited({ "retry-after": "30" })], {
      retry: { clock, maxThrottledMs: 45_000 },
    });
    const first = errorOf(client.extensions.get("first"));
    const wait = await firstWait();
    const second = errorOf(client.extensions.get("second"));
    wait.end();
    expect((await first).message).toMatch(/"first" failed: 429/);
    (await firstWait()).end();
    expect((await second).message).toMatch(/"second" failed: 429/);
    expect(server.requests.map(({ target }) => target.split("/").at(2))).toEqual(["first", "first"]);
  });

  test("a request is not refused for a long wait in which the limit let other requests through", async () => {
    const { clock, firstWait } = heldClock();
    const refused = limited({ "retry-after": "30" });
    const { client, server } = await startBench([refused, good, refused, good], {
      retry: { clock, maxThrottledMs: 45_000 },
    });
    const first = client.extensions.get("first");
    const wait = await firstWait();
    const second = client.extensions.get("second");
    second.catch(() => {});
    wait.end();
    await first;
    // The second request waits for its turn, and then for the second refusal: more than 60 s in all.
    (await firstWait()).end();
    (await firstWait()).end();
    expect((await second).name).toBe("second");
    expect(server.requests).toHaveLength(4);
  });

  test("a request that is canceled in the queue ends at once, and later requests keep the order", async () => {
    const { clock, firstWait } = heldClock();
    const { client, server } = await startBench([limited({ "retry-after": "30" }), good], {
      retry: { clock },
    });
    const first = client.extensions.get("first");
    const wait = await firstWait();
    const abort = new AbortController();
    const canceled = errorOf(client.extensions.delete("second", { signal: abort.signal }));
    const third = client.extensions.get("third");
    abort.abort();
    expect(await canceled).toBeInstanceOf(CanceledError);
    wait.end();
    await first;
    (await firstWait()).end();
    await third;
    expect(server.requests.map(({ target }) => target.split("/").at(2))).toEqual(["first", "first", "third"]);
  });

  test("requests keep the published pace for a minute after a refusal, and are then sent at once", async () => {
    const { client, waits } = await startBench([
      limited({ "retry-after": "1", "x-ratelimit-limit": "60" }),
      good,
    ]);
    for (let count = 0; count < 70; count++) {
      await client.extensions.get("ad-blocker");
    }
    expect(waits.map(Math.round)).toEqual(Array(55).fill(1100));
  });

  test("without a published rate limit, every response but a refusal speeds requests up, and a refusal slows requests down", async () => {
    const missing = json(404, { code: "not_found", message: "Not found." });
    const { client, waits } = await startBench([
      ...[limited({ "retry-after": "1" }), good, missing, good, limited({ "retry-after": "5" })],
      good,
    ]);
    for (let count = 0; count < 5; count++) {
      await client.extensions.get("ad-blocker").catch(() => undefined);
    }
    // Twice 729 ms and once faster, after the wait for the refusal.
    expect(waits.map(Math.round)).toEqual([1100, 900, 810, 729, 5100, 1312]);
  });

  test("a rate limit that refuses for five minutes with Retry-After 0 gets fewer than 30 requests", async () => {
    const { client, server } = await startBench([limited({ "retry-after": "0" })]);
    await errorOf(client.extensions.get("ad-blocker"));
    expect(server.requests.length).toBeLessThan(30);
  });

  test("requests that a rate limit refuses for too long each fail with an error about that request, and a later request is sent", async () => {
    const { client, server } = await startBench([limited({ "retry-after": "2" })], {
      retry: { maxThrottledMs: 7000 },
    });
    const names = ["a", "b", "c", "d", "e"];
    const errors = await Promise.all(names.map((name) => errorOf(client.extensions.get(name))));
    for (const [at, error] of errors.entries()) {
      expect(error).toMatchObject({ name: "ApiError", status: 429, serviceCode: "rate_limited" });
      expect(error.message).toContain(
        `"${names[at]}" failed: 429 rate_limited, Slow down. The rate limit would let`,
      );
    }
    expect(server.requests).toHaveLength(5 + 3);
    // A later request is not refused for the earlier refusals, but waits and is sent.
    await errorOf(client.extensions.get("later"));
    expect(server.requests.at(-1)?.target).toContain("later");
  });
});
