import { isDeepStrictEqual } from "node:util";
import type { AppArchive } from "../../../archive/index.js";
import type { AppVersion, Deployment } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { BuildError, ConflictError, OutcomeUnknownError } from "../../../errors.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { listed } from "../../../text/words.js";
import { Accounts, Call } from "../../call.js";
import { marksIn } from "../../core/marks.js";
import type { OwnedResource } from "../../core/owned/declaration.js";
import { timePrecisionMs } from "../../core/owned/finder.js";
import { OwnedLifecycle } from "../../core/owned/lifecycle.js";
import { ArchiveCache, archiveToUpload, packingFailure } from "../../inputs/archives.js";
import { digestsOf, namedSecrets, valuesOf } from "../../inputs/named-secrets.js";
import {
  type CheckRequest,
  type CheckResult,
  type Created,
  type DiffRequest,
  type Kind,
  type LifecycleContext,
  PartiallyCreatedError,
  type StoredResource,
} from "../../lifecycle.js";
import { changedFilesText } from "../../messages/changed-files.js";
import { uploadProgress } from "../../messages/shipping.js";
import { type PropertyMap, requireKnown, unknownValue } from "../../properties.js";
import { deploymentsOf } from "../../reads/lists.js";
import { readInPreview } from "../../reads/preview.js";
import { buildFailure, followBuild, unfinishedText } from "./build.js";
import { pack, withContents } from "./contents.js";
import {
  type DeploymentInputs,
  type DeploymentState,
  deploymentFailures,
  deploymentInputs,
  deploymentState,
  type LiveDeployment,
  replacingInputs,
  stateOf,
  variableNames,
  versionDefault,
} from "./properties.js";

type Resource = OwnedResource<DeploymentInputs, DeploymentState, LiveDeployment>;
type Urn = string | undefined;

/** Request for a deployment whose response is missing. */
interface Sent {
  readonly inputs: DeploymentInputs;
  readonly sentAt: number | undefined;
}

interface OldDeployment {
  readonly id: string;
  readonly state: DeploymentState;
}

/** Facts about the deployments of a run. */
class DeploymentRun {
  /** Deployment of a resource in the state, by URN, as met by `diff`. */
  readonly old = new Map<Urn, OldDeployment>();
  readonly sent = new Map<Urn, Sent>();
  /** Inputs of the creation in progress, by URN. */
  readonly creating = new Map<Urn, DeploymentInputs>();
  /** Deployment that serves the app version and may be overwritten, by URN. */
  readonly replaced = new Map<Urn, string | undefined>();
  readonly archives = new ArchiveCache<AppArchive>();
  /** Doubts about candidates, by id. */
  readonly doubts = new Map<string, string>();
}

