import { setTimeout as sleep } from "node:timers/promises";
import { BrowserInfraError, OutcomeUnknownError } from "../../errors.js";
import type { LifecycleContext } from "../lifecycle.js";
import type { PropertyMap } from "../properties.js";
import { MarkedFailure, type SentSetting, storedFailure, withMark } from "./marks.js";

/** Advice after a change without a response: the state has a mark, so the next run sends the change again. */
export const continuesAdvice = "Run the same command again: it continues from there.";

/** Advice after a deletion without a response: a deletion stores no mark, so only a refresh finds out. */
export const refreshAdvice = 'Run the same command again with "--refresh" to find out.';

/**
 * Builds the error for a write whose outcome is unknown, with `advice` at the end. `interrupted`: text in
 * place of the error's own message if Ctrl-C or a time limit has ended the run.
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
 * Runs `work`, a write to the object `id`. If no response comes, or the service refuses a change in place,
 * the error thrown makes the engine store `outputs` with the mark `unfinished`. `settings`: all that `work`
 * may send.
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
    const { failure, mark = undefined } = error instanceof MarkedFailure ? error : { failure: error };
    const isUnknown = failure instanceof OutcomeUnknownError;
    if (!(failure instanceof Error) || (!isUnknown && mark === undefined)) {
      throw error;
    }
    // A refused request has changed nothing.
    const more = { ...(isUnknown ? { settings } : {}), ...mark, reason: failure.message };
    throw storedFailure(id, withMark(outputs, more), failure);
  }
}

/** Milliseconds before each lookup for the result of a request without a response; about 15 s in all. */
const lookupDelaysMs: readonly number[] = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** Repeats `look` for about 15 s, until a value is found. Undefined if no lookup finds a value. */
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
 * Looks for the result of a request without a response, for about 15 s. Returns undefined if nothing is
 * found, if the lookup fails, or if the run is canceled: the outcome then stays unknown.
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
