import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import type { loginFlowState } from "../providers/login-flow/properties.js";
import { getResource, type ResourceState } from "./lookup.js";
import { giveUndefined, isOfKind, type Noun, registration } from "./registration.js";

/** Arguments of a {@link LoginFlow}. */
export interface LoginFlowArgs {
  /** Id of the auth connection whose login to wait for. Another id starts another wait. */
  readonly connectionId: pulumi.Input<string>;
  /** Its project. Default: the setting `browser-infra:projectId`, else that of the API key. */
  readonly projectId?: pulumi.Input<string | undefined>;
  /** Longest wait: `"90s"`, `"1h30m"`. Default: `customTimeouts.create`, else 25 minutes. */
  readonly timeout?: pulumi.Input<string | undefined>;
  /** Any values. When one of them changes, the deployment waits for the login again. */
  readonly triggers?: pulumi.Input<unknown[] | undefined>;
  /**
   * What a login that ends without success does: `"fail"` stops the deployment with the service's
   * reason, `"continue"` lets it continue, and `flowStatus` says how the login ended. A login that
   * does not end in time always stops the deployment. Default: `"fail"`.
   */
  readonly onFailure?: pulumi.Input<"fail" | "continue" | undefined>;
}

/** @internal What its classes know of it. */
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
  insteadOfImport: "Leave the option out: a LoginFlow has nothing to import.",
  isNeverImported: true,
  // When the limit for "create" passes, the wait can say more than the bridge.
  createLimitInput: "timeout",
} satisfies Noun<typeof loginFlowState>;

/**
 * What is known of a login that {@link LoginFlow.get} looks up. Only `projectId` matters for
 * finding the connection; its default is that of {@link LoginFlowArgs.projectId}.
 */
export type LoginFlowState = ResourceState<LoginFlow>;

/** The outputs and the lookup of a login, which are the same for both bridges. */
export abstract class LoginFlowResource extends pulumi.CustomResource {
  /** Id of the auth connection; the same as `id`. */
  declare readonly connectionId: pulumi.Output<string>;
  /** Project of the connection as declared; undefined for the project of the settings. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /**
   * How the login ended: `SUCCESS`, or with `onFailure: "continue"` also `FAILED`, `EXPIRED` or
   * `CANCELED`. Undefined when the profile was already logged in.
   */
  declare readonly flowStatus: pulumi.Output<string | undefined>;
  /** `LOGIN`, or `REAUTH` if the service logged in by itself; undefined if it does not say. */
  declare readonly flowType: pulumi.Output<string | undefined>;
  /** When the login ended, ISO 8601; undefined when the profile was already logged in. */
  declare readonly completedAt: pulumi.Output<string | undefined>;
  /** Where the browser was after the login, without the query; undefined if it is not known. */
  declare readonly postLoginUrl: pulumi.Output<string | undefined>;
  /** The service's code for why the login failed: `credentials_invalid`. Otherwise undefined. */
  declare readonly errorCode: pulumi.Output<string | undefined>;
  /**
   * The same in the service's words: one line, at most 500 characters, with addresses shortened to
   * their host. Otherwise undefined.
   */
  declare readonly errorMessage: pulumi.Output<string | undefined>;
  /**
   * Address of the page where a person logs in, if the service still gives one at the end of the
   * login; otherwise undefined. A secret, although it is on screen while the deployment waits.
   */
  declare readonly hostedUrl: pulumi.Output<string | undefined>;
  /**
   * Address of the live view of the browser that logged in, if the service still gives one at the
   * end; otherwise undefined. A secret.
   */
  declare readonly liveViewUrl: pulumi.Output<string | undefined>;

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
    return getResource<LoginFlowArgs, LoginFlow>(this, name, id, state, opts);
  }

  /** Whether `value` is a LoginFlow, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is LoginFlow {
    return isOfKind("LoginFlow", value);
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

  constructor(name: string, args: LoginFlowArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, loginFlow, name, args, opts));
    giveUndefined(this);
  }
}