/** A build of the code of an app, which serves the app until a later deployment takes the place. */
function deploymentOf(run: DeploymentRun): Resource {
  return {
    resource: "AppDeployment",
    noun: "app deployment",
    isInProject: true,
    createsFirst: true,
    notFoundCode: "app_deployment_not_found",
    deleteCommand: "browser-infra apps delete",
    adoptAdvice: (id) =>
      `If the deployment is of this resource, add adopt: "${id}" and "appName" to this resource: the next deployment takes its place.`,
    inputs: deploymentInputs,
    state: deploymentState,
    managedMarker: "checksum",
    naturalName: {
      input: "path",
      nameIn: ({ appName, path, version = versionDefault }) => {
        const [app, label] = [appName ?? path, version];
        return app === unknownValue || label === unknownValue
          ? unknownValue
          : `${String(app)}@${String(label)}`;
      },
    },
    failures: (news, _olds, _apiKey, { context }) => deploymentFailures(news, context),
    complete: (declared, news, olds, { context }) => ({
      ...declared,
      version: declared.version ?? versionDefault,
      secretDigests: digestsOf(namedSecrets(news, ["envVars"]), olds?.secretDigests, context),
    }),
    replacingInputs,
    differingInputs: (state, inputs) => (state.timeout === inputs.timeout ? [] : ["timeout"]),
    onKnown: (id, state, isDeclared, { context: { urn } }) => {
      if (isDeclared) {
        run.old.set(urn, { id, state });
      }
    },
    onChange: ({ files, status, servedBy }, inputs, { context: { report } }) => {
      const changes =
        inputs.files === unknownValue ? undefined : changedFilesText(files ?? {}, inputs.files ?? {});
      if (files !== undefined && changes !== undefined) {
        report.info(changes);
      }
      if (status === "stopped") {
        report.info(`The app deployment is stopped${servedText(servedBy)}, so this deployment replaces it.`);
      }
    },
    list: (projectId, call) => ({
      async *scan(options) {
        const versions = await call.clientFor(projectId).apps.list(options);
        for await (const { rows, isComplete } of deploymentsOf(projectId, call).scan(options)) {
          yield { rows: rows.map((row) => liveOf(row, versions)), isComplete };
        }
      },
    }),
    find,
    holderOf: async (name, projectId, call) => {
      const { urn } = call.context;
      const inputs = run.creating.get(urn);
      const result = await resultOf(run, name, projectId, call);
      if (inputs !== undefined && result === undefined) {
        // Before the request, so that the response tells the time of the service.
        run.replaced.set(urn, await servingToReplace(inputs, run.old.get(urn), call));
      }
      return result;
    },
    previewFailures: async (declared, olds, call) => {
      const old = run.old.get(call.context.urn);
      if (olds === undefined && old === undefined && !Object.values(declared).includes(unknownValue)) {
        const look = (limited: Call) => servingToReplace(declared as DeploymentInputs, old, limited);
        await readInPreview(call, (limited) => look(limited).catch((error: unknown) => warnOf(error, call)));
      }
      return [];
    },
    create: (inputs, name, call) => create(run, inputs, name, call),
    change: (live, inputs, _known, call) =>
      live.status === "running" ? undefined : () => finish(live, inputs, call),
    doubt: ({ id }, sent) => {
      const isNamed = sent.appName !== undefined;
      return (
        run.doubts.get(id) ?? (isNamed ? undefined : 'the program has no "appName" that could prove the app')
      );
    },
    remove: (id, { projectId }, call) => deploymentsOf(projectId, call).delete(id, call.options),
    stateOf,
    withDefaults: (state) => ({ ...state, version: state.version ?? versionDefault }),
    drift: (id, known, live) => {
      const other =
        live.servedBy === undefined
          ? ""
          : ` ${known.appName}@${known.version} is now served by deployment ${live.servedBy}.`;
      const reason = live.statusReason === undefined ? "" : ` (${live.statusReason})`;
      const isStopped = known.status !== live.status && live.status !== "running";
      const differing = (["checksum", "entrypoint", "envVarNames"] as const).filter(
        (each) => String(known[each]) !== String(live[each]),
      );
      return [
        ...(isStopped
          ? [`App deployment ${id} is ${live.status}${reason}.${other} The next "pulumi up" replaces it.`]
          : []),
        ...(differing.length > 0
          ? [`App deployment ${id} differs from this program: its ${listed(differing)}.`]
          : []),
      ];
    },
    readWarning: ({ id, envVarNames }, isImport) =>
      isImport && envVarNames.length > 0
        ? `The service does not show the values of the variables of app deployment ${id}. Declare ${listed(envVarNames)}: the first "pulumi up" takes the values as deployed.`
        : undefined,
  };
}

/** Warns of a conflict: a forced replacement of this resource may be about to delete the deployment. */
function warnOf(error: unknown, { context }: Call): undefined {
  if (!(error instanceof ConflictError)) {
    throw error;
  }
  context.report.warning(error.message);
}

function servedText(servedBy: string | undefined): string {
  return servedBy === undefined ? "" : `, and deployment ${servedBy} serves the app`;
}

async function find(
  id: string,
  projectId: string | undefined,
  call: Call,
): Promise<LiveDeployment | undefined> {
  const live = await ignoreNotFound(deploymentsOf(projectId, call).get(id, call.options));
  return live && withVersions(live, projectId, call);
}

/** Adds the app versions, which a deployment itself does not have. */
async function withVersions(live: Deployment, projectId: string | undefined, call: Call) {
  return liveOf(live, isOrWasServed(live) ? await call.clientFor(projectId).apps.list(call.options) : []);
}

function liveOf(deployment: Deployment, versions: readonly AppVersion[]): LiveDeployment {
  return { ...deployment, name: null, versions: isOrWasServed(deployment) ? versions : [] };
}

function isOrWasServed({ status }: Deployment): boolean {
  return status === "running" || status === "stopped";
}

/**
 * Finds what a request without a response may have made: a deployment with the bytes, the entrypoint and the
 * names of variables, created since the request. Waits for its build, which tells the app. Otherwise an older
 * deployment of others that serves the version, with the doubt. Without such a request: nothing, because no
 * deployment has a name.
 */
