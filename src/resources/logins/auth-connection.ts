import * as pulumi from "@pulumi/pulumi";
import type { connectionState } from "../../providers/logins/auth-connection/properties.js";
import type { BrowserTelemetry } from "../browsers/browser-pool.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** The credential of an {@link AuthConnection}: a `name`, or a `provider` with `path` or `auto`. */
export interface AuthConnectionCredential {
  /** Name of a credential that the service stores in the same project. */
  readonly name?: string | undefined;
  /** Name of a credential provider of the organization, see `CredentialProvider`. */
  readonly provider?: string | undefined;
  /** Path of the item at the provider, such as `vault/item`. */
  readonly path?: string | undefined;
  /** Whether the provider finds the item by the domain. */
  readonly auto?: boolean | undefined;
}

/** An object whose members may be outputs of other resources. */
type InputsOf<T> = { readonly [M in keyof T]: pulumi.Input<T[M]> };

/** Arguments of an {@link AuthConnection}. The service chooses undeclared settings. */
export interface AuthConnectionArgs {
  /**
   * Domain of the login, such as `example.com`: no scheme, port or path. A change replaces the
   * connection.
   */
  readonly domain: pulumi.Input<string>;
  /**
   * Name of the browser profile that logs in: 1 to 255 characters. The service creates a missing
   * profile. A change replaces the connection.
   */
  readonly profileName: pulumi.Input<string>;
  /**
   * Project id. A change replaces the connection. Default: the project of the provider's settings,
   * or else of the API key.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * URL of the login page, without a user name and a password. Default: the service discovers the
   * page.
   */
  readonly loginUrl?: pulumi.Input<string | undefined>;
  /**
   * Further domains, with their subdomains, that a login may visit. The service drops a leading
   * `www.` or `*.`; the difference is not drift. Default: no restriction.
   */
  readonly allowedDomains?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Credential to log in with. The service cannot remove a credential, so removing this input
   * replaces the connection. Default: a person logs in.
   */
  readonly credential?: pulumi.Input<
    AuthConnectionCredential | InputsOf<AuthConnectionCredential> | undefined
  >;
  /** Whether the service regularly checks the profile's login. Default of the service: true. */
  readonly healthChecks?: pulumi.Input<boolean | undefined>;
  /**
   * Seconds between health checks, 300 to 86400; the plan may have a higher minimum. Default of the
   * service: 3600, or the minimum of the plan. Removing this input leaves the interval unchanged.
   */
  readonly healthCheckInterval?: pulumi.Input<number | undefined>;
  /** Whether the service logs in again after a failed check. Default of the service: true. */
  readonly autoReauth?: pulumi.Input<boolean | undefined>;
  /** Whether the service stores the values entered during a login. Default of the service: true. */
  readonly saveCredentials?: pulumi.Input<boolean | undefined>;
  /** Whether the service records login sessions. Default of the service: false. */
  readonly recordSession?: pulumi.Input<boolean | undefined>;
  /** Id of the proxy for logins. Default: the choice of the service. */
  readonly proxyId?: pulumi.Input<string | undefined>;
  /** `direct`: logins use no proxy. Not together with `proxyId`. Default: the choice of the service. */
  readonly proxyMode?: pulumi.Input<"direct" | undefined>;
  /** Region of the login browsers. Default of the service: `us-east`; others depend on the plan. */
  readonly region?: pulumi.Input<"us-east" | "us-west" | "eu-west" | "ap-southeast" | undefined>;
  /** Whether the login browsers hide their automation. Default of the service: true. */
  readonly stealth?: pulumi.Input<boolean | undefined>;
  /**
   * Telemetry categories of the login browsers. Removing this input ends the telemetry, or captures
   * the usual categories with a `telemetryDestinationId`. Default: the choice of the service.
   */
  readonly telemetry?: pulumi.Input<BrowserTelemetry | undefined>;
  /**
   * Id of the `TelemetryDestination` to which logins export telemetry. Without `telemetry`, logins
   * capture the service's usual categories. Replaces all telemetry of the connection. Removing this
   * input ends the export. Default: the choice of the service.
   */
  readonly telemetryDestinationId?: pulumi.Input<string | undefined>;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const authConnection = {
  kind: "AuthConnection",
  outputs: {
    domain: true,
    profileName: true,
    projectId: true,
    loginUrl: true,
    allowedDomains: true,
    credential: true,
    healthChecks: true,
    healthCheckInterval: true,
    autoReauth: true,
    saveCredentials: true,
    recordSession: true,
    proxyId: true,
    proxyMode: true,
    region: true,
    stealth: true,
    telemetry: true,
    telemetryDestinationId: true,
  },
  importAdvice: { group: "auth-connections" },
  // A project can have one connection of a domain and a profile.
  deletesFirst: () => true,
} satisfies ResourceDeclaration<typeof connectionState>;

/**
 * State for {@link AuthConnection.get}. The lookup uses only `projectId`, with the default of
 * {@link AuthConnectionArgs.projectId}.
 */
export type AuthConnectionState = ResourceState<AuthConnection>;

/**
 * Outputs and lookup of an auth connection, shared by both bridges. Undeclared settings are
 * undefined.
 */
export abstract class AuthConnectionResource extends pulumi.CustomResource {
  /** Domain of the login. */
  declare readonly domain: pulumi.Output<string>;
  /** Name of the browser profile that logs in. */
  declare readonly profileName: pulumi.Output<string>;
  /** Project id; undefined for the project of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** URL of the login page. */
  declare readonly loginUrl: pulumi.Output<string | undefined>;
  /** Further domains that a login may visit. */
  declare readonly allowedDomains: pulumi.Output<string[] | undefined>;
  /** Credential to log in with. */
  declare readonly credential: pulumi.Output<AuthConnectionCredential | undefined>;
  /** Whether the service regularly checks the login of the profile. */
  declare readonly healthChecks: pulumi.Output<boolean | undefined>;
  /** Seconds between health checks. */
  declare readonly healthCheckInterval: pulumi.Output<number | undefined>;
  /** Whether the service logs in again after a failed check. */
  declare readonly autoReauth: pulumi.Output<boolean | undefined>;
  /** Whether the service stores the values entered during a login. */
  declare readonly saveCredentials: pulumi.Output<boolean | undefined>;
  /** Whether the service records login sessions. */
  declare readonly recordSession: pulumi.Output<boolean | undefined>;
  /** Id of the proxy for logins. */
  declare readonly proxyId: pulumi.Output<string | undefined>;
  /** `direct`: logins use no proxy. */
  declare readonly proxyMode: pulumi.Output<"direct" | undefined>;
  /** Region of the login browsers. */
  declare readonly region: pulumi.Output<"us-east" | "us-west" | "eu-west" | "ap-southeast" | undefined>;
  /** Whether the login browsers hide their automation. */
  declare readonly stealth: pulumi.Output<boolean | undefined>;
  /** Telemetry categories of the login browsers. */
  declare readonly telemetry: pulumi.Output<BrowserTelemetry | undefined>;
  /** Id of the destination to which logins export telemetry. */
  declare readonly telemetryDestinationId: pulumi.Output<string | undefined>;

  /** Looks up a connection that this program does not manage. `id`: the connection's id. */
  static get(...args: GetArguments<AuthConnectionState>): AuthConnection {
    return getResource<AuthConnection>(this, ...args);
  }

  /** Whether `value` is an AuthConnection, from any copy of the package. */
  static override isInstance(value: unknown): value is AuthConnection {
    return isOfKind("AuthConnection", value);
  }
}

/**
 * The login of a browser profile at a domain, kept alive by the service.
 *
 * - The resource itself does not log in. Pass `connection.id` to a `LoginFlow`, which waits until a
 *   person has logged in, or declare a `credential` for logins by the service.
 * - Deleting the connection cancels a login in progress. The profile keeps its contents.
 * - The login status changes all the time, so it is not an output. Run
 *   `browser-infra auth-connections list` to see it.
 */
export class AuthConnection extends AuthConnectionResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("AuthConnection");

  constructor(name: string, args: AuthConnectionArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, authConnection, name, args, opts));
    nullsToUndefined(this);
  }
}
