import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserPool } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { durationText } from "../../../text/words.js";
import type { Call } from "../../call.js";
import type { BrowserPoolInputs } from "./properties.js";

/** Milliseconds between two polls of a filling pool. */
const pollIntervalMs = 1_000;

/** Milliseconds until the row repeats an unchanged number: nothing seems to hang. */
const repeatEveryMs = 30_000;

/** Longest wait, besides twice the time that the fill rate needs. Milliseconds. */
const extraMs = 10 * 60_000;

/**
 * Waits until the pool has the declared number of browsers, including leased browsers, and shows
 * the number on the resource's row. Returns "gone" if the pool is deleted meanwhile. Throws if the
 * wait takes too long or is canceled.
 */
export async function waitUntilAvailable(
  created: BrowserPool,
  { waitForAvailable = 0, projectId }: BrowserPoolInputs,
  call: Call,
): Promise<"gone" | undefined> {
  const { report } = call.context;
  const { id } = created;
  const limitMs = longestWaitMs(created, waitForAvailable);
  const startedAt = performance.now();
  let shown = { ready: -1, at: 0 };
  if (created.fillRatePerMinute === 0 && waitForAvailable > 0) {
    report.warning(
      `Browser pool ${id} has the "fillRatePerMinute" 0: the service fills the pool once, and builds no browsers later. If ${waitForAvailable} browsers are not ready soon, set a rate.`,
    );
  }
  for (let pool = created; ; ) {
    const ready = pool.availableCount + pool.acquiredCount;
    if (ready >= waitForAvailable) {
      if (shown.ready !== -1) {
        // The row keeps the last message when the resource is done.
        report.progress(`${ready} of ${waitForAvailable} browsers are ready`);
      }
      return undefined;
    }
    const now = performance.now();
    if (now - startedAt > limitMs) {
      throw new Error(`it took longer than ${durationText(limitMs)}`);
    }
    if (ready !== shown.ready || now - shown.at > repeatEveryMs) {
      shown = { ready, at: now };
      report.progress(`waiting for browsers: ${ready} of ${waitForAvailable} ready`);
    }
    await sleep(pollIntervalMs, undefined, call.options);
    const present = await ignoreNotFound(call.clientFor(projectId).browserPools.get(id, call.options));
    if (present === undefined) {
      return "gone";
    }
    pool = present;
  }
}

/** Longest wait for `browsers`: the service fills a percentage of the pool per minute. */
function longestWaitMs({ size, fillRatePerMinute }: BrowserPool, browsers: number): number {
  const percent = (browsers / size) * 100;
  const minutes = percent / Math.max(fillRatePerMinute ?? percent, 0.1);
  return extraMs + 2 * minutes * 60_000;
}
