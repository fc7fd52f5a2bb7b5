import { setTimeout as sleep } from "node:timers/promises";
import { BrowserInfraError, OutcomeUnknownError } from "../../errors.js";
import type { LifecycleContext } from "../lifecycle.js";
import type { PropertyMap } from "../properties.js";
import { type LostCreation, marksByError, type SentSetting, storedFailure } from "./marks.js";

/** Greatest difference between the service's clock and this machine's, in milliseconds. */
export const clockDifferenceMs = 10 * 60_000;

/** Longest time in transit of a request without a response, in milliseconds. */
const lateRequestMs = 5 * 60_000;

/**
 * Whether the creation time of an object fits a creation without a response: at most 10 minutes
 * before `sentAt` (clock difference) and 15 minutes after (5 in transit, 10 clock difference).
 * True for an unknown creation time.
 */
export function fitsRequestTime({ sentAt = 0 }: LostCreation, createdAtMs: number | undefined): boolean {
  const earliest = sentAt - clockDifferenceMs;
  const latest = sentAt + lateRequestMs + clockDifferenceMs;
  return createdAtMs === undefined || (createdAtMs >= earliest && createdAtMs <= latest);
}

/** Advice for a change: the state has a mark, so the next run reads the object and sends again. */
export const continuesAdvice = "Run the same command again: it continues from there.";

/** Advice for a deletion, which cannot store a mark: only a refresh finds the result. */
export const refreshAdvice = 'Run the same command again with "--refresh" to find out.';

/**
 * Builds the error for a write whose outcome stays unknown, followed by `advice`. `interrupted`:
 * the possible outcomes, for a run ended by Ctrl-C or a time limit.
 */
export function unknownOutcomeError(
  outcome: OutcomeUnknownError,
  { signal }: LifecycleContext,
  interrupted: string,
  advice: string,
): OutcomeUnknownError {
  return signal.aborted ? outcome.withMessage(`${interrupted} ${advice}`) : outcome.withAdvice(advice);
}

/**
 * Does a write to an existing object. If the outcome stays unknown, or the service refuses a change
 * in place, the engine stores `outputs` with the mark `unfinished`. `settings`: possibly sent
 * settings.
 */
export async function markUnfinished<T>(
  id: string,
  outputs: PropertyMap,
  settings: readonly SentSetting[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const known = marksByError.get(error as Error);
    if (!(error instanceof Error) || (!(error instanceof OutcomeUnknownError) && known === undefined)) {
      throw error;
    }
    // A refused request has sent nothing further.
    const sent = error instanceof OutcomeUnknownError ? { settings } : Object(outputs.unfinished);
    const unfinished = { ...sent, reason: error.message, ...known };
    throw storedFailure(id, { ...outputs, unfinished } as PropertyMap, error);
  }
}

/** Milliseconds before each lookup of an unknown outcome: about 15 s in all. */
const lookupDelaysMs: readonly number[] = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** Repeats a lookup for about 15 s, until a value is found. */
export async function lookUpUntilFound<T>(look: () => Promise<T | undefined>, { signal }: LifecycleContext) {
  for (const delayMs of lookupDelaysMs) {
    await sleep(delayMs, undefined, { signal });
    const found = await look();
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/**
 * Looks for the result of a request without a response. After an error of this package or a
 * cancellation, returns undefined: the outcome stays unknown.
 */
export async function findBestEffort<T>(look: () => Promise<T | undefined>, context: LifecycleContext) {
  try {
    return await lookUpUntilFound(look, context);
  } catch (error) {
    if (context.signal.aborted || error instanceof BrowserInfraError) {
      return undefined;
    }
    throw error;
  }
}
