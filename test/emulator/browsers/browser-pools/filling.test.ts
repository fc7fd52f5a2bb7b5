import type { Emulator, EmulatorOptions } from "../../../../src/emulator/index.js";
import { newEmulator } from "../../../support/emulator.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { call, json, send } from "../../calls.js";

const minuteMs = 60_000;

describe("emulator: how browser pools fill", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const start = async (options: EmulatorOptions = {}) => {
    const emulator = await newEmulator({ now: () => now, ...options });
    return { emulator, pass: (milliseconds: number) => emulator.clock.advance(milliseconds) };
  };
  const counts = async (emulator: Emulator, pool: string) => {
    const path = `/browser_pools/${pool}`;
    const wire = await json<{ available_count: number; acquired_count: number }>(call(emulator, "GET", path));
    return [wire.available_count, wire.acquired_count];
  };
  const acquire = (emulator: Emulator, pool: string, body = {}) =>
    send(emulator, "POST", `/browser_pools/${pool}/acquire`, body);
  const release = (emulator: Emulator, pool: string, session_id: string, reuse?: boolean) =>
    send(emulator, "POST", `/browser_pools/${pool}/release`, { session_id, reuse });

  test("a browser pool has a browser at once, and fills by a share of the size in each minute", async () => {
    const { emulator, pass } = await start();
    emulator.browserPools.create({ id: "p", size: 8 });
    const seen = [];
    for (let quarter = 0; quarter < 10; quarter += 1) {
      seen.push((await counts(emulator, "p"))[0]);
      pass(minuteMs / 2);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8, 8]);
  });

  test("a small browser pool gets a browser every minute, and a pool with rate 0 is filled only at creation", async () => {
    const { emulator, pass } = await start();
    emulator.browserPools.create({ id: "small", size: 3 });
    emulator.browserPools.create({ id: "still", size: 2, fillRatePerMinute: 0 });
    const both = async () => [await counts(emulator, "small"), await counts(emulator, "still")];
    const { session_id } = await json<{ session_id: string }>(acquire(emulator, "still"));
    await release(emulator, "still", session_id, false);
    pass(minuteMs);
    expect(await both()).toEqual([
      [2, 0],
      [1, 0],
    ]);
    pass(100 * minuteMs);
    expect(await both()).toEqual([
      [3, 0],
      [1, 0],
    ]);
  });

  test("an emulator that runs faster fills pools faster", async () => {
    const { emulator, pass } = await start({ speed: 60 });
    emulator.browserPools.create({ id: "p", size: 4 });
    pass(1_000);
    expect(await counts(emulator, "p")).toEqual([2, 0]);
  });

  test("acquiring a browser does not refill the pool, and a released browser returns to the pool", async () => {
    const { emulator, pass } = await start();
    emulator.browserPools.create({ id: "p", size: 2, timeoutSeconds: 3600 });
    emulator.browserPools.fill("p");
    const { session_id } = await json<{ session_id: string }>(acquire(emulator, "p"));
    pass(10 * minuteMs);
    expect(await counts(emulator, "p")).toEqual([1, 1]);
    expect((await release(emulator, "p", session_id)).status).toBe(204);
    expect(await counts(emulator, "p")).toEqual([2, 0]);
    expect(emulator.browserPools.browsers("p").map(({ sessionId }) => sessionId)).toContain(session_id);
    expect((await release(emulator, "p", session_id)).status).toBe(404);
  });

  test("a browser released without reuse is replaced after a minute", async () => {
    const { emulator, pass } = await start();
    emulator.browserPools.create({ id: "p", size: 1 });
    emulator.browserPools.fill("p");
    pass(10 * minuteMs);
    const { session_id } = await json<{ session_id: string }>(acquire(emulator, "p"));
    await release(emulator, "p", session_id, false);
    expect(await counts(emulator, "p")).toEqual([0, 0]);
    pass(minuteMs - 1);
    expect(await counts(emulator, "p")).toEqual([0, 0]);
    pass(1);
    expect(await counts(emulator, "p")).toEqual([1, 0]);
    expect(emulator.browserPools.browsers("p")[0]?.sessionId).not.toBe(session_id);
  });

  test("a browser that nobody releases is destroyed after the pool's timeout, and then replaced", async () => {
    const { emulator, pass } = await start();
    emulator.browserPools.create({ id: "p", size: 1, timeoutSeconds: 300 });
    emulator.browserPools.fill("p");
    await json(acquire(emulator, "p"));
    pass(5 * minuteMs - 1);
    expect(await counts(emulator, "p")).toEqual([0, 1]);
    pass(1);
    expect(await counts(emulator, "p")).toEqual([0, 0]);
    // A minute later, the replacement is ready.
    pass(minuteMs);
    expect(await counts(emulator, "p")).toEqual([1, 0]);
  });

  test("the replacement of an unreleased browser starts at the timeout, even if nobody reads the pool", async () => {
    const { emulator, pass } = await start();
    emulator.browserPools.create({ id: "p", size: 1, timeoutSeconds: 300 });
    emulator.browserPools.fill("p");
    await json(acquire(emulator, "p"));
    pass(5.5 * minuteMs);
    expect(await counts(emulator, "p")).toEqual([0, 0]);
    pass(0.5 * minuteMs);
    expect(await counts(emulator, "p")).toEqual([1, 0]);
  });

  test("a waiting acquire request gets the next released browser", async () => {
    const { emulator } = await start();
    emulator.browserPools.create({ id: "p", size: 1, fillRatePerMinute: 0 });
    emulator.browserPools.fill("p");
    const { sessionId } = emulator.browserPools.acquire("p");
    const waiting = [acquire(emulator, "p"), acquire(emulator, "p")];
    await until(() => emulator.requests.length === 2);
    emulator.browserPools.release("p", sessionId);
    expect((await Promise.race(waiting)).status).toBe(200);
    emulator.browserPools.release("p", sessionId);
    const sessions = await Promise.all(waiting.map((each) => json<{ session_id: string }>(each)));
    expect(sessions).toMatchObject([{ session_id: sessionId }, { session_id: sessionId }]);
  });

  test("an acquire request that waits in vain gets 204, and a disconnected client takes no browser", async () => {
    const ended: (number | null)[] = [];
    const { emulator } = await start({ onRequest: ({ status }) => ended.push(status) });
    emulator.browserPools.create({ id: "p", size: 2, fillRatePerMinute: 0 });
    emulator.browserPools.acquire("p");
    emulator.browserPools.acquire("p");
    expect((await acquire(emulator, "p", { acquire_timeout_seconds: 0 })).status).toBe(204);
    const leaving = new AbortController();
    const left = acquireUntil(emulator, "p", leaving.signal);
    await until(() => emulator.requests.length === 2);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await until(() => ended.length === 2);
    expect(ended).toEqual([204, null]);
    emulator.browserPools.release("p", emulator.browserPools.browsers("p")[0]?.sessionId ?? "");
    expect(await counts(emulator, "p")).toEqual([1, 1]);
  });

  test("a client that disconnects before the acquire request is processed takes no browser", async () => {
    const ended: (number | null)[] = [];
    const { emulator } = await start({ onRequest: ({ status }) => ended.push(status) });
    emulator.browserPools.create({ id: "p", size: 1, fillRatePerMinute: 0 });
    emulator.faults.add({ path: /acquire$/, at: "before-commit", action: { delayMs: 100 } });
    const leaving = new AbortController();
    const left = acquireUntil(emulator, "p", leaving.signal);
    await until(() => emulator.requests.length === 1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await until(() => ended.length === 1);
    expect(ended).toEqual([null]);
    emulator.browserPools.fill("p");
    expect(await counts(emulator, "p")).toEqual([1, 0]);
  });

  test("an acquire request that waits while the pool is deleted gets 404", async () => {
    const { emulator } = await start();
    emulator.browserPools.create({ id: "p", size: 1 });
    emulator.browserPools.acquire("p");
    const waiting = acquire(emulator, "p");
    await until(() => emulator.requests.length === 1);
    emulator.browserPools.remove("p");
    expect((await waiting).status).toBe(404);
  });

  test("a browser lease with a name taken in the project gets 409", async () => {
    const { emulator } = await start();
    emulator.browserPools.create({ id: "p", size: 2 });
    emulator.browserPools.fill("p");
    expect((await acquire(emulator, "p", { name: "job" })).status).toBe(200);
    expect((await acquire(emulator, "p", { name: "job" })).status).toBe(409);
  });

  test("a shrunk pool loses idle browsers but no leased browsers, and an enlarged pool is filled", async () => {
    const { emulator, pass } = await start();
    emulator.browserPools.create({ id: "p", size: 3 });
    emulator.browserPools.fill("p");
    const { sessionId } = emulator.browserPools.acquire("p");
    emulator.browserPools.acquire("p");
    emulator.browserPools.update("p", { size: 1 });
    expect(await counts(emulator, "p")).toEqual([0, 2]);
    emulator.browserPools.release("p", sessionId);
    expect(await counts(emulator, "p")).toEqual([0, 1]);
    emulator.browserPools.update("p", { size: 2 });
    pass(minuteMs);
    expect(await counts(emulator, "p")).toEqual([1, 1]);
  });

  test("browsers keep old settings after a change of the pool, unless discard_all_idle replaces idle browsers", async () => {
    const { emulator } = await start();
    emulator.browserPools.create({ id: "p", size: 2 });
    emulator.browserPools.fill("p");
    emulator.browserPools.acquire("p");
    const stealth = () => emulator.browserPools.browsers("p").map(({ settings }) => settings.stealth);
    await json(send(emulator, "PATCH", "/browser_pools/p", { stealth: true }));
    expect(stealth()).toEqual([false, false]);
    await json(send(emulator, "PATCH", "/browser_pools/p", { discard_all_idle: true }));
    // The leased browser comes first.
    expect(stealth()).toEqual([false, true]);
    expect(await counts(emulator, "p")).toEqual([1, 1]);
  });

  test("a flushed browser pool is filled again over time, and leased browsers stay", async () => {
    const { emulator, pass } = await start();
    emulator.browserPools.create({ id: "p", size: 2, timeoutSeconds: 3600 });
    emulator.browserPools.fill("p");
    const { lease } = emulator.browserPools.acquire("p");
    expect(lease).toMatchObject({ name: null, startUrl: null, tags: null });
    expect((await call(emulator, "POST", "/browser_pools/p/flush")).status).toBe(204);
    expect(await counts(emulator, "p")).toEqual([0, 1]);
    pass(minuteMs);
    expect(await counts(emulator, "p")).toEqual([1, 1]);
  });

  test("browser pools, browsers and leases survive a restart on the same data folder", async () => {
    const dataDir = temporaryFolder();
    const first = await start({ dataDir });
    first.emulator.browserPools.create({ id: "p", name: "agents", size: 2 });
    first.emulator.browserPools.fill("p");
    first.emulator.browserPools.acquire("p");
    const pool = first.emulator.browserPools.get("p");
    await first.emulator.close();
    const second = await start({ dataDir });
    expect(second.emulator.browserPools.get("p")).toEqual(pool);
    expect(pool).toMatchObject({ availableCount: 1, acquiredCount: 1 });
  });

  test("a control route fills a pool at once", async () => {
    const { emulator } = await start();
    emulator.browserPools.create({ id: "p", size: 3 });
    expect((await call(emulator, "POST", "/_emulator/browser_pools/p/fill")).status).toBe(204);
    expect(emulator.browserPools.get("p").availableCount).toBe(3);
    expect((await call(emulator, "POST", "/_emulator/browser_pools/none/fill")).status).toBe(404);
  });
});

/** Requests a browser, like a client that disconnects when the signal aborts. */
function acquireUntil(emulator: Emulator, pool: string, signal: AbortSignal): Promise<Response> {
  const headers = { authorization: "Bearer sk_emulator" };
  return fetch(`${emulator.url}/browser_pools/${pool}/acquire`, {
    method: "POST",
    body: "{}",
    headers,
    signal,
  });
}

/** Waits for an effect of a concurrent task. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
