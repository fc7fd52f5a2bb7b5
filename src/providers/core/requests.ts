import { setTimeout as sleep } from "node:timers/promises";
import { BrowserInfraError, LocalError, OutcomeUnknownError } from "../../errors.js";
import { messageOf } from "../../text/words.js";
import type { Call } from "../call.js";
import type { LifecycleContext, Report } from "../lifecycle.js";
import type { Entries } from "./entries.js";
import type { Entry, NotedEntry } from "./entry.js";

/** Advice for a change: the next run sends it again, unless it has happened. */
export const continuesAdvice = "Run the same command again: it continues from there.";

/** A request that changes something, and what is noted of it. */
export interface NotedRequest<T> {
  /** What is noted before it is sent. */
  readonly intent: Omit<Entry, "sentAt">;
  /** Sends it, once. */
  readonly send: () => Promise<T>;
  /** What is noted when the service has answered. */
  readonly answered: (result: T) => Partial<Entry>;
  /** Finds out what became of a request without an answer. What it throws leaves the entry open. */
  readonly resolve: (outcome: OutcomeUnknownError, entry: NotedEntry | undefined) => Promise<T>;
  /** The resource leaves the program, and must be able to leave without an entry. */
  readonly isLeaving?: boolean;
}

/**
 * Sends a request that changes something. An entry is on disk before it, or nothing is sent. A
 * refusal restores the earlier entry. Without an answer, the entry stays as it is.
 */
export async function sendNoted<T>(
  entries: Entries,
  { intent, send, answered, resolve, isLeaving = false }: NotedRequest<T>,
  report: Report,
): Promise<T> {
  const earlier = intent.op === "create" || intent.id === undefined ? undefined : entries.about(intent.id);
  let entry: NotedEntry | undefined;
  const note = () => {
    entry = entries.intend(intent);
  };
  if (isLeaving) {
    noteIfPossible(report, note);
  } else {
    note();
  }
  let result: T;
  try {
    result = await send();
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) {
      if (entry !== undefined) {
        entries.restore(entry, earlier);
      }
      throw error;
    }
    result = await resolve(error, entry);
  }
  if (entry !== undefined) {
    entries.update(entry, answered(result));
  }
  return result;
}

/**
 * Writes the entry of a resource that leaves the program. Where it cannot be written, the resource
 * must still be able to leave: only a program that declares it again after a kill would miss it.
 */
export function noteIfPossible(
  report: Report,
  write: () => void,
  outcome = "The resource is deleted all the same.",
): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof LocalError)) {
      throw error;
    }
    report.warning(`${error.message} ${outcome}`);
  }
}

/**
 * What to throw for a write whose outcome stays unknown: with `advice` after it, which says what to
 * do. After Ctrl-C or a time limit, `interrupted` says what may have happened, and nothing else.
 */
export function stillUnknown(
  outcome: OutcomeUnknownError,
  { signal }: LifecycleContext,
  interrupted: string,
  advice: string,
): OutcomeUnknownError {
  return signal.aborted ? outcome.withMessage(`${interrupted} ${advice}`) : outcome.withAdvice(advice);
}

/** Milliseconds to wait before each look at what an unknown write became: about 15 s in all. */
const lookDelaysMs: readonly number[] = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** Looks until there is an answer, about 15 s long; undefined when there is none. */
async function lookUntilKnown<T>(look: () => Promise<T | undefined>, { signal }: LifecycleContext) {
  for (const delayMs of lookDelaysMs) {
    await sleep(delayMs, undefined, { signal });
    const found = await look();
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/**
 * The same for an object that a creation without an answer may have made. A look that fails says
 * nothing about the object; neither does one that was canceled.
 */
export async function findUnlessItFails<T>(look: () => Promise<T | undefined>, context: LifecycleContext) {
  try {
    return await lookUntilKnown(look, context);
  } catch (error) {
    if (context.signal.aborted || error instanceof BrowserInfraError) {
      return undefined;
    }
    throw error;
  }
}

/** Something that was to be deleted. */
interface Deleted {
  /** What it is, such as `browser pool`. */
  readonly noun: string;
  readonly id: string;
  /** Reads it; undefined when it is gone. */
  readonly find: () => Promise<unknown>;
}

/**
 * The deletion of an object got no answer: looks until the object is gone. Throws `outcome` with
 * what to do when it still exists, or when that is unknown.
 */
export async function untilGone(
  outcome: OutcomeUnknownError,
  { noun, id, find }: Deleted,
  { context }: Call,
): Promise<void> {
  context.report.progress("no response to the deletion; checking whether it succeeded");
  let why = "";
  try {
    if ((await lookUntilKnown(async () => (await find()) === undefined || undefined, context)) === true) {
      return;
    }
  } catch (lookError) {
    // A look that fails says nothing about the object.
    why = `Looking for it failed as well: ${messageOf(lookError)} `;
  }
  const interrupted = `The deletion of ${noun} ${id} was interrupted, and the ${noun.split(" ").at(-1)} may be gone.`;
  const advice = "Run the same command again to find out.";
  throw stillUnknown(outcome, context, interrupted, `${context.signal.aborted ? "" : why}${advice}`);
}

/**
 * Reads the journal for a preview or a comparison, where an entry that cannot be read is a warning.
 * Undefined then. The request that follows reads it again, and fails. `isReported`: the warning was
 * given already.
 */
export function ifReadable<T>(call: Call, read: () => T, { isReported = false } = {}): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof LocalError && error.code === "journal_unreadable") {
      if (!isReported) {
        call.context.report.warning(error.message);
      }
      return undefined;
    }
    throw error;
  }
}
