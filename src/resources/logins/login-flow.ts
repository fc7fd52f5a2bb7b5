import * as pulumi from "@pulumi/pulumi";
import type { loginFlowState } from "../../providers/logins/login-flow/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of a {@link LoginFlow}. */
export interface LoginFlowArgs {
  /** Id of the auth connection whose login to wait for. A change starts a new wait. */
  readonly connectionId: pulumi.Input<string>;
  /** Project id. Default: the setting `browser-infra:projectId`, else the API key's project. */
  readonly projectId?: pulumi.Input<string | undefined>;
  /** Longest wait: `"90s"`, `"1h30m"`. Default: `customTimeouts.create`, else 25 minutes. */
  readonly timeout?: pulumi.Input<string | undefined>;
  /** Any values. The deployment waits for the login again when a value changes. */
  readonly triggers?: pulumi.Input<unknown[] | undefined>;
  /**
   * Action if the login ends without success. `"fail"` (default): stops the deployment with the
   * service's reason. `"continue"`: continues the deployment; `flowStatus` contains the result. A
   * login that does not end in time always stops the deployment.
   */
  readonly onFailure?: pulumi.Input<"fail" | "continue" | undefined>;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const loginFlow = {
  kind: "LoginFlow",
  outputs: {
    connectionId: true,
    projectId: true,
    flowStatus: true,
    flowType: true,
    completedAt: true,
    postLoginUrl: true,
    errorCode: true,
    errorMessage: true,
    hostedUrl: "secret",
    liveViewUrl: "secret",
  },
  importAdvice: "Leave the option out: a LoginFlow has nothing to import.",
  isNotImportable: true,
  // A timeout of the wait has a better error message than a timeout of the bridge.
  createLimitInput: "timeout",
} satisfies ResourceDeclaration<typeof loginFlowState>;

/**
 * State for {@link LoginFlow.get}. The lookup of the connection uses only `projectId`, with the
 * default of {@link LoginFlowArgs.projectId}.
 */
export type LoginFlowState = ResourceState<LoginFlow>;

/** Outputs and lookup of a login, shared by both bridges. */
export abstract class LoginFlowResource extends pulumi.CustomResource {
  /** Id of the auth connection; the same as `id`. */
  declare readonly connectionId: pulumi.Output<string>;
  /** Project of the connection as declared; undefined for the project of the settings. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /**
   * Result of the login: `SUCCESS`, or with `onFailure: "continue"` also `FAILED`, `EXPIRED` or
   * `CANCELED`. Undefined if the profile was already logged in.
   */
  declare readonly flowStatus: pulumi.Output<string | undefined>;
  /** `LOGIN`, or `REAUTH` if the service logged in without a person; undefined if not reported. */
  declare readonly flowType: pulumi.Output<string | undefined>;
  /** End of the login, ISO 8601; undefined if the profile was already logged in. */
  declare readonly completedAt: pulumi.Output<string | undefined>;
  /** URL of the browser after the login, without the query; undefined if not known. */
  declare readonly postLoginUrl: pulumi.Output<string | undefined>;
  /** Error code of the service for a failed login: `credentials_invalid`. Otherwise undefined. */
  declare readonly errorCode: pulumi.Output<string | undefined>;
  /**
   * Error message of the service for a failed login: one line, at most 500 characters, URLs
   * shortened to the host. Otherwise undefined.
   */
  declare readonly errorMessage: pulumi.Output<string | undefined>;
  /**
   * URL of the login page for a person, if still reported at the end of the login; otherwise
   * undefined. A secret, although the screen shows the URL during the wait.
   */
  declare readonly hostedUrl: pulumi.Output<string | undefined>;
  /**
   * URL of the live view of the login browser, if still reported at the end; otherwise undefined. A
   * secret.
   */
  declare readonly liveViewUrl: pulumi.Output<string | undefined>;

  /**
   * Looks up an auth connection by id, without waiting for a login. Only `connectionId` and the
   * members of `state` have a value: the result of a login is known only to the waiting resource.
   */
  static get(...args: GetArguments<LoginFlowState>): LoginFlow {
    return getResource<LoginFlow>(this, ...args);
  }

  /** Whether `value` is a LoginFlow, from any copy of the package. */
  static override isInstance(value: unknown): value is LoginFlow {
    return isOfKind("LoginFlow", value);
  }
}

/**
 * Waits on creation until the login of an auth connection has succeeded. Starts no login, but also
 * waits for a login that has not begun. Does not wait if the profile is already logged in. During
 * the wait, the row shows the awaited step, and the URL for the person is on a separate line.
 *
 * Previews and refreshes do not wait. Later changes by the service are not drift. Deleting the
 * resource leaves the connection unchanged.
 */
export class LoginFlow extends LoginFlowResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("LoginFlow");

  constructor(name: string, args: LoginFlowArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, loginFlow, name, args, opts));
    nullsToUndefined(this);
  }
}
