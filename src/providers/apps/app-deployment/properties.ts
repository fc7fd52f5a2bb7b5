import { isDeepStrictEqual } from "node:util";
import { deploymentProblems } from "../../../client/apps/deployment.js";
import type { AppVersion, Deployment } from "../../../client/index.js";
import { marks } from "../../core/marks.js";
import { namedSecretFailures, secretDigests } from "../../inputs/named-secrets.js";
import { isTimeout, timeoutHint } from "../../inputs/wait-limit.js";
import type { CheckFailure, LifecycleContext } from "../../lifecycle.js";
import { formFailures } from "../../messages/input-failures.js";
import {
  type DeclaredOf,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  t,
  unknownValue,
} from "../../properties.js";

/** Inputs of an AppDeployment as returned by `check`. */
export const deploymentInputs = new Properties({
  path: { ...t.string, isRequired: true, isInternal: true },
  entrypoint: { ...t.string, isRequired: true, replaces: true },
  exclude: { ...t.listOf(t.string), isInternal: true },
  gitignore: { ...t.boolean, isInternal: true },
  version: { ...t.string, replaces: true },
  envVars: { ...t.mapOf(t.string), isSecret: true, replaces: true },
  envVarsFromEnv: { ...t.mapOf(t.string), replaces: true },
  envVarsFromConfig: { ...t.mapOf(t.string), replaces: true },
  appName: { ...t.string, replaces: true, isFromService: true },
  projectId: { ...t.string, replaces: true },
  /** Id of the deployment whose place the first deployment may take. */
  adopt: { ...t.string, isInternal: true },
  timeout: { ...t.string, isInternal: true },
  secretDigests,
  /** App and version, in place of a name. */
  name: { ...t.string, isFilledIn: true, isInternal: true },
  checksum: { ...t.string, isFilledIn: true, replaces: true },
  sizeBytes: { ...t.integer, isFilledIn: true },
  fileCount: { ...t.integer, isFilledIn: true },
  /** Short digests of the files, by path. */
  files: { ...t.mapOf(t.string), isFilledIn: true },
});
export type DeploymentInputs = PropertiesOf<typeof deploymentInputs>;
export type DeclaredDeployment = DeclaredOf<typeof deploymentInputs>;

const action = t.object({
  name: t.string,
  inputSchema: t.mapOf(t.anything),
  outputSchema: t.mapOf(t.anything),
});

/** State of an AppDeployment. The values of variables are the declared values. */
export const deploymentState = new Properties({
  ...deploymentInputs.types,
  ...marks,
  status: t.string,
  statusReason: t.string,
  apps: t.listOf(
    t.object({ name: t.string, version: t.string, versionId: t.string, actions: t.listOf(action) }),
  ),
  /** Actions of the first app. */
  actions: t.listOf(action),
  envVarNames: t.listOf(t.string),
  region: t.string,
  createdAt: t.string,
  /** Deployment that serves the app version now, if not this one. */
  servedBy: { ...t.string, isInternal: true },
  /** Earlier deployments of this resource, which may still exist. */
  formerIds: { ...t.listOf(t.string), isInternal: true },
});
export type DeploymentState = PropertiesOf<typeof deploymentState>;

export const versionDefault = "latest";
export const timeoutDefault = "30m";

/** Deployment with the app versions of its project, for the life cycle. */
export interface LiveDeployment extends Deployment {
  /** App and version, if known: the record has neither. */
  readonly name: string | null;
  /** App versions of the project. Empty during the build. */
  readonly versions: readonly AppVersion[];
  /** Why a deployment that was found may not be the result of a request, as the end of a sentence. */
  readonly doubt?: string | undefined;
}

/** Inputs with the variables: values, or names of places, with digests of these values. */
const variables = ["envVars", "envVarsFromEnv", "envVarsFromConfig", "secretDigests"] as const;

