import * as pulumi from "@pulumi/pulumi";
import { ownKeyPlaces } from "../config.js";
import { InputError } from "../errors.js";
import type { ResourceKind } from "../providers/kinds.js";
import { BrowserPool, type BrowserPoolArgs, type BrowserPoolResource } from "./browsers/browser-pool.js";
import { Extension, type ExtensionArgs, type ExtensionResource } from "./browsers/extension.js";
import { Profile, type ProfileArgs, type ProfileResource } from "./browsers/profile.js";
import {
  AuthConnection,
  type AuthConnectionArgs,
  type AuthConnectionResource,
} from "./logins/auth-connection.js";
import { ApiKey, type ApiKeyArgs, type ApiKeyResource } from "./organization/api-key.js";
import { Project, type ProjectArgs, type ProjectResource } from "./organization/project.js";
import {
  ProjectLimits,
  type ProjectLimitsArgs,
  type ProjectLimitsResource,
} from "./organization/project-limits.js";

/**
 * Change of a child: arguments that take the place of the usual arguments, or a function that changes
 * the usual arguments and options in place.
 */
export type Transform<Args> =
  | { readonly [Name in keyof Args]?: Args[Name] | undefined }
  | ((
      args: { -readonly [Name in keyof Args]: Args[Name] },
      opts: pulumi.CustomResourceOptions,
      name: string,
    ) => void);

/** Changes of the children of a {@link BrowserEnvironment}. Default: the usual arguments. */
export interface BrowserEnvironmentTransform {
  /** The project, `<name>-project`. */
  readonly project?: Transform<ProjectArgs> | undefined;
  /** The limits of the project, `<name>-limits`. Creates the limits also without `maxConcurrentSessions`. */
  readonly limits?: Transform<ProjectLimitsArgs> | undefined;
  /** The key of the agents, `<name>-key`. Usually expires after 90 days, and is rotated 30 days before. */
  readonly apiKey?: Transform<ApiKeyArgs> | undefined;
  /** The profile, `<name>-profile`. */
  readonly profile?: Transform<ProfileArgs> | undefined;
  /** Every extension, `<name>-extension-<key>`. */
  readonly extension?: Transform<ExtensionArgs> | undefined;
  /** The pool, `<name>-pool`. */
  readonly pool?: Transform<BrowserPoolArgs> | undefined;
  /** The auth connection, `<name>-connection`. */
  readonly connection?: Transform<AuthConnectionArgs> | undefined;
}

/** Arguments of a {@link BrowserEnvironment}. */
export interface BrowserEnvironmentArgs {
  /**
   * Number of browsers in the pool, at least 1.
   *
   * @example 2
   */
  readonly size: pulumi.Input<number>;
  /**
   * Maximum concurrent browsers of the project, the browsers of the pool included: at least 1.
   * Default: no limits of the project.
   *
   * @example 10
   */
  readonly maxConcurrentSessions?: pulumi.Input<number | undefined>;
  /**
   * Folders of extensions, by a key that names the extension in the program. The browsers load the
   * extensions in the order of the keys. Default: no extension.
   *
   * @example { reader: "./extension" }
   */
  readonly extensions?: Readonly<Record<string, pulumi.Input<string>>> | undefined;
  /**
   * Domain at which an auth connection keeps the profile logged in, such as `shop.example`. Default:
   * no auth connection.
   *
   * @example "shop.example"
   */
  readonly domain?: pulumi.Input<string> | undefined;
  /**
   * Name of a secret setting of the stack with the key of the agents, `<namespace>:<name>` or `<name>`
   * of the program's project. The component then creates no key, and `transform` has no `apiKey`.
   * Default: a new key.
   *
   * @example "agentKey"
   */
  readonly apiKeyFromConfig?: string | undefined;
  /** Changes of children: any argument of a child, which takes the place of the usual argument. */
  readonly transform?: BrowserEnvironmentTransform | undefined;
}

/** Arguments by name, so that the compiler reports a name missing here. */
const argumentNames: Readonly<Record<keyof BrowserEnvironmentArgs, true>> = {
  size: true,
  maxConcurrentSessions: true,
  extensions: true,
  domain: true,
  apiKeyFromConfig: true,
  transform: true,
};

/** Kinds of the children, by the name in `transform`. */
export const environmentKinds = {
  project: "Project",
  limits: "ProjectLimits",
  apiKey: "ApiKey",
  profile: "Profile",
  extension: "Extension",
  pool: "BrowserPool",
  connection: "AuthConnection",
} as const satisfies Readonly<Record<keyof BrowserEnvironmentTransform, ResourceKind>>;

type Declarable<Args, Resource> = new (
  name: string,
  args: Args,
  opts: pulumi.CustomResourceOptions,
) => Resource;

/** Classes of the children, of one bridge. */
export interface EnvironmentClasses {
  readonly Project: Declarable<ProjectArgs, ProjectResource>;
  readonly ProjectLimits: Declarable<ProjectLimitsArgs, ProjectLimitsResource>;
  readonly ApiKey: Declarable<ApiKeyArgs, ApiKeyResource>;
  readonly Profile: Declarable<ProfileArgs, ProfileResource>;
  readonly Extension: Declarable<ExtensionArgs, ExtensionResource>;
  readonly BrowserPool: Declarable<BrowserPoolArgs, BrowserPoolResource>;
  readonly AuthConnection: Declarable<AuthConnectionArgs, AuthConnectionResource>;
}

