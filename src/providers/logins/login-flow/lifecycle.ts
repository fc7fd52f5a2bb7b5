import { isDeepStrictEqual } from "node:util";
import type { AuthConnection, BrowserInfraClient } from "../../../client/index.js";
import { commandForLogin } from "../../../client/logins/following/reporter.js";
import { ignoreNotFound, isMissingOperation } from "../../../client/not-found.js";
import { nearDomainAdvice } from "../../../client/operations/near-names.js";
import { defaultProjectId } from "../../../config.js";
import { LoginError, LookupError } from "../../../errors.js";
import { durationMs } from "../../../text/duration.js";
import { Accounts, Call } from "../../call.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  type Created,
  checkResult,
  type DiffRequest,
  type DiffResult,
  failureOf,
  failuresFrom,
  type Kind,
  type LifecycleContext,
  type PreviewRequest,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
} from "../../lifecycle.js";
import { inputFailures } from "../../messages/input-failures.js";
import { type PropertyMap, requireKnown, unknownValue } from "../../properties.js";
import { namedConnectionsOf } from "../../reads/lists.js";
import { mayBeInArchived, readInParent, writeInParent } from "../../reads/parents.js";
import { readInPreview, settingsFailures } from "../../reads/preview.js";
import { walkOf } from "../../reads/walks.js";
import {
  type LoginFlowInputs,
  type LoginFlowState,
  loginFlowFailures,
  loginFlowInputs,
  loginFlowState,
  outcomeOf,
  timeoutDefault,
} from "./properties.js";
import { LoginWatch } from "./watch.js";

/** Inputs whose change starts a new wait. */
const waitInputs = ["connectionId", "triggers"] as const;

/** Life cycle of a login that a deployment waits for. The provider only watches the login. */
export class LoginFlowLifecycle implements ResourceLifecycle {
  readonly importIds: readonly string[] = [];
  readonly #accounts: Accounts;

  constructor(accounts = new Accounts()) {
    this.#accounts = accounts;
  }

  async check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    const { news } = request;
    const call = new Call(context, this.#accounts);
    const failures = failuresFrom(() =>
      inputFailures(request, loginFlowInputs, call.settings.apiKey, loginFlowFailures),
    );
    return checkResult(request, { inputs: news, failures }, (previewed) => this.preview(previewed, context));
  }