/** State of a live deployment. Without inputs, for a read: what no read shows comes from `known`. */
export function stateOf(
  live: LiveDeployment,
  inputs: DeploymentInputs | undefined,
  known: DeploymentState = {},
): DeploymentState {
  const declared = { ...(inputs ?? known) };
  const own = live.versions.filter(({ deploymentId }) => deploymentId === live.id);
  const found = own.map(({ appName: name, version, id: versionId, actions }) => ({
    ...{ name, version, versionId },
    actions: actions.map((each) => ({
      name: each.name,
      ...(each.inputSchema == null ? {} : { inputSchema: each.inputSchema as PropertyMap }),
      ...(each.outputSchema == null ? {} : { outputSchema: each.outputSchema as PropertyMap }),
    })),
  }));
  const apps = found.length > 0 ? found : known.apps;
  const [first] = apps ?? [];
  const appName = first?.name ?? known.appName ?? inputs?.appName;
  const version = inputs?.version ?? first?.version ?? known.version;
  const serving = live.versions.find((each) => each.appName === appName && each.version === version);
  return {
    ...declared,
    ...{ appName, version, apps, actions: first?.actions },
    status: live.status,
    statusReason: live.statusReason ?? undefined,
    entrypoint: live.entrypoint ?? declared.entrypoint,
    checksum: live.checksum ?? declared.checksum,
    envVarNames: live.envVarNames,
    region: live.region,
    createdAt: live.createdAt ?? undefined,
    servedBy: serving === undefined || serving.deploymentId === live.id ? undefined : serving.deploymentId,
  };
}

/**
 * Inputs in a state. A stopped deployment serves no code, so a refresh shows a change of the checksum: with dynamic
 * resources, Pulumi compares the inputs alone. An app that the program does not declare is no input.
 */
export function inputsIn(state: DeploymentState): DeploymentState {
  const { status, name, appName, checksum } = state;
  return {
    ...state,
    checksum: status === "stopped" ? undefined : checksum,
    appName: name === undefined || name.startsWith(`${appName}@`) ? appName : undefined,
  };
}

/** Inputs that need a new deployment. A deployment that failed or was stopped is replaced. */
export function replacingInputs(state: DeploymentState, inputs: DeclaredDeployment): readonly string[] {
  const isOver = state.status === "failed" || state.status === "stopped";
  const isRenamed = inputs.appName !== undefined && inputs.appName !== state.appName;
  const plain = (["checksum", "entrypoint", "version", "projectId"] as const).filter(
    (input) => state[input] !== inputs[input] || (input === "checksum" && isOver),
  );
  return [...plain, ...(isRenamed ? ["appName"] : []), ...otherVariables(state, inputs)];
}

/** Names of the variables in all three inputs, sorted. */
export function variableNames(inputs: DeploymentInputs): readonly string[] {
  const maps = [inputs.envVars, inputs.envVarsFromEnv, inputs.envVarsFromConfig];
  return maps.flatMap((map) => Object.keys(Object(map))).sort();
}

/** Inputs with other variables. Values are compared with the last inputs: an import shows only the names. */
function otherVariables(state: DeploymentState, inputs: DeclaredDeployment): readonly string[] {
  const maps = ["envVars", "envVarsFromEnv", "envVarsFromConfig"] as const;
  const isKnown = variables.some((each) => state[each] !== undefined);
  const differs = (name: (typeof variables)[number]) =>
    inputs[name] === unknownValue || (isKnown && !isDeepStrictEqual(state[name] ?? {}, inputs[name] ?? {}));
  const differing = maps.filter(differs);
  const hasOtherNames = !isDeepStrictEqual(
    variableNames(inputs as DeploymentInputs),
    state.envVarNames ?? [],
  );
  const isOther = hasOtherNames || differs("secretDigests");
  const declared = maps.filter((each) => inputs[each] !== undefined);
  return differing.length > 0 || !isOther ? differing : declared.length > 0 ? declared : ["envVars"];
}

/** Reports all invalid inputs of an AppDeployment at once, without values. Unknown values pass. */
export function deploymentFailures(news: PropertyMap, context: LifecycleContext): CheckFailure[] {
  const forms = {
    path: 'must be the folder of the code, such as "./agent", or a ready .zip file. The provider packs the folder',
    exclude: 'must be a list of glob patterns, for instance ["tests/**"]',
    envVars: 'must be an object of strings by name, such as { MODE: "fast" }',
    timeout: `must be a duration from 1s to 24 days${timeoutHint(news.timeout)}`,
  };
  return [
    ...formFailures(news, deploymentInputs, "An AppDeployment", forms, (formed) => {
      const { entrypoint = "app", version, timeout, adopt, appName } = formed;
      const envVars = Object.fromEntries(variableNames(formed).map((name) => [name, ""]));
      return [
        ...deploymentProblems({ entrypoint, version, envVars }),
        ...(timeout === undefined || isTimeout(timeout)
          ? []
          : [{ property: "timeout", problem: forms.timeout }]),
        ...(adopt === undefined || appName !== undefined || news.appName !== undefined
          ? []
          : [{ property: "adopt", problem: 'needs "appName": the app whose deployment is taken over' }]),
      ];
    }),
    ...namedSecretFailures(news, ["envVars"], context),
  ];
}