/** Outputs of a browser environment, shared by both bridges. */
export abstract class BrowserEnvironmentResource extends pulumi.ComponentResource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the browser pool. */
  declare readonly poolId: pulumi.Output<string>;
  /** The API key of the agents, limited to the project. A secret. */
  declare readonly apiKey: pulumi.Output<string | undefined>;
  /** Name of the profile. */
  declare readonly profileName: pulumi.Output<string>;
  /** Id of the auth connection; undefined without `domain`. */
  declare readonly connectionId: pulumi.Output<string | undefined>;
}

/**
 * Type token of the component, of both bridges: an import from the other entry keeps the URN, and so
 * the aliases of the children apply.
 */
export const environmentType = "browser-infra:index:BrowserEnvironment";

/**
 * Declares the children of a browser environment, sets the outputs and returns them. The URN of a child consists
 * of the component and a fixed suffix, so a later version can add a child without a replacement.
 * Throws `InputError` for an unknown argument or child.
 */
export function declareEnvironment(
  component: BrowserEnvironmentResource,
  classes: EnvironmentClasses,
  name: string,
  args: BrowserEnvironmentArgs,
): pulumi.Inputs {
  checkNames("args", args, argumentNames);
  const { size, maxConcurrentSessions, extensions = {}, domain, apiKeyFromConfig, transform = {} } = args;
  checkNames("transform", transform, environmentKinds);
  if (apiKeyFromConfig !== undefined && transform.apiKey !== undefined) {
    const message =
      'A BrowserEnvironment with "apiKeyFromConfig" has no child "apiKey". Remove one of the two arguments.';
    throw new InputError("arguments_conflicting", "apiKeyFromConfig", message);
  }

  const child = <Args extends object, Resource>(
    [suffix, Class]: readonly [suffix: string, Class: Declarable<Args, Resource>],
    change: NoInfer<Transform<Args>> | undefined,
    usual: NoInfer<Args>,
    options: pulumi.CustomResourceOptions = {},
  ): Resource => {
    const given = { ...usual };
    const opts = { ...options, parent: component };
    if (typeof change === "function") {
      change(given, opts, `${name}-${suffix}`);
    } else {
      Object.assign(given, change);
    }
    return new Class(`${name}-${suffix}`, given, opts);
  };

  const { id: projectId } = child(["project", classes.Project], transform.project, {});
  const hasLimits = maxConcurrentSessions !== undefined || transform.limits !== undefined;
  const limits = hasLimits
    ? [
        child(["limits", classes.ProjectLimits], transform.limits, {
          projectId,
          ...(maxConcurrentSessions !== undefined && { maxConcurrentSessions }),
        }),
      ]
    : [];
  const rotation = { daysToExpire: 90, rotateBeforeDays: 30 };
  const apiKey =
    apiKeyFromConfig === undefined
      ? child(["key", classes.ApiKey], transform.apiKey, { projectId, ...rotation }).key
      : agentKey(apiKeyFromConfig);
  const profile = child(["profile", classes.Profile], transform.profile, { projectId });
  // In a plugin's request, the order of a map is random.
  const extensionIds = Object.keys(extensions)
    .sort()
    .map((each) => {
      const usual = { path: extensions[each] as pulumi.Input<string>, projectId };
      return child([`extension-${each}`, classes.Extension], transform.extension, usual).id;
    });
  const pool = child(
    ["pool", classes.BrowserPool],
    transform.pool,
    { size, projectId, profileId: profile.id, ...(extensionIds.length > 0 && { extensionIds }) },
    // The service compares the size with the limits.
    { dependsOn: limits },
  );
  const connection =
    domain === undefined
      ? undefined
      : child(["connection", classes.AuthConnection], transform.connection, {
          domain,
          profileName: profile.name,
          projectId,
        });
  const outputs = {
    projectId,
    poolId: pool.id,
    apiKey: pulumi.secret(apiKey),
    profileName: profile.name,
    connectionId: connection?.id ?? pulumi.output(undefined),
  };
  Object.assign(component, outputs);
  return outputs;
}

/** Key of the agents from a setting of the stack. An SDK may send an Output in place of the name. */
function agentKey(setting: unknown): pulumi.Output<string> {
  if (typeof setting !== "string" || ownKeyPlaces.includes(setting)) {
    const message =
      'The "apiKeyFromConfig" of a BrowserEnvironment must be the name of a setting that the program knows, but not of the API key of the deployment itself.';
    throw new InputError("argument_invalid", "apiKeyFromConfig", message);
  }
  const [name = "", namespace] = setting.split(":").reverse();
  return new pulumi.Config(namespace).requireSecret(name);
}

function checkNames(what: string, given: object, names: object): void {
  const unknown = Object.keys(given).find((each) => !Object.hasOwn(names, each));
  if (unknown !== undefined) {
    const message = `"${what}" of a BrowserEnvironment has no member "${unknown}". Use ${Object.keys(names).join(", ")}.`;
    throw new InputError("argument_unknown", unknown, message);
  }
}

/**
 * A project with everything that agents need: an API key, which is rotated, a profile, extensions from
 * folders, and a browser pool that loads them; limits and an auth connection if wanted.
 *
 * - `transform` changes any argument of any child.
 * - A child keeps its identity when the component gets more children, from a later version or from
 *   further arguments.
 * - The children are resources as if declared one by one: preview, refresh and policies see them.
 */
export class BrowserEnvironment extends BrowserEnvironmentResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = environmentType;

  constructor(name: string, args: BrowserEnvironmentArgs, opts?: pulumi.ComponentResourceOptions) {
    // The state gets no arguments, because functions cannot be stored.
    super(environmentType, name, {}, opts);
    const classes = { ApiKey, AuthConnection, BrowserPool, Extension, Profile, Project, ProjectLimits };
    this.registerOutputs(declareEnvironment(this, classes, name, args));
  }
}