  async preview({ olds, inputs }: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    const failures = await previewFailures(olds, inputs, new Call(context, this.#accounts));
    if (olds === undefined && failures.length === 0) {
      context.report.info(waitMessage(loginFlowInputs.read(inputs), context));
    }
    return failures;
  }

  diff({ olds, news }: DiffRequest): DiffResult {
    const state = loginFlowState.read(olds);
    const inputs = loginFlowInputs.readDeclared(news);
    if (waitInputs.some((input) => inputs[input] === unknownValue)) {
      return {};
    }
    const replaces = waitInputs.filter((input) => !isDeepStrictEqual(state[input], inputs[input]));
    const isSame = (["projectId", "timeout", "onFailure"] as const).every(
      (input) => state[input] === inputs[input],
    );
    return replaces.length > 0 ? { replaces } : isSame ? { changes: false } : {};
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    const inputs = loginFlowInputs.read(declared);
    const call = new Call(context, this.#accounts);
    const projectId = inputs.projectId ?? defaultProjectId(call.settings);
    return writeInParent(projectId, call, () => this.#wait(inputs, call.clientFor(projectId), context));
  }

  async #wait(inputs: LoginFlowInputs, client: BrowserInfraClient, context: LifecycleContext) {
    const connectionId = requireKnown(inputs.connectionId, "connectionId", "LoginFlow");
    const timeoutMs = durationMs(inputs.timeout ?? context.timeLimit ?? timeoutDefault) ?? 0;
    const watch = new LoginWatch(context.report, connectionId, inputs.projectId, timeoutMs);
    const ended = (state: LoginFlowState) => ({
      id: connectionId,
      outputs: loginFlowState.write({ ...inputs, ...state }),
    });
    try {
      const state = await client.authConnections.waitForAuthentication(connectionId, {
        timeoutMs,
        signal: context.signal,
        onConnection: (connection) => watch.reporter.reportConnection(connection),
        onEvent: (event) => watch.reporter.reportEvent(event),
      });
      return ended(outcomeOf(state));
    } catch (error) {
      const { state } = watch.reporter;
      if (inputs.onFailure === "continue" && isUnsuccessfulEnd(error) && state !== undefined) {
        context.report.warning(`${error.message} The deployment continues because of "onFailure".`);
        return ended({
          ...outcomeOf(state),
          errorCode: error.serviceCode ?? undefined,
          errorMessage: error.serviceMessage ?? undefined,
        });
      }
      throw error;
    } finally {
      watch.stop();
    }
  }

  /** Never waits. The state describes the end of a login, so later changes are no drift. */
  async read({ id, state }: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const known = loginFlowState.read(state);
    const call = new Call(context, this.#accounts);
    const projectId = known.projectId ?? defaultProjectId(call.settings);
    const { authConnections } = call.clientFor(projectId);
    const walk = walkOf(namedConnectionsOf, projectId, call);
    const find = async () =>
      (await walk.has(id, call)) || (await exists(authConnections.get(id, call.options))) || undefined;
    const isManaged = known.connectionId !== undefined;
    const { live, isArchived } = isManaged
      ? await readInParent(projectId, call, find)
      : { live: await find(), isArchived: false };
    if (live === undefined && !isArchived) {
      if (!isManaged) {
        // This is a lookup: without an error, the engine would continue without outputs.
        throw new LookupError(
          "auth_connection_not_found",
          `There is no auth connection "${id}" to look up. Check the id and the project.`,
        );
      }
      context.report.warning(`Auth connection "${id}" is gone: the service does not have it any more.`);
      return undefined;
    }
    const all = { ...known, connectionId: known.connectionId ?? id };
    return { id, outputs: loginFlowState.write(all), inputs: loginFlowInputs.write(all) };
  }

  /** Called if only `projectId`, `timeout` or `onFailure` has changed. Sends no request. */
  update({ olds, news }: DiffRequest): Promise<PropertyMap> {
    const {
      projectId: _project,
      timeout: _timeout,
      onFailure: _failure,
      ...kept
    } = loginFlowState.read(olds);
    return Promise.resolve(loginFlowState.write({ ...kept, ...loginFlowInputs.read(news) }));
  }

  /** Does nothing: connection and login do not belong to this resource. */
  delete(): Promise<void> {
    return Promise.resolve();
  }
}

/** Message of a preview about a login that the deployment will wait for. */
function waitMessage(
  { connectionId, projectId, timeout }: LoginFlowInputs,
  { timeLimit }: LifecycleContext,
): string {
  const connection = connectionId === undefined ? "the auth connection" : `auth connection "${connectionId}"`;
  return (
    `The deployment will wait here, ${timeout ?? timeLimit ?? timeoutDefault} at most, until the login of ${connection} has succeeded. ` +
    "If the profile is already logged in, the deployment does not wait. For the login address, run in a second terminal: " +
    commandForLogin("follow", connectionId ?? "<connection-id>", projectId)
  );
}

/** For a preview: failures that the deployment of a LoginFlow would report. */
async function previewFailures(
  olds: PropertyMap | undefined,
  news: PropertyMap,
  call: Call,
): Promise<CheckFailure[]> {
  const isKnown = news.projectId !== unknownValue;
  let { projectId } = loginFlowInputs.read(news);
  try {
    projectId ??= isKnown ? defaultProjectId(call.settings) : undefined;
  } catch (error) {
    return [failureOf(error)];
  }
  const failures = await settingsFailures(projectId, call, news.projectId === undefined ? "" : "projectId");
  const { connectionId } = loginFlowInputs.read(news);
  const waits = waitInputs.some((input) => !isDeepStrictEqual(olds?.[input], news[input]));
  const wasIn = olds === undefined ? undefined : loginFlowInputs.read(olds).projectId;
  if (
    failures.length > 0 &&
    (await mayBeInArchived(projectId, olds !== undefined && wasIn === news.projectId, call))
  ) {
    return [];
  }
  if (failures.length > 0 || connectionId === undefined || !isKnown || !waits) {
    return failures;
  }
  const found = await readInPreview(call, async (limited) => {
    const { authConnections } = limited.clientFor(projectId);
    const connection = await ignoreNotFound(authConnections.get(connectionId, limited.options));
    const near = connection ? "" : await nearDomainAdvice(connectionId, authConnections, limited.options);
    return { exists: connection !== undefined, near };
  });
  if (found?.exists !== false) {
    return [];
  }
  const where = projectId === undefined ? "" : ` in project ${projectId}`;
  const reason = `There is no auth connection "${connectionId}"${where}, so the deployment cannot wait for a login. ${found.near || "Check the id and the project."}`;
  return [{ property: "connectionId", reason }];
}

/** Whether an auth connection exists. True if the service lacks the read operation. */
async function exists(request: Promise<AuthConnection>): Promise<boolean> {
  try {
    return (await ignoreNotFound(request)) !== undefined;
  } catch (error) {
    if (isMissingOperation(error)) {
      return true;
    }
    throw error;
  }
}

/** Whether an error is the unsuccessful end of the login itself. */
function isUnsuccessfulEnd(error: unknown): error is LoginError {
  return (
    error instanceof LoginError && ["login_failed", "login_expired", "login_canceled"].includes(error.code)
  );
}

export const loginFlowKind: Kind = {
  inputs: loginFlowInputs,
  state: loginFlowState,
  lifecycle: (accounts) => new LoginFlowLifecycle(accounts),
  enforcesCreateLimit: true,
};
