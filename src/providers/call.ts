import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Accounts } from "../client/accounts.js";
import type { BrowserInfraClient } from "../client/index.js";
import { isNotFound } from "../client/refusals.js";
import { resolveSettings, type Settings } from "../config.js";
import { ApiError, LocalError, type OutcomeUnknownError } from "../errors.js";
import { Journal } from "./journal/journal.js";
import type { LifecycleContext, Report } from "./lifecycle.js";

/** For the bridges, which make one for all life cycles of a process. */
export { Accounts };

/** What a configuration comes to. */
interface ResolvedConfiguration {
  readonly settings: Settings;
  /** Tells the notes of one account from those of another: a digest of its address and API key. */
  readonly account: string;
}

/**
 * By the configuration that each was read from: a plugin is configured once for hundreds of calls.
 * The environment, which settings also come from, is the process's own and stays the same.
 */
const resolvedConfigurations = new WeakMap<LifecycleContext["configuration"], ResolvedConfiguration>();

/** One call that the engine makes of a life cycle: its context, and what its settings lead to. */
export class Call {
  readonly context: LifecycleContext;
  readonly #accounts: Accounts;
  #journal: Journal | undefined;

  /** `accounts`: those of the process, so that all resources share connections and retry budget. */
  constructor(context: LifecycleContext, accounts: Accounts) {
    this.context = context;
    this.#accounts = accounts;
  }

  /** The stack configuration, then the environment. Throws `ConfigError`. */
  get settings(): Settings {
    return this.#resolved.settings;
  }

  get #resolved(): ResolvedConfiguration {
    const { configuration } = this.context;
    let resolved = resolvedConfigurations.get(configuration);
    if (resolved === undefined) {
      const settings = resolveSettings(this.context);
      const digest = createHash("sha256").update(`${settings.baseUrl}\0${settings.apiKey}`).digest("hex");
      // The only part of the key that is ever written.
      resolved = { settings, account: digest.slice(0, 16) };
      resolvedConfigurations.set(configuration, resolved);
    }
    return resolved;
  }

  /** What this resource leaves on disk. Throws `ConfigError`. */
  get journal(): Journal {
    this.#journal ??= this.#openJournal();
    return this.#journal;
  }

  #openJournal(): Journal {
    const { urn, programFolder, environment, deployment } = this.context;
    const { settings, account } = this.#resolved;
    return new Journal({ urn, programFolder, environment, deployment, baseUrl: settings.baseUrl, account });
  }

  /** The same call for another resource of the program. */
  about(urn: string | undefined): Call {
    return new Call({ ...this.context, urn }, this.#accounts);
  }

  /** The same call, which another signal ends. */
  until(signal: AbortSignal): Call {
    return new Call({ ...this.context, signal }, this.#accounts);
  }

  /** The client of the account, the same one in every call. Throws `ConfigError`. */
  get account(): BrowserInfraClient {
    return this.#accounts.clientFor(this.settings);
  }

  /** A client for a project; undefined means the project of the API key. Throws `ConfigError`. */
  clientFor(projectId: string | undefined): BrowserInfraClient {
    return this.account.inProject(projectId);
  }
}

/**
 * Writes the note of a resource that leaves the program. Where it cannot be written, the resource
 * must still be able to leave: only a program that declares it again after a kill would miss it.
 */
export function noteIfPossible(report: Report, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof LocalError)) {
      throw error;
    }
    report.warning(`${error.message} The resource is deleted all the same.`);
  }
}

/** What a request returns, or undefined when the service says that the object does not exist. */
export async function ignoreNotFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
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

/** Advice for a change: the next run sends it again, unless it has happened. */
export const continuesAdvice = "Run the same command again: it continues from there.";

/** Milliseconds to wait before each look at what an unknown write became: about 15 s in all. */
const lookDelaysMs: readonly number[] = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** Looks until there is an answer, about 15 s long; undefined when there is none. */
export async function lookUntilKnown<T>(look: () => Promise<T | undefined>, { signal }: LifecycleContext) {
  for (const delayMs of lookDelaysMs) {
    await sleep(delayMs, undefined, { signal });
    const found = await look();
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
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
 * what to do when it is still there, or when nobody can tell.
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
    why = `Looking for it failed as well: ${lookError instanceof Error ? lookError.message : lookError} `;
  }
  const interrupted = `The deletion of ${noun} ${id} was interrupted, and the ${noun.split(" ").at(-1)} may be gone.`;
  const advice = "Run the same command again to find out.";
  throw stillUnknown(outcome, context, interrupted, `${context.signal.aborted ? "" : why}${advice}`);
}

/**
 * A resource claims something that only one resource may have, in place of what it claimed before.
 * Returns the URN of another one that claims it too, if any.
 */
export function claim<Urn extends string | undefined>(
  claims: Map<Urn, string>,
  what: string,
  urn: Urn,
): Urn | undefined {
  claims.set(urn, what);
  return [...claims].find(([other, theirs]) => other !== urn && theirs === what)?.[0];
}

/**
 * Runs one piece of work at a time for each key, and work on different keys side by side. The
 * engine handles many resources at once, and two of them may be about one folder or one API key.
 */
export class KeyedMutex {
  /** The work that came last, by key. A key without work is forgotten. */
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` once everything that was asked for earlier under `key` has ended, whether it
   * succeeded or failed. Returns and throws what `work` does.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) {
        this.#last.delete(key);
      }
    }
  }
}

/** Origins of a key that a state file can hold. All others are read when Pulumi runs. */
const storedOrigin = /^(?:stack configuration browser-infra:apiKey|argument apiKey of Provider .+)$/;

const storedKeyAdvice =
  'Without "--run-program", "refresh", "destroy" and "up --refresh" use the API key of the last "pulumi up", ' +
  'which the state keeps. If the key has changed since, add "--run-program", or run "pulumi up" once without "--refresh".';

/**
 * Explains a refused API key (401) in a call that comes before any check of the program's resources
 * or without one: there, Pulumi configures a provider as the state says, and not as the stack does.
 * Returns any other error as it is.
 */
export function explainStoredKey(error: unknown, context: LifecycleContext): unknown {
  return error instanceof ApiError &&
    error.status === 401 &&
    storedOrigin.test(resolveSettings(context).origins.apiKey)
    ? error.withAdvice(storedKeyAdvice)
    : error;
}
