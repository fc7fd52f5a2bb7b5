import type * as pulumi from "@pulumi/pulumi";
import {
  type ApiKeyArgs,
  ApiKeyResource,
  type ApiKeyState,
  declareApiKey,
  giveUndefined as giveUndefinedKey,
} from "../../../resources/api-key.js";
import {
  type ApiKeyNameArgs,
  ApiKeyNameResource,
  type ApiKeyNameState,
  declareApiKeyName,
  type FoundApiKeyName,
} from "../../../resources/api-key-name.js";
import {
  type BrowserPoolArgs,
  BrowserPoolResource,
  type BrowserPoolState,
  declareBrowserPool,
} from "../../../resources/browser-pool.js";
import {
  declareExtension,
  type ExtensionArgs,
  ExtensionResource,
  type ExtensionState,
  type FoundExtension,
} from "../../../resources/extension.js";
import {
  declareLoginFlow,
  giveUndefined,
  type LoginFlowArgs,
  LoginFlowResource,
  type LoginFlowState,
} from "../../../resources/login-flow.js";
import {
  declareProject,
  type FoundProject,
  type ProjectArgs,
  ProjectResource,
  type ProjectState,
} from "../../../resources/project.js";
import {
  declareProjectLimits,
  type FoundProjectLimits,
  type ProjectLimitsArgs,
  ProjectLimitsResource,
  type ProjectLimitsState,
} from "../../../resources/project-limits.js";
import { idOf, isOfType } from "../../../resources/registration.js";
import { declare, resourceType } from "./declare.js";
import { getBrowserPoolOutput, getExtensionOutput } from "./functions.js";

/**
 * A browser extension: a folder that is packed to the same bytes on every machine and uploaded. The
 * service cannot change an extension, so new content, another name or another project replaces it.
 */
export class Extension extends ExtensionResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Extension");

  /**
   * Looks up an extension that this program does not manage. `id`: its id or its exact name.
   * `state`: its `projectId`, if it is not in the project of the settings.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ExtensionState,
    opts?: pulumi.CustomResourceOptions,
  ): FoundExtension {
    const found = idOf(getExtensionOutput, id, state, opts);
    return new Extension(name, { ...state } as ExtensionArgs, { ...opts, id: found });
  }

  /** Whether `value` is an Extension, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is Extension {
    return isOfType(Extension.__pulumiType, value);
  }

  constructor(name: string, args: ExtensionArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareExtension(declare, name, args, opts));
  }
}

/**
 * The name of an existing API key. The key itself is never created and never deleted, and may be
 * the one that the deployment uses.
 *
 * - The name that the key had is remembered, and restored when the resource is deleted, unless
 *   `onDelete` says otherwise, the key is gone, or somebody else has renamed it since.
 * - A refresh finds a key that was renamed outside, and reports both names; the next deployment
 *   corrects that. It drops a key that was deleted. Keys cannot be created here, so the next
 *   deployment then fails and says so. An expired key is reported, but is no difference.
 * - A resource with another logical name takes the key with the name it has, and gets
 *   `previousName` from the old one with the deployment after that. With an alias, it stays the
 *   same resource.
 */
export class ApiKeyName extends ApiKeyNameResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("ApiKeyName");

  /** Looks up an API key that this program does not manage. `id`: the key's id. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ApiKeyNameState,
    opts?: pulumi.CustomResourceOptions,
  ): FoundApiKeyName {
    return new ApiKeyName(name, { ...state } as ApiKeyNameArgs, { ...opts, id });
  }

  /** Whether `value` is an ApiKeyName, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is ApiKeyName {
    return isOfType(ApiKeyName.__pulumiType, value);
  }

  constructor(name: string, args: ApiKeyNameArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareApiKeyName(declare, name, args, opts));
  }
}

/**
 * An API key with its secret, which is encrypted in the state and in no log.
 *
 * - A rotation changes the outputs in place. The old key works for `keepOldKeyDays`, so that
 *   whoever has it can get the new one, and is deleted with the resource at the latest.
 * - A key whose answer was lost is deleted and made again: its secret is gone. So a deployment
 *   leaves exactly one live key, also when it was killed.
 * - The key that the deployment itself uses is never rotated or deleted.
 * - A refresh finds a key that was renamed, deleted or rotated outside. An expired key is reported.
 */