async function resultOf(run: DeploymentRun, name: string, projectId: string | undefined, call: Call) {
  const { urn } = call.context;
  const { inputs, sentAt = 0 } = run.sent.get(urn) ?? {};
  if (inputs === undefined) {
    return undefined;
  }
  const { id: oldId, state } = run.old.get(urn) ?? {};
  const own = [oldId, ...(state?.formerIds ?? [])];
  const rows = (await deploymentsOf(projectId, call).list(call.options)).filter(
    ({ id, checksum, entrypoint, envVarNames }) =>
      !own.includes(id) &&
      checksum === inputs.checksum &&
      entrypoint === inputs.entrypoint &&
      isDeepStrictEqual(envVarNames, variableNames(inputs)),
  );
  const isNew = ({ createdAt }: Deployment) =>
    (dateTimeMs(createdAt ?? "") ?? Number.POSITIVE_INFINITY) >= sentAt - timePrecisionMs;
  const found = rows.filter(isNew);
  const first = found[0] ?? rows.find(({ status }) => status === "running");
  if (first === undefined) {
    return undefined;
  }
  const { ended } = await followBuild(first, inputs, call);
  const live = await withVersions(ended, projectId, call);
  const apps = ownVersions(live);
  if (found.length === 0 && apps.every(({ version }) => version !== inputs.version)) {
    return undefined;
  }
  const names = apps.map(({ appName }) => appName);
  if (found.length > 1) {
    run.doubts.set(live.id, `${found.length} deployments have the same code, such as ${found[1]?.id}`);
  } else if (inputs.appName !== undefined && !names.includes(inputs.appName)) {
    run.doubts.set(live.id, `its apps are ${listed(names) || "unknown"}, and not ${inputs.appName}`);
  }
  return { ...live, name };
}

/** App versions that a deployment itself serves. */
function ownVersions({ id, versions }: LiveDeployment): readonly AppVersion[] {
  return versions.filter(({ deploymentId }) => deploymentId === id);
}

/** Deploys, and waits for the build. `force` is sent only over what this resource has made, or may take over. */
async function create(run: DeploymentRun, inputs: DeploymentInputs, name: string, call: Call) {
  const { projectId, version = versionDefault } = inputs;
  const { urn, signal, report } = call.context;
  const deployments = deploymentsOf(projectId, call);
  // A list of this run may have answered in place of `holderOf`.
  const replaced = run.replaced.has(urn)
    ? run.replaced.get(urn)
    : await servingToReplace(inputs, run.old.get(urn), call);
  run.replaced.delete(urn);
  const { bytes: archive } = await archiveToUpload(inputs, "AppDeployment", run.archives, () =>
    pack(inputs, call),
  );
  run.sent.set(urn, { inputs, sentAt: call.account.serviceTime() });
  let made: Deployment;
  try {
    made = await deployments.create(
      {
        archive,
        entrypoint: requireKnown(inputs.entrypoint, "entrypoint", "AppDeployment"),
        version,
        force: replaced !== undefined,
        envVars: valuesOf(inputs, "envVars", call.context),
      },
      { signal, onProgress: uploadProgress(call.context) },
    );
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) {
      run.sent.delete(urn);
    }
    throw error;
  }
  run.sent.delete(urn);
  const live = await finish({ ...made, name, versions: [] }, inputs, call);
  if (replaced !== undefined && replaced === inputs.adopt) {
    await ignoreNotFound(deployments.delete(replaced, call.options));
    report.info(`The app deployment ${replaced} was taken over, and is deleted.`);
  }
  return live;
}

/**
 * Returns the deployment that serves the app version now and may be overwritten; undefined if nothing serves it,
 * or if the app is not known before the build: the service then refuses a second one. Throws `ConflictError`.
 */
async function servingToReplace(
  inputs: DeploymentInputs,
  old: OldDeployment | undefined,
  call: Call,
): Promise<string | undefined> {
  const { projectId, version = versionDefault, adopt } = inputs;
  const appName = inputs.appName ?? old?.state.appName;
  if (appName === undefined) {
    return undefined;
  }
  const serving = await call.clientFor(projectId).apps.find(appName, version, call.options);
  const { deploymentId } = serving ?? {};
  const own = [old?.id, ...(old?.state.formerIds ?? []), adopt];
  if (deploymentId === undefined || own.includes(deploymentId)) {
    return deploymentId;
  }
  throw new ConflictError(
    "name_taken",
    `${appName}@${version} already exists: deployment ${deploymentId} serves it, and nothing proves that it is of this resource. Nothing was deployed. ` +
      `To take its place, add adopt: "${deploymentId}" and appName: "${appName}" to this resource. Otherwise choose another "version". ` +
      "If only the resource's logical name has changed, give it an alias instead.",
  );
}

