import * as pulumi from "@pulumi/pulumi";
import type { deploymentState } from "../../providers/apps/app-deployment/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type LookedUp, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of an {@link AppDeployment}. */
export interface AppDeploymentArgs {
  /**
   * Folder of the code, with `package.json` (with `"type": "module"`) or `pyproject.toml` at the top level, or a
   * ready `.zip`, uploaded byte for byte. Relative paths start at the program's folder. Packed to the same
   * bytes on every machine at every preview, at most 50 MiB.
   *
   * @example "./agent"
   */
  readonly path: pulumi.Input<string>;
  /**
   * Path of the entrypoint below the folder, with `/` between names. A change replaces the deployment.
   *
   * @example "src/app.ts"
   */
  readonly entrypoint: pulumi.Input<string>;
  /**
   * Glob patterns of excluded files, compared with paths relative to the folder: `["tests/**"]`. Secrets,
   * version control folders and installed dependencies are always excluded.
   */
  readonly exclude?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Whether files stay out that Git ignores, by the `.gitignore` files of the folder and of the folders above
   * up to the repository's. Default: true.
   */
  readonly gitignore?: pulumi.Input<boolean | undefined>;
  /** Label of the version. Other labels run beside this one. A change replaces the deployment. Default: `latest`. */
  readonly version?: pulumi.Input<string | undefined>;
  /**
   * Environment variables of the app, by name. Always a secret: the state encrypts them, and no diff shows
   * them. But Pulumi's SDK logs the inputs of a program, secrets in plain text: `--json`, `--debug` and `-v=7`
   * show the values. If anybody else can read those logs, use `envVarsFromEnv` or `envVarsFromConfig`. A change
   * replaces the deployment. `KERNEL_API_KEY` and `ENTRYPOINT_RELPATH` are refused: the service sets them.
   */
  readonly envVars?: pulumi.Input<{ readonly [name: string]: pulumi.Input<string> } | undefined>;
  /**
   * Names of environment variables by name, such as `{ TOKEN: "SHOP_TOKEN" }`. The provider reads the value in
   * the environment of Pulumi, so the value reaches no log and no state. The next deployment sends a changed
   * value. If a variable is not set, the preview fails. A variable of Pulumi (`PULUMI_…`) and the variables of
   * the deployment's own key are refused.
   */
  readonly envVarsFromEnv?: pulumi.Input<{ readonly [name: string]: pulumi.Input<string> } | undefined>;
  /**
   * Names of secret settings of the stack by name, as `envVarsFromEnv`. Namespace: `pulumi-nodejs:`, or for the
   * plugin and the SDKs `browser-infra:`. Pulumi passes settings of no other namespace to the process of a
   * provider.
   */
  readonly envVarsFromConfig?: pulumi.Input<{ readonly [name: string]: pulumi.Input<string> } | undefined>;
  /**
   * Name of the app that the code must declare. A build that declares no such app fails and is deleted. With
   * the name, a deployment of others is found before the build, and an interrupted creation is proved. Default:
   * any app.
   */
  readonly appName?: pulumi.Input<string | undefined>;
  /**
   * Project id. A change replaces the deployment. Default: the setting `browser-infra:projectId`, else the API
   * key's project.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * Id of an existing deployment that serves the app version, and whose place this resource may take; needs
   * `appName`. The old deployment is deleted once the new one runs. May stay in the program. Default: a
   * deployment of others is never overwritten.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
  /** Longest wait for the build: `"90s"`, `"1h"`. Default: `customTimeouts.create`, else 30 minutes. */
  readonly timeout?: pulumi.Input<string | undefined>;
}

/** Action of an app: a method that can be invoked. */
export interface AppAction {
  /** Name of the action. */
  readonly name: string;
  /** JSON Schema of the payload, if the service could make a schema. */
  readonly inputSchema?: Record<string, unknown>;
  /** JSON Schema of the result, if the service could make a schema. */
  readonly outputSchema?: Record<string, unknown>;
}

