import { isMissingOperation, isNotFound } from "../../client/not-found.js";
import { isProjectRefusal } from "../../client/organization/project-refusal.js";
import {
  ApiError,
  BrowserInfraError,
  CanceledError,
  ConnectionError,
  ContractError,
  InputError,
} from "../../errors.js";
import { type Call, perAccount } from "../call.js";
import type { CheckFailure } from "../lifecycle.js";
import { projectsOf } from "./lists.js";

/** Longest wait of a preview for one response, including retries. Milliseconds. */
const responseMsMax = 5_000;

/** Longest wait of a preview for the pages of a list. Then the object is read alone. Milliseconds. */
const listMsMax = 3_000;

/** Problem of the settings, found by a request to the service. */
interface SettingsProblem {
  readonly reason: string;
  /** Whether the project is at fault, not the key or the address. */
  readonly isProjectAtFault: boolean;
}

/** Reads of a preview for one account. Not used in an update: there, the requests themselves fail. */
class AccountReads {
  /** Problems by project id. Key undefined: the project of the API key. */
  readonly #problems = new Map<string | undefined, Promise<SettingsProblem | undefined>>();
  /** Whether the service did not respond. No further requests are then sent. */
  #isUnresponsive = false;

  /** Sends requests once per project and run. Without a project, reuses a result unless a project is at fault. */
  async problemOf(projectId: string | undefined, call: Call): Promise<SettingsProblem | undefined> {
    if (projectId === undefined) {
      for (const known of this.#problems.values()) {
        const problem = await known;
        if (problem?.isProjectAtFault !== true) {
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

  /** Returns the result of `work`; undefined after 5 s or for a refusal. Throws `InputError`. */
  async read<T>(call: Call, work: (limited: Call) => Promise<T>): Promise<T | undefined> {
    const { context } = call;
    if (this.#isUnresponsive) {
      return undefined;
    }
    const limit = AbortSignal.timeout(responseMsMax);
    const signal = AbortSignal.any([context.signal, limit]);
    try {
      return await work(call.withSignal(signal, AbortSignal.any([signal, AbortSignal.timeout(listMsMax)])));
    } catch (error) {
      // In a deployment, the client refuses the same request.
      if (!(error instanceof BrowserInfraError) || error instanceof InputError || context.signal.aborted) {
        throw error;
      }
      const isLate = error instanceof CanceledError && limit.aborted;
      // Several resources may have sent requests at once.
      if ((isLate || isOutage(error)) && !this.#isUnresponsive) {
        this.#isUnresponsive = true;
        const why = isLate ? `The service did not answer within ${responseMsMax / 1_000} s.` : error.message;
        context.report.warning(
          `The service is unreachable, so this preview could not run the checks of the deployment. ${why}`,
        );
      }
      // All other refusals concern this request alone.
      return undefined;
    }
  }
}

const readsOf = perAccount(() => new AccountReads());

/**
 * For a preview: failures of the settings as reported by the service, read once per account and
 * project of a run. `property`: input with the project id, if declared. If the service is
 * unreachable, there are no failures, and a single warning.
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
  const { reason, isProjectAtFault } = problem;
  const { settings } = call;
  return isProjectAtFault && property === "" && projectId === settings.projectId
    ? [{ property, reason: `${reason} The project id is from: ${settings.origins.projectId}.` }]
    : [{ property: isProjectAtFault ? property : "", reason }];
}

/**
 * For a preview: returns the result of `work`, limited to 5 s. Undefined decides nothing: the
 * service lacks the operation, refuses the request or does not respond. Throws the `InputError` of
 * a request that the client does not send.
 */
export function readInPreview<T>(call: Call, work: (limited: Call) => Promise<T>): Promise<T | undefined> {
  return readsOf(call).read(call, work);
}

/** Whether the service is unavailable, at least for a moment. */
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
    return first && problemIn(await call.account.explainRefusal(first, call.options), projectId);
  }
  // The interface specifies five operations: not `GET /auth/context`, but a list of projects.
  const second = await errorOf(projectsOf(call).list({ limit: 1, ...call.options }));
  if (second instanceof ApiError && second.status === 401) {
    return problemIn(second, projectId);
  }
  return second instanceof ContractError || isMissingOperation(second)
    ? wrongAddress(second, call)
    : undefined;
}

/** Returns the error of a request; undefined for success. Throws in an outage. */
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

function problemIn(error: unknown, projectId: string | undefined): SettingsProblem | undefined {
  if (!(error instanceof ApiError)) {
    return undefined;
  }
  const { status, message: reason } = error;
  if (isProjectRefusal(error)) {
    return { reason, isProjectAtFault: true };
  }
  // With a project, the key may lack access to the project.
  return status === 401 || status === 403 || status < 400
    ? { reason, isProjectAtFault: status === 403 && projectId !== undefined }
    : undefined;
}

function wrongAddress(error: BrowserInfraError, { settings }: Call): SettingsProblem {
  const { baseUrl, origins } = settings;
  const what = error instanceof ApiError ? `status ${error.status}` : "a response that is not the service's";
  return {
    reason:
      `The base URL ${baseUrl} (${origins.baseUrl}) does not lead to the service: the request for its projects got ${what}. ` +
      "Set the base URL to the service's own URL.",
    isProjectAtFault: false,
  };
}
