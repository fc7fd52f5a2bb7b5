import type { BrowserInfraClient } from "../client/index.js";
import { isMissingOperation, isNotFound } from "../client/refusals.js";
import {
  ApiError,
  BrowserInfraError,
  CanceledError,
  ConnectionError,
  ContractError,
  InputError,
} from "../errors.js";
import type { Call } from "./call.js";
import type { CheckFailure } from "./lifecycle.js";

/** How long a preview waits for each answer, retries included. Milliseconds. */
const answerMsMax = 5_000;

/** What a look at the service found wrong with the settings. */
interface SettingsProblem {
  readonly reason: string;
  /** The project is at fault, and not the key or the address. */
  readonly isOfProject: boolean;
}

/** Codes with which the service refuses a project. */
const projectCodes: readonly string[] = ["project_not_found", "projects_disabled"];

/**
 * What a preview asks the service about one account, so that it refuses what the deployment would
 * refuse. Nothing here decides anything in an update: there, the requests themselves do.
 */
class AccountReads {
  /** What is wrong with each project, by its id; undefined is the key's own project. */
  readonly #problems = new Map<string | undefined, Promise<SettingsProblem | undefined>>();
  /** The service did not answer, so it is not asked again. */
  #isSilent = false;

  /** Asks once for each project of a run. Without a project, any earlier answer will do. */
  async problemOf(projectId: string | undefined, call: Call): Promise<SettingsProblem | undefined> {
    if (projectId === undefined) {
      for (const known of this.#problems.values()) {
        const problem = await known;
        if (problem?.isOfProject !== true) {
          return problem;
        }
      }
    }
    let problem = this.#problems.get(projectId);
    if (problem === undefined) {
      problem = this.read(call, (limited) => findProblem(projectId, limited));
      this.#problems.set(projectId, problem);
    }
    return problem;
  }

  /**
   * What `work` reads, within a few seconds. Undefined when the service gives no answer to it.
   * Throws `InputError`.
   */
  async read<T>(call: Call, work: (limited: Call) => Promise<T>): Promise<T | undefined> {
    const { context } = call;
    if (this.#isSilent) {
      return undefined;
    }
    const limit = AbortSignal.timeout(answerMsMax);
    try {
      return await work(call.until(AbortSignal.any([context.signal, limit])));
    } catch (error) {
      // What the client refuses to send, it refuses in a deployment as well.
      if (!(error instanceof BrowserInfraError) || error instanceof InputError || context.signal.aborted) {
        throw error;
      }
      const isLate = error instanceof CanceledError && limit.aborted;
      // Several resources may have asked at once.
      if ((isLate || isOutage(error)) && !this.#isSilent) {
        this.#isSilent = true;
        const why = isLate ? `It did not answer within ${answerMsMax / 1_000} s.` : error.message;
        context.report.warning(
          `The service is unreachable, so this preview could not check what the deployment would refuse. ${why}`,
        );
      }
      // Any other refusal is of this question alone.
      return undefined;
    }
  }
}

/** By the client of the account. A process has one for each, and lives for one run. */
const reads = new WeakMap<BrowserInfraClient, AccountReads>();

function readsOf(call: Call): AccountReads {
  const { account } = call;
  const known = reads.get(account) ?? new AccountReads();
  reads.set(account, known);
  return known;
}

/**
 * For a preview: what is wrong with the settings as the service sees them, once for each account
 * and project of a run. `property`: the input that names the project, if the program gives one.
 * When the service cannot be reached, nothing is wrong, and a warning says so once.
 */
export async function settingsFailures(
  projectId: string | undefined,
  call: Call,
  property = "",
): Promise<CheckFailure[]> {
  const problem = await readsOf(call).problemOf(projectId, call);
  if (problem === undefined) {
    return [];
  }
  const { reason, isOfProject } = problem;
  const { settings } = call;
  return isOfProject && property === "" && projectId === settings.projectId
    ? [{ property, reason: `${reason} The project id is from: ${settings.origins.projectId}.` }]
    : [{ property: isOfProject ? property : "", reason }];
}

/**
 * For a preview: what `work` reads from the service, within a few seconds. Undefined when the
 * service does not have the operation, refuses it or does not answer: that decides nothing. Throws
 * the `InputError` of a request that the client does not send.
 */
export function readInPreview<T>(call: Call, work: (limited: Call) => Promise<T>): Promise<T | undefined> {
  return readsOf(call).read(call, work);
}

/** Whether the service is down, at least for a moment. */
function isOutage(error: BrowserInfraError): boolean {
  return (
    error instanceof ConnectionError ||
    (error instanceof ApiError &&
      ((error.status >= 500 && error.status !== 501) || [408, 425, 429].includes(error.status)))
  );
}

async function findProblem(projectId: string | undefined, call: Call): Promise<SettingsProblem | undefined> {
  const first = await errorOf(call.clientFor(projectId).authContext(call.options));
  if (!(first instanceof ContractError || isMissingOperation(first) || isNotFound(first))) {
    return first && problemIn(first, projectId);
  }
  // The interface specifies five operations, and this is none of them. Listing projects is one.
  const second = await errorOf(call.clientFor(undefined).projects.list({ limit: 1, ...call.options }));
  if (second instanceof ApiError && second.status === 401) {
    return problemIn(second, projectId);
  }
  return second instanceof ContractError || isMissingOperation(second)
    ? wrongAddress(second, call)
    : undefined;
}

/** The error that a request ends in; undefined when it succeeds. An outage is thrown. */
async function errorOf(request: Promise<unknown>): Promise<BrowserInfraError | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (!(error instanceof BrowserInfraError) || error instanceof CanceledError || isOutage(error)) {
      throw error;
    }
    return error;
  }
}

function problemIn(error: BrowserInfraError, projectId: string | undefined): SettingsProblem | undefined {
  if (!(error instanceof ApiError)) {
    return undefined;
  }
  const { status, code, message: reason } = error;
  if (projectCodes.includes(code)) {
    return { reason, isOfProject: true };
  }
  // With a project, it may be the project that this key may not use.
  return status === 401 || status === 403 || status < 400
    ? { reason, isOfProject: status === 403 && projectId !== undefined }
    : undefined;
}

function wrongAddress(error: BrowserInfraError, { settings }: Call): SettingsProblem {
  const { baseUrl, origins } = settings;
  const what = error instanceof ApiError ? `it answered ${error.status}` : "its answer is not the service's";
  return {
    reason:
      `The base URL ${baseUrl} (${origins.baseUrl}) does not lead to the service: asked for its projects, ${what}. ` +
      "Set it to the service's own URL.",
    isOfProject: false,
  };
}
