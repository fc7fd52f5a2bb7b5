import * as pulumi from "@pulumi/pulumi";
import type { providerState } from "../../providers/organization/credential-provider/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type LookedUp, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of a {@link CredentialProvider}. One of the three inputs with the token is required. */
export interface CredentialProviderArgs {
  /**
   * Name, unique in the organization regardless of case: 1 to 255 characters, without whitespace at
   * the start or the end. A change renames the provider in place, with a warning: auth connections
   * contain the name. Default: `<logical name>-<7 hexadecimal digits>`, which never changes.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Id or name of an existing provider to manage instead of creating a provider; needs `name`. The deployment
   * changes the provider to what is declared, and fails if no change leads there. From then on, the provider
   * belongs to this resource. Counts only when the resource is created, so `adopt` may stay in the
   * program. A preview shows the provider. Default: a new provider.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
  /**
   * Token of a service account of 1Password, such as `ops_…`. Always a secret: the state encrypts it,
   * and no diff shows it. But Pulumi's SDK logs the inputs of a program, secrets in plain text:
   * `--json`, `--debug` and `-v=7` show the token. If anybody else can read those logs, use
   * `tokenFromEnv` or `tokenFromConfig`. Changed in place; the service then tests the token, and a
   * failure is a warning.
   */
  readonly token?: pulumi.Input<string | undefined>;
  /**
   * Name of an environment variable with the `token`, such as `VAULT_TOKEN`. The provider reads the
   * value in the environment of Pulumi, so the value reaches no log and no state. The next deployment
   * sends a changed value. If the variable is not set, the preview fails. A variable of Pulumi
   * (`PULUMI_…`) and the variables of the deployment's own key are refused.
   */
  readonly tokenFromEnv?: pulumi.Input<string | undefined>;
  /**
   * Name of a secret setting of the stack with the `token`, as `tokenFromEnv`. Namespace:
   * `pulumi-nodejs:`, or for the plugin and the SDKs `browser-infra:`. Pulumi passes settings of no
   * other namespace to the process of a provider.
   */
  readonly tokenFromConfig?: pulumi.Input<string | undefined>;
  /** Seconds for which the service keeps a list of items, at least 0. Default of the service: 300. */
  readonly cacheTtlSeconds?: pulumi.Input<number | undefined>;
  /** Whether logins may read from the provider. Default of the service: true. */
  readonly enabled?: pulumi.Input<boolean | undefined>;
  /**
   * Order of the providers, a whole number: the service asks lower numbers first. Default: chosen
   * by the service. Removing this input leaves the order unchanged.
   */
  readonly priority?: pulumi.Input<number | undefined>;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const credentialProvider = {
  kind: "CredentialProvider",
  outputs: {
    name: true,
    token: "secret",
    tokenFromEnv: true,
    tokenFromConfig: true,
    cacheTtlSeconds: true,
    enabled: true,
    priority: true,
    createdAt: true,
  },
  importAdvice: { group: "credential-providers" },
  find: (functions) => functions.getCredentialProviderOutput,
  // Names are unique in the organization.
  deletesFirst: () => true,
} satisfies ResourceDeclaration<typeof providerState>;

/** State for {@link CredentialProvider.get}. Optional: the id or name of the provider is enough. */
export type CredentialProviderState = ResourceState<CredentialProvider>;

/** Result of {@link CredentialProvider.get}. The service never shows the token. */
export type FoundCredentialProvider = LookedUp<CredentialProviderResource, "token">;

/** Outputs and lookup of a credential provider, shared by both bridges. */
export abstract class CredentialProviderResource extends pulumi.CustomResource {
  /** Name of the provider, for the input `credential` of an `AuthConnection`. */
  declare readonly name: pulumi.Output<string>;
  /** Declared `token`. A secret. Undefined for a token given by name, and for a lookup by `get`. */
  declare readonly token: pulumi.Output<string | undefined>;
  /** Name of the environment variable with the `token`; undefined if undeclared. */
  declare readonly tokenFromEnv: pulumi.Output<string | undefined>;
  /** Name of the setting of the stack with the `token`; undefined if undeclared. */
  declare readonly tokenFromConfig: pulumi.Output<string | undefined>;
  /** Seconds for which the service keeps a list of items, as declared. The service never shows it. */
  declare readonly cacheTtlSeconds: pulumi.Output<number | undefined>;
  /** Whether logins may read from the provider; undefined if undeclared. */
  declare readonly enabled: pulumi.Output<boolean | undefined>;
  /** Order of the providers; undefined if undeclared. */
  declare readonly priority: pulumi.Output<number | undefined>;
  /** Creation time, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /** Looks up a provider that this program does not manage. `id`: id or exact name. */
  static get(...args: GetArguments<CredentialProviderState>): FoundCredentialProvider {
    return getResource<FoundCredentialProvider>(this, ...args);
  }

  /** Whether `value` is a CredentialProvider, from any copy of the package. */
  static override isInstance(value: unknown): value is CredentialProvider {
    return isOfKind("CredentialProvider", value);
  }
}

/**
 * A password manager (1Password) from which logins of the organization read values. Requires an API
 * key of the whole organization. Pass `provider.name` to the `credential` of an `AuthConnection`,
 * with the path of an item or with `auto: true`: its logins then need no person.
 *
 * - The service never shows the token and the cache time. So a refresh finds neither if somebody
 *   else has changed them.
 * - After a creation and after a change of the token, the service tests the token. A failure is a
 *   warning with the service's words.
 * - The state contains the `token` encrypted, as every secret of Pulumi. For a token of
 *   `tokenFromEnv` or `tokenFromConfig`, the state contains a salted digest, to detect changes.
 */
export class CredentialProvider extends CredentialProviderResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("CredentialProvider");

  constructor(name: string, args: CredentialProviderArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, credentialProvider, name, args, opts));
    nullsToUndefined(this);
  }
}
