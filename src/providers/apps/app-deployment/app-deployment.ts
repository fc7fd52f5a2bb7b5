import { isDeepStrictEqual } from "node:util";
import type { AppVersion, Deployment } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { BuildError, ConflictError } from "../../../errors.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { listed } from "../../../text/words.js";
import type { Accounts, Call } from "../../call.js";
import { type LostCreation, storedFailure } from "../../core/marks.js";
import type { OwnedResource } from "../../core/owned/declaration.js";
import { timePrecisionMs } from "../../core/owned/finder.js";
import { OwnedLifecycle } from "../../core/owned/lifecycle.js";
import { ArchiveCache, archiveToUpload } from "../../inputs/archives.js";
import { digestsOf, namedSecrets, valuesOf } from "../../inputs/named-secrets.js";
import {
  type Created,
  type DiffRequest,
  type Kind,
  type LifecycleContext,
  PartiallyCreatedError,
} from "../../lifecycle.js";
import { changedFilesText } from "../../messages/changed-files.js";
import { uploadOptions } from "../../messages/shipping.js";
import { type PropertyMap, requireKnown, unknownValue } from "../../properties.js";
import { deploymentsOf } from "../../reads/lists.js";
import { readInPreview } from "../../reads/preview.js";
import { buildFailure, followBuild, unfinishedText } from "./build.js";
import { contentsOf, pack } from "./contents.js";
import {
  type DeploymentInputs,
  type DeploymentState,
  deploymentFailures,
  deploymentInputs,
  deploymentState,
  inputsIn,
  type LiveDeployment,
  replacingInputs,
  stateOf,
  variableNames,
  versionDefault,
} from "./properties.js";

type Resource = OwnedResource<DeploymentInputs, DeploymentState, LiveDeployment>;
type Urn = string | undefined;

/** Facts about the deployments of a run, by URN. */
class DeploymentRun {
  /** Deployments of resources in the state, as met by `diff`, or marks of creations without a response. */
  readonly old = new Map<Urn, { readonly id: string; readonly state: DeploymentState }>();
  /** Deployment that serves the app version and may be overwritten. */
  readonly replaced = new Map<Urn, string | undefined>();
  readonly archives = new ArchiveCache();

