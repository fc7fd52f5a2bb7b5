import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import type { connectionState } from "../providers/auth-connection/properties.js";
import { getResource, type ResourceState } from "./lookup.js";
import { giveUndefined, importFile, isOfKind, type Noun, registration } from "./registration.js";

/** The credential of an {@link AuthConnection}: a `name`, or a `provider` with `path` or `auto`. */
export interface AuthConnectionCredential {
  /** Name of a credential that the service stores in the same project. */
  readonly name?: string | undefined;
  /** Name of an external provider of credentials. */
  readonly provider?: string | undefined;
  /** Path of the item at that provider, such as `vault/item`. */
  readonly path?: string | undefined;
  /** Whether the provider finds the item by the domain. */
  readonly auto?: boolean | undefined;
}

/** An object whose members may be outputs of other resources. */
type InputsOf<T> = { readonly [M in keyof T]: pulumi.Input<T[M]> };

/** Arguments of an {@link AuthConnection}. A setting that is left out is the service's own. */
export interface AuthConnectionArgs {
  /**
   * Domain of the login, such as `example.com`: no scheme, port or path. Another domain replaces
   * the connection.
   */
  readonly domain: pulumi.Input<string>;
  /**
   * Name of the browser profile that logs in: 1 to 255 letters, digits, dots, underscores and
   * hyphens. The service makes a profile that does not exist. Another name replaces the connection.
   */
  readonly profileName: pulumi.Input<string>;
  /**
   * Project that the connection belongs to. Another project replaces it. Default: the project of
   * the provider's settings, or the API key's own.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /** URL of the login page. Default: the service discovers it. */
  readonly loginUrl?: pulumi.Input<string | undefined>;
  /**
   * Further domains, with their subdomains, that a login may visit. The service leaves out a
   * leading `www.` or `*.`, which is no difference. Default: no restriction.
   */
  readonly allowedDomains?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Credential to log in with. The service cannot remove it, so leaving it out again replaces the
   * connection. Default: a person logs in.
   */
  readonly credential?: pulumi.Input<
    AuthConnectionCredential | InputsOf<AuthConnectionCredential> | undefined
  >;
  /** Whether the service checks regularly that the profile is still logged in. Its default: true. */
  readonly healthChecks?: pulumi.Input<boolean | undefined>;
  /**
   * Seconds between those checks, 300 to 86400; the plan may have a higher minimum. The service's
   * default: 3600, or that minimum. Left out again, it stays as it is.
   */
  readonly healthCheckInterval?: pulumi.Input<number | undefined>;
  /** Whether the service logs in again by itself after a failed check. Its default: true. */
  readonly autoReauth?: pulumi.Input<boolean | undefined>;
  /** Whether the service stores what is entered during a login. Its default: true. */
  readonly saveCredentials?: pulumi.Input<boolean | undefined>;
  /** Whether the service records login sessions. Its default: false. */
  readonly recordSession?: pulumi.Input<boolean | undefined>;
  /** Id of the proxy that logins go through. Default: the service's own choice. */
  readonly proxyId?: pulumi.Input<string | undefined>;
  /** Region of the browsers that log in. The service's default: `us-east`; others depend on the plan. */
  readonly region?: pulumi.Input<"us-east" | "us-west" | "eu-west" | "ap-southeast" | undefined>;
  /** Whether those browsers hide that they are automated. The service's default: true. */
  readonly stealth?: pulumi.Input<boolean | undefined>;
}

/** @internal What its classes know of it. */
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
    region: true,
    stealth: true,
  },
  insteadOfImport: importFile("auth-connections"),
  // A project can have one connection of a domain and a profile.
  deletesFirst: () => true,
} satisfies Noun<typeof connectionState>;

/**
 * What is known of a connection that {@link AuthConnection.get} looks up. Only `projectId` matters
 * for finding it; its default is that of {@link AuthConnectionArgs.projectId}.
 */
export type AuthConnectionState = ResourceState<AuthConnection>;

/**
 * The outputs and the lookup of an auth connection, which are the same for both bridges. A setting
 * that the program does not declare is undefined.
 */
export abstract class AuthConnectionResource extends pulumi.CustomResource {
  /** Domain of the login. */
  declare readonly domain: pulumi.Output<string>;
  /** Name of the browser profile that logs in. */
  declare readonly profileName: pulumi.Output<string>;
  /** Project that the connection belongs to; undefined for the project of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** URL of the login page. */
  declare readonly loginUrl: pulumi.Output<string | undefined>;
  /** Further domains that a login may visit. */
  declare readonly allowedDomains: pulumi.Output<string[] | undefined>;
  /** Credential to log in with. */
  declare readonly credential: pulumi.Output<AuthConnectionCredential | undefined>;
  /** Whether the service checks regularly that the profile is still logged in. */
  declare readonly healthChecks: pulumi.Output<boolean | undefined>;
  /** Seconds between those checks. */
  declare readonly healthCheckInterval: pulumi.Output<number | undefined>;
  /** Whether the service logs in again by itself after a failed check. */
  declare readonly autoReauth: pulumi.Output<boolean | undefined>;
  /** Whether the service stores what is entered during a login. */
  declare readonly saveCredentials: pulumi.Output<boolean | undefined>;
  /** Whether the service records login sessions. */
  declare readonly recordSession: pulumi.Output<boolean | undefined>;
  /** Id of the proxy that logins go through. */
  declare readonly proxyId: pulumi.Output<string | undefined>;
  /** Region of the browsers that log in. */
  declare readonly region: pulumi.Output<"us-east" | "us-west" | "eu-west" | "ap-southeast" | undefined>;
  /** Whether those browsers hide that they are automated. */
  declare readonly stealth: pulumi.Output<boolean | undefined>;

  /** Looks up a connection that this program does not manage. `id`: its id. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: AuthConnectionState,
    opts?: pulumi.CustomResourceOptions,
  ): AuthConnection {
    return getResource<AuthConnectionArgs, AuthConnection>(this, name, id, state, opts);
  }

  /** Whether `value` is an AuthConnection, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is AuthConnection {
    return isOfKind("AuthConnection", value);
  }
}

/**
 * The login of a browser profile at a domain, which the service keeps alive.
 *
 * - It logs nobody in. Pass `connection.id` to a `LoginFlow`, which waits until somebody has logged
 *   in, or name a `credential`, with which the service logs in by itself.
 * - Deleting it cancels a login in progress. The profile stays, with what it has stored.
 * - Whether the profile is logged in changes all the time, so it is no output. `browser-infra
 *   auth-connections list` shows it.
 */
export class AuthConnection extends AuthConnectionResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("AuthConnection");

  constructor(name: string, args: AuthConnectionArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, authConnection, name, args, opts));
    giveUndefined(this);
  }
}