/** Waits for a build, and returns the running deployment. All other ends are partial creations. */
async function finish(
  deployment: LiveDeployment,
  inputs: DeploymentInputs,
  call: Call,
): Promise<LiveDeployment> {
  const { projectId, appName } = inputs;
  const { name } = deployment;
  const partial = (live: LiveDeployment, reason: string) => {
    const outputs = deploymentState.write({
      ...stateOf(live, inputs),
      unfinished: { reason },
    } as DeploymentState);
    return new PartiallyCreatedError(live.id, outputs, [reason]);
  };
  let live = deployment;
  try {
    const { ended, tail } = await followBuild(deployment, inputs, call);
    live = { ...(await withVersions(ended, projectId, call)), name };
    if (ended.status !== "running") {
      throw buildFailure(ended, tail);
    }
  } catch (error) {
    const isEnd = error instanceof BuildError && error.code === "build_failed";
    throw partial(live, isEnd ? error.message : unfinishedText(live.id, error));
  }
  const own = ownVersions(live).map((each) => each.appName);
  if (appName !== undefined && !own.includes(appName)) {
    await ignoreNotFound(deploymentsOf(projectId, call).delete(live.id, call.options));
    throw new BuildError(
      "app_name_differs",
      `The code declares ${listed(own) || "no app"}, but "appName" is ${appName}. The deployment ${live.id} was deleted again. Correct "appName" or the code.`,
    );
  }
  return live;
}

/** Life cycle of an AppDeployment: the core's, with the folder packed in front of every check. */
class AppDeploymentLifecycle extends OwnedLifecycle {
  readonly #run: DeploymentRun;
  readonly #shared: Accounts;

  constructor(accounts = new Accounts(), run = new DeploymentRun()) {
    super(deploymentOf(run) as never, accounts);
    this.#run = run;
    this.#shared = accounts;
  }

  override async check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    const call = new Call(context, this.#shared);
    const first = await super.check({ ...request, isPreview: false }, context);
    if (first.failures.length > 0) {
      return first;
    }
    let news: PropertyMap;
    try {
      news = await withContents(request.news, request.olds, this.#run.archives, call);
    } catch (error) {
      return { inputs: {}, failures: [packingFailure(error)] };
    }
    return super.check({ ...request, news }, context);
  }

  override diff(request: DiffRequest, context: LifecycleContext) {
    this.#noteLost(request.id, request.olds, context);
    return super.diff(request, context);
  }

  /** A partial creation keeps the ids of the deployments before, which may still serve the app. */
  override async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    this.#run.creating.set(context.urn, deploymentInputs.read(declared));
    try {
      return await super.create(declared, context);
    } catch (error) {
      const old = this.#run.old.get(context.urn);
      if (!(error instanceof PartiallyCreatedError) || old === undefined || old.id === error.id) {
        throw error;
      }
      const { appName } = old.state;
      const formerIds = [old.id, ...(old.state.formerIds ?? [])];
      throw Object.assign(
        new PartiallyCreatedError(
          error.id,
          { ...(appName && { appName }), ...error.outputs, formerIds },
          error.reasons,
        ),
        { cause: error.cause, code: (error as { code?: string }).code },
      );
    }
  }

  override delete(stored: StoredResource, context: LifecycleContext): Promise<void> {
    this.#noteLost(stored.id, stored.state, context);
    return super.delete(stored, context);
  }

  /** Notes a request without a response from the state, so that its result is looked for. */
  #noteLost(id: string, state: PropertyMap, { urn }: LifecycleContext): void {
    const { lost } = marksIn(state);
    if (lost !== undefined) {
      this.#run.sent.set(urn, { inputs: deploymentInputs.read(state), sentAt: lost.sentAt });
      this.#run.old.set(urn, { id, state: deploymentState.read(state) });
    }
  }
}

export const appDeploymentKind: Kind = {
  inputs: deploymentInputs,
  state: deploymentState,
  lifecycle: (accounts) => new AppDeploymentLifecycle(accounts),
  enforcesCreateLimit: true,
};