/** App that a deployment serves. */
export interface DeployedApp {
  /** Name of the app, as the code declares it. */
  readonly name: string;
  /** Label of the version. */
  readonly version: string;
  /** Id of the app version. */
  readonly versionId: string;
  /** Actions of the app. */
  readonly actions: readonly AppAction[];
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const appDeployment = {
  kind: "AppDeployment",
  outputs: {
    entrypoint: true,
    version: true,
    envVars: "secret",
    envVarsFromEnv: true,
    envVarsFromConfig: true,
    appName: true,
    projectId: true,
    checksum: true,
    sizeBytes: true,
    fileCount: true,
    files: true,
    status: true,
    statusReason: true,
    apps: true,
    actions: true,
    envVarNames: true,
    region: true,
    createdAt: true,
  },
  importAdvice: { group: "apps" },
  createLimitInput: "timeout",
} satisfies ResourceDeclaration<typeof deploymentState>;

/** State for {@link AppDeployment.get}. The lookup uses only `projectId`. */
export type AppDeploymentState = ResourceState<AppDeployment>;

/** Result of {@link AppDeployment.get}. The service never shows values and files. */
export type FoundAppDeployment = LookedUp<
  AppDeploymentResource,
  "envVars" | "files" | "fileCount" | "sizeBytes" | "checksum" | "version"
>;

/** Outputs and lookup of a deployment, shared by both bridges. */
export abstract class AppDeploymentResource extends pulumi.CustomResource {
  /** Path of the entrypoint in the archive. */
  declare readonly entrypoint: pulumi.Output<string>;
  /** Label of the version. */
  declare readonly version: pulumi.Output<string>;
  /** Declared `envVars`. A secret. Undefined for a lookup by `get`. */
  declare readonly envVars: pulumi.Output<Record<string, string> | undefined>;
  /** Names of environment variables as declared. */
  declare readonly envVarsFromEnv: pulumi.Output<Record<string, string> | undefined>;
  /** Names of settings of the stack as declared. */
  declare readonly envVarsFromConfig: pulumi.Output<Record<string, string> | undefined>;
  /** Name of the first app that the code declares; undefined until the build has ended. */
  declare readonly appName: pulumi.Output<string | undefined>;
  /** Project id; undefined for the project of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** SHA-256 of the exact uploaded bytes, 64 lower-case hexadecimal digits. Known in previews. */
  declare readonly checksum: pulumi.Output<string>;
  /** Size of the uploaded archive in bytes. Undefined for a lookup by `get`. */
  declare readonly sizeBytes: pulumi.Output<number>;
  /** Number of files in the archive. Undefined for a lookup by `get`. */
  declare readonly fileCount: pulumi.Output<number>;
  /** First 12 hexadecimal digits of each file's SHA-256, by path in the archive. */
  declare readonly files: pulumi.Output<Record<string, string>>;
  /** `running`; after a refresh also `stopped` or `failed`. */
  declare readonly status: pulumi.Output<string>;
  /** Reason of the status in the words of the service; undefined if not given. */
  declare readonly statusReason: pulumi.Output<string | undefined>;
  /** Apps that the code declares, with the actions. Undefined after a failed build. */
  declare readonly apps: pulumi.Output<DeployedApp[] | undefined>;
  /** Actions of the first app. */
  declare readonly actions: pulumi.Output<AppAction[] | undefined>;
  /** Names of all environment variables, sorted. */
  declare readonly envVarNames: pulumi.Output<string[]>;
  /** Region of the service, such as `aws.us-east-1a`. */
  declare readonly region: pulumi.Output<string>;
  /** Creation time, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /** Looks up a deployment that this program does not manage, by id. `state`: `projectId`, if not of the settings. */
  static get(...args: GetArguments<AppDeploymentState>): FoundAppDeployment {
    return getResource<FoundAppDeployment>(this, ...args);
  }

  /** Whether `value` is an AppDeployment, from any copy of the package. */
  static override isInstance(value: unknown): value is AppDeployment {
    return isOfKind("AppDeployment", value);
  }
}

/**
 * The code of an app, built and served by the service: a folder that is packed to the same bytes on every
 * machine. The deployment waits for the build, and shows its log on the row.
 *
 * - A change deploys anew, and the old deployment goes after the new one runs. A failed build leaves the old
 *   deployment in place; the next deployment replaces the failed one.
 * - The code itself names the app. A deployment of others with the same app and version is never overwritten,
 *   as far as the name is known before the build: see `appName` and `adopt`.
 * - A refresh finds a deployment that was stopped or superseded by others, and names what serves the app now.
 */
export class AppDeployment extends AppDeploymentResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("AppDeployment");

  constructor(name: string, args: AppDeploymentArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, appDeployment, name, args, opts));
    nullsToUndefined(this);
  }
}
