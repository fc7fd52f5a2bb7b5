import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../dynamic/contract.js";
import { declare } from "../dynamic/declare.js";

/** Arguments of a {@link LoginFlow}. */
export interface LoginFlowArgs {
  /** Id of the auth connection whose login is waited for. Another one is waited for anew. */
  readonly connectionId: pulumi.Input<string>;
  /** How long to wait at most, as Pulumi writes times: `"90s"`, `"1h30m"`. Default: `customTimeouts.create`, else 25 minutes. */
  readonly timeout?: pulumi.Input<string>;
  /** Any values: when one of them changes, the login is waited for anew. */
  readonly triggers?: pulumi.Input<unknown>;
  /**
   * What a login does that ends without success: `"fail"` stops the deployment with the service's reason, `"continue"` lets it go on, and
   * `flowStatus` says how it ended. A login that does not end in time always stops it. Default: `"fail"`.
   */
  readonly onFailure?: pulumi.Input<"fail" | "continue">;
}

const outputs = [
  "flowStatus",
  "flowType",
  "completedAt",
  "postLoginUrl",
  "errorCode",
  "errorMessage",
  "hostedUrl",
  "liveViewUrl",
];

/** Whoever has one of these addresses can log in, or watch. */
const secretOutputs = ["hostedUrl", "liveViewUrl"];

/**
 * Waits, when it is created, until the login of an auth connection has succeeded; what depends on it comes after. Starts no login: one that
 * has not begun is waited for as well. A profile that is logged in already needs none. While it waits, its row says for what, and the
 * address a person has to open stands as a line of its own.
 *
 * A preview and a refresh wait for nothing, and what the service changes later is no drift. Deleting it does nothing to the connection.
 */
export class LoginFlow extends pulumi.CustomResource {
  declare readonly connectionId: pulumi.Output<string>;
  /** How the login ended: `SUCCESS`, or with `onFailure: "continue"` also `FAILED`, `EXPIRED` or `CANCELED`. Null when the profile was logged in already. */
  declare readonly flowStatus: pulumi.Output<string | null>;
  /** `LOGIN`, or `REAUTH` where the service logged in again by itself; null when it does not say. */
  declare readonly flowType: pulumi.Output<string | null>;
  /** When the login ended, ISO 8601; null when the profile was logged in already. */
  declare readonly completedAt: pulumi.Output<string | null>;
  /** Where the browser was after the login, without a query, in which a code may stand; null when the service does not say. */
  declare readonly postLoginUrl: pulumi.Output<string | null>;
  /** Why the login did not succeed, as the service's code, `credentials_invalid` for instance; else null. */
  declare readonly errorCode: pulumi.Output<string | null>;
  /** The same in the service's words: one line, at most 500 characters, of an address only the host; else null. */
  declare readonly errorMessage: pulumi.Output<string | null>;
  /**
   * Address of the page where a person logs in, if the service still tells one at the end of the login; else null. A secret. While the login is
   * waited for, the address is shown on screen.
   */
  declare readonly hostedUrl: pulumi.Output<string | null>;
  /** Address of the live view of the browser that logged in, if the service still tells one at the end; else null. A secret. */
  declare readonly liveViewUrl: pulumi.Output<string | null>;

  /** Whether `value` is a LoginFlow, of this copy of the package or of another. */
  static override isInstance(value: unknown): value is LoginFlow {
    const type = (value as { __pulumiType?: unknown } | null | undefined)?.__pulumiType;
    return pulumi.CustomResource.isInstance(value) && type === resourceType("LoginFlow");
  }

  constructor(name: string, args: LoginFlowArgs, options: pulumi.CustomResourceOptions = {}) {
    const { create, ...customTimeouts } = options.customTimeouts ?? {};
    const timeout = args?.timeout ?? create;
    const inputs = { ...args, ...(timeout === undefined ? {} : { timeout }) };
    const declaration = declare("LoginFlow", name, inputs, outputs, {
      ...options,
      // The limit for "create" is an input: what the wait itself says at its end is more than the bridge could.
      ...(options.customTimeouts === undefined ? {} : { customTimeouts }),
      additionalSecretOutputs: [...(options.additionalSecretOutputs ?? []), ...secretOutputs],
    });
    super(declaration.type, name, declaration.inputs, declaration.options);
  }
}