export class ApiKey extends ApiKeyResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("ApiKey");

  /** Looks up an API key that this program does not manage. `id`: the key's id. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ApiKeyState,
    opts?: pulumi.CustomResourceOptions,
  ): ApiKey {
    return new ApiKey(name, { ...state } as ApiKeyArgs, { ...opts, id });
  }

  /** Whether `value` is an ApiKey, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is ApiKey {
    return isOfType(ApiKey.__pulumiType, value);
  }

  constructor(name: string, args: ApiKeyArgs = {}, opts?: pulumi.CustomResourceOptions) {
    super(...declareApiKey(declare, name, args, opts));
    giveUndefinedKey(this);
  }
}

/**
 * Waits, when it is created, until the login of an auth connection has succeeded. Starts no login,
 * and also waits for one that has not begun. A profile that is already logged in needs none. While
 * it waits, its row shows for what, and the address that a person must open is on a separate line.
 *
 * Previews and refreshes do not wait, and what the service changes later is no drift. Deleting the
 * resource does nothing to the connection.
 */
export class LoginFlow extends LoginFlowResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("LoginFlow");

  /**
   * Looks up the auth connection with this id, whose login this program does not wait for. Only
   * `connectionId` and what `state` gives have a value: how a login ended is known only to the
   * resource that waited.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: LoginFlowState,
    opts?: pulumi.CustomResourceOptions,
  ): LoginFlow {
    return new LoginFlow(name, { ...state } as LoginFlowArgs, { ...opts, id });
  }

  /** Whether `value` is a LoginFlow, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is LoginFlow {
    return isOfType(LoginFlow.__pulumiType, value);
  }

  constructor(name: string, args: LoginFlowArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareLoginFlow(declare, name, args, opts));
    giveUndefined(this);
  }
}

/**
 * A project of the organization: what is in one is separate from all others. Needs an API key of
 * the whole organization.
 *
 * - Pass `project.id` as `projectId` to what belongs in it, such as an `Extension`. Pulumi then
 *   creates it after the project and deletes it before.
 * - A project that is not empty, or the last active one, cannot be deleted. The error says what is
 *   in it.
 * - A refresh finds a project that was renamed, archived or deleted outside of the program. The
 *   next deployment names it, makes it active or creates it again.
 */
export class Project extends ProjectResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Project");

  /** Looks up a project that this program does not manage. `id`: the project's id, not its name. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ProjectState,
    opts?: pulumi.CustomResourceOptions,
  ): FoundProject {
    return new Project(name, { ...state } as ProjectArgs, { ...opts, id });
  }

  /** Whether `value` is a Project, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is Project {
    return isOfType(Project.__pulumiType, value);
  }

  constructor(name: string, args?: ProjectArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareProject(declare, name, args, opts));
  }
}

/**
 * The caps that a project sets for itself, below the limit of the organization. Only those that are
 * declared are managed; all others stay as they are.
 *
 * - What the caps were before is remembered, and restored when the resource is deleted, unless
 *   `onDelete` says otherwise, or somebody else has changed them since. The same happens to a cap
 *   that the program no longer declares.
 * - A refresh finds caps that were changed outside of the program; the next deployment corrects
 *   them. Caps that are not declared are no drift.
 */
export class ProjectLimits extends ProjectLimitsResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("ProjectLimits");

  /** Looks up limits that this program does not manage. `id`: the project's id, not its name. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ProjectLimitsState,
    opts?: pulumi.CustomResourceOptions,
  ): FoundProjectLimits {
    return new ProjectLimits(name, { ...state } as ProjectLimitsArgs, { ...opts, id });
  }

  /** Whether `value` is a ProjectLimits, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is ProjectLimits {
    return isOfType(ProjectLimits.__pulumiType, value);
  }

  constructor(name: string, args: ProjectLimitsArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareProjectLimits(declare, name, args, opts));
  }
}

/**
 * A pool of browsers with the same settings, which the service keeps ready. Changed in place:
 * browsers that the pool builds from then on have the new settings.
 *
 * How many browsers are ready or leased is no output, as it changes all the time: `getBrowserPool`
 * tells.
 */
export class BrowserPool extends BrowserPoolResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("BrowserPool");

  /**
   * Looks up a pool that this program does not manage. `id`: its id or its exact name. `state`: its
   * `projectId`, if it is not in the project of the settings.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: BrowserPoolState,
    opts?: pulumi.CustomResourceOptions,
  ): BrowserPool {
    const found = idOf(getBrowserPoolOutput, id, state, opts);
    return new BrowserPool(name, { ...state } as BrowserPoolArgs, { ...opts, id: found });
  }

  /** Whether `value` is a BrowserPool, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is BrowserPool {
    return isOfType(BrowserPool.__pulumiType, value);
  }

  constructor(name: string, args: BrowserPoolArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareBrowserPool(declare, name, args, opts));
  }
}