  /** Ids of the deployments that a resource had before. */
  formerIds(urn: Urn): readonly string[] {
    const old = this.old.get(urn);
    return old === undefined ? [] : [old.id, ...(old.state.formerIds ?? [])];
  }
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
        const app = appName ?? path;
        return app === unknownValue || version === unknownValue ? unknownValue : `${app}@${version}`;
      },
    },
    failures: (news, _olds, _apiKey, { context }) => deploymentFailures(news, context),
    complete: async (declared, news, olds, call) => ({
      ...declared,
      ...(await contentsOf(declared, olds, run.archives, call)),
      version: declared.version ?? versionDefault,
      secretDigests: digestsOf(namedSecrets(news, ["envVars"]), olds?.secretDigests, call.context),
    }),
    replacingInputs,
    differingInputs: (state, inputs) => (state.timeout === inputs.timeout ? [] : ["timeout"]),
    onChange: ({ files, status, servedBy }, inputs, { context: { report } }) => {
      const changes =
        inputs.files === unknownValue ? undefined : changedFilesText(files ?? {}, inputs.files ?? {});
      if (files !== undefined && changes !== undefined) {
        report.info(changes);
      }
      if (status === "stopped") {
        const served = servedBy === undefined ? "" : `, and deployment ${servedBy} serves the app`;
        report.info(`The app deployment is stopped${served}, so this deployment replaces it.`);
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
    // A deployment itself has no name.
    holderOf: async () => undefined,
    beforeCreate: async (inputs, call) => {
      run.replaced.set(call.context.urn, await servingToReplace(run, inputs, call));
    },
    resultOf: (sent, request, call) => resultOf(run, sent, request, call),
    previewFailures: async (declared, olds, call) => {
      const isNew = olds === undefined && !run.old.has(call.context.urn);
      if (isNew && !Object.values(declared).includes(unknownValue)) {
        const look = (limited: Call) => servingToReplace(run, declared as DeploymentInputs, limited);
        await readInPreview(call, (limited) => look(limited).catch((error: unknown) => warnOf(error, call)));
      }
      return [];
    },
    create: (inputs, name, call) => create(run, inputs, name, call),
    change: (live, inputs, _known, call) =>
      live.status === "running" ? undefined : () => finish(live, inputs, call),
    doubt: ({ doubt }, { appName }) =>
      doubt ?? (appName === undefined ? 'the program has no "appName" that could prove the app' : undefined),
    remove: (id, { projectId }, call) => deploymentsOf(projectId, call).delete(id, call.options),
    stateOf,
    inputsIn,
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
 * deployment of others that serves the version, with the doubt.
 */
async function resultOf(
  run: DeploymentRun,
  sent: DeploymentInputs,
  { name = "", sentAt = 0 }: LostCreation,
  call: Call,
): Promise<LiveDeployment | undefined> {
  const { projectId, appName } = sent;
  const own = run.formerIds(call.context.urn);
  const rows = (await deploymentsOf(projectId, call).list(call.options)).filter(
    ({ id, checksum, entrypoint, envVarNames }) =>
      !own.includes(id) &&
      checksum === sent.checksum &&
      entrypoint === sent.entrypoint &&
      isDeepStrictEqual(envVarNames, variableNames(sent)),
  );
  const isNew = ({ createdAt }: Deployment) =>
    (dateTimeMs(createdAt ?? "") ?? Number.POSITIVE_INFINITY) >= sentAt - timePrecisionMs;
  const found = rows.filter(isNew);
  const first = found[0] ?? rows.find(({ status }) => status === "running");
  if (first === undefined) {
    return undefined;
  }
  const { ended } = await followBuild(first, sent, call);
  const live = await withVersions(ended, projectId, call);
  const apps = ownVersions(live);
  if (found.length === 0 && apps.every(({ version }) => version !== sent.version)) {
    return undefined;
  }
  const names = apps.map((each) => each.appName);
  const doubt =
    found.length > 1
      ? `${found.length} deployments have the same code, such as ${found[1]?.id}`
      : appName !== undefined && !names.includes(appName)
        ? `its apps are ${listed(names) || "unknown"}, and not ${appName}`
        : undefined;
  return { ...live, name, doubt };
}

/** App versions that a deployment itself serves. */
function ownVersions({ id, versions }: LiveDeployment): readonly AppVersion[] {
  return versions.filter(({ deploymentId }) => deploymentId === id);
}

/** Deploys, and waits for the build. `force` is sent only over what this resource has made, or may take over. */
async function create(run: DeploymentRun, inputs: DeploymentInputs, name: string, call: Call) {
  const { projectId, version = versionDefault } = inputs;
  const { report, urn } = call.context;
  const deployments = deploymentsOf(projectId, call);
  const replaced = run.replaced.get(urn);
  const packAgain = () => pack(inputs, call);
  const { bytes } = await archiveToUpload(inputs, "AppDeployment", run.archives, packAgain);
  const made = await deployments.create(
    {
      archive: bytes,
      entrypoint: requireKnown(inputs.entrypoint, "entrypoint", "AppDeployment"),
      version,
      force: replaced !== undefined,
      envVars: valuesOf(inputs, "envVars", call.context),
    },
    uploadOptions(call.context),
  );
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
  run: DeploymentRun,
  inputs: DeploymentInputs,
  call: Call,
): Promise<string | undefined> {
  const { urn } = call.context;
  const { projectId, version = versionDefault, adopt } = inputs;
  const appName = inputs.appName ?? run.old.get(urn)?.state.appName;
  if (appName === undefined) {
    return undefined;
  }
  const serving = await call.clientFor(projectId).apps.find(appName, version, call.options);
  const { deploymentId } = serving ?? {};
  if (deploymentId === undefined || [...run.formerIds(urn), adopt].includes(deploymentId)) {
    return deploymentId;
  }
  throw new ConflictError(
    "name_taken",
    `${appName}@${version} already exists: deployment ${deploymentId} serves it, and nothing proves that it is of this resource. Nothing was deployed. ` +
      `To take its place, add adopt: "${deploymentId}" and appName: "${appName}" to this resource. Otherwise choose another "version". ` +
      "If only the resource's logical name has changed, give it an alias instead; for a forced replacement, add --refresh to the command.",
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
  let live = deployment;
  try {
    const { ended, tail } = await followBuild(deployment, inputs, call);
    live = { ...(await withVersions(ended, projectId, call)), name };
    if (ended.status !== "running") {
      throw buildFailure(ended, tail);
    }
  } catch (error) {
    const isEnd = error instanceof BuildError && error.code === "build_failed";
    const reason = isEnd ? error.message : unfinishedText(live.id, error);
    const state: DeploymentState = { ...stateOf(live, inputs), unfinished: { reason } };
    throw new PartiallyCreatedError(live.id, deploymentState.write(state), [reason]);
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

/** Life cycle of an AppDeployment: the core's, which remembers the deployments that a resource had before. */
class AppDeploymentLifecycle extends OwnedLifecycle {
  readonly #run: DeploymentRun;

  constructor(accounts?: Accounts, run = new DeploymentRun()) {
    super(deploymentOf(run) as never, accounts);
    this.#run = run;
  }

  override diff(request: DiffRequest, context: LifecycleContext) {
    this.#run.old.set(context.urn, { id: request.id, state: deploymentState.read(request.olds) });
    return super.diff(request, context);
  }

  /**
   * Keeps the ids of the deployments before: after a partial creation all, which may still serve the app, with
   * the app; otherwise the last, because its deletion comes next and can be interrupted.
   */
  override async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    const before = (id: string) => this.#run.formerIds(context.urn).filter((each) => each !== id);
    const withFormer = (outputs: PropertyMap, formerIds: readonly string[]) =>
      formerIds.length === 0 ? outputs : { ...outputs, formerIds };
    try {
      const { id, outputs } = await super.create(declared, context);
      return { id, outputs: withFormer(outputs, before(id).slice(0, 1)) };
    } catch (error) {
      if (!(error instanceof PartiallyCreatedError)) {
        throw error;
      }
      const { id, outputs } = error;
      const appName = this.#run.old.get(context.urn)?.state.appName;
      throw storedFailure(id, withFormer({ ...(appName && { appName }), ...outputs }, before(id)), error);
    }
  }
}

export const appDeploymentKind: Kind = {
  inputs: deploymentInputs,
  state: deploymentState,
  lifecycle: (accounts) => new AppDeploymentLifecycle(accounts),
  enforcesCreateLimit: true,
};
