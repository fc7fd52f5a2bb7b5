import * as pulumi from "@pulumi/pulumi";
import type { credentialState } from "../../providers/logins/credential/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type LookedUp, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of a {@link Credential}. */
export interface CredentialArgs {
  /**
   * Name, unique in the project regardless of case and accents: 1 to 255 characters, without `/`
   * and `%`. A change renames the credential in place; every `AuthConnection` with the old name
   * then needs the new name. Default: `<logical name>-<7 hexadecimal digits>`, which never changes.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Id or name of an existing credential to manage instead of creating a credential; needs `name`. The deployment
   * changes the credential to what is declared, and fails if no change leads there. From then on, the credential
   * belongs to this resource. Counts only when the resource is created, so `adopt` may stay in the
   * program. A preview shows the credential. Default: a new credential.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
  /** Domain of the credential, such as `example.com`. A change replaces the credential. */
  readonly domain: pulumi.Input<string>;
  /**
   * Project id. A change replaces the credential. Default: the project of the provider's settings,
   * or else of the API key.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * Values by field of the login form, such as `username` and `password`. Always a secret: the
   * state encrypts them, and no diff shows them. But Pulumi's SDK logs the inputs of a program,
   * secrets in plain text: `--json`, `--debug` and `-v=7` show the values. If anybody else can read
   * those logs, use `valuesFromEnv` or `valuesFromConfig`. A value removed from the program is
   * deleted; values that a login has stored are kept. At least one of the three inputs is required.
   */
  readonly values?: pulumi.Input<{ readonly [field: string]: pulumi.Input<string> } | undefined>;
  /**
   * Names of environment variables by field, such as `{ password: "SHOP_PASSWORD" }`. The provider
   * reads the value in the environment of Pulumi, so the value reaches no log and no state. The next
   * deployment sends a changed value. If a variable is not set, the preview fails. A variable of
   * Pulumi (`PULUMI_…`) and the variables of the deployment's own key are refused.
   */
  readonly valuesFromEnv?: pulumi.Input<{ readonly [field: string]: pulumi.Input<string> } | undefined>;
  /**
   * Names of secret settings of the stack by field, as `valuesFromEnv`. Namespace:
   * `pulumi-nodejs:`, or for the plugin and the SDKs `browser-infra:`. Pulumi passes settings of no
   * other namespace to the process of a provider.
   */
  readonly valuesFromConfig?: pulumi.Input<{ readonly [field: string]: pulumi.Input<string> } | undefined>;
  /** Identity provider of the login, such as `google`. Default: none. */
  readonly ssoProvider?: pulumi.Input<string | undefined>;
  /**
   * TOTP secret for one-time codes: base32 of 16 to 128 characters, or an `otpauth` URI. Always a
   * secret, as `values`. Default: no one-time codes.
   */
  readonly totpSecret?: pulumi.Input<string | undefined>;
  /** Name of an environment variable with the `totpSecret`, as `valuesFromEnv`. */
  readonly totpSecretFromEnv?: pulumi.Input<string | undefined>;
  /** Name of a secret setting of the stack with the `totpSecret`, as `valuesFromConfig`. */
  readonly totpSecretFromConfig?: pulumi.Input<string | undefined>;
  /** Hash algorithm of one-time codes. Only with a `totpSecret`. Default of the service: `SHA1`. */
  readonly totpAlgorithm?: pulumi.Input<"SHA1" | "SHA256" | "SHA512" | undefined>;
  /** Digits of a one-time code, 6 to 9. Only with a `totpSecret`. Default of the service: 6. */
  readonly totpDigits?: pulumi.Input<number | undefined>;
  /**
   * Validity of a one-time code in seconds, 15 to 300. Only with a `totpSecret`. Default of the
   * service: 30.
   */
  readonly totpPeriod?: pulumi.Input<number | undefined>;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const credential = {
  kind: "Credential",
  outputs: {
    name: true,
    domain: true,
    projectId: true,
    values: "secret",
    valuesFromEnv: true,
    valuesFromConfig: true,
    ssoProvider: true,
    totpSecret: "secret",
    totpSecretFromEnv: true,
    totpSecretFromConfig: true,
    totpAlgorithm: true,
    totpDigits: true,
    totpPeriod: true,
    createdAt: true,
  },
  importAdvice: { group: "credentials" },
  find: (functions) => functions.getCredentialOutput,
  // Names are unique in a project.
  deletesFirst: () => true,
} satisfies ResourceDeclaration<typeof credentialState>;

/**
 * State for {@link Credential.get}. The lookup uses only `projectId`, with the default of
 * {@link CredentialArgs.projectId}.
 */
export type CredentialState = ResourceState<Credential>;

/** Result of {@link Credential.get}. The service never shows the values of a credential. */
export type FoundCredential = LookedUp<CredentialResource, "values">;

/** Outputs and lookup of a credential, shared by both bridges. */
export abstract class CredentialResource extends pulumi.CustomResource {
  /** Name of the credential, for the input `credential` of an `AuthConnection`. */
  declare readonly name: pulumi.Output<string>;
  /** Domain of the credential. */
  declare readonly domain: pulumi.Output<string>;
  /** Project id; undefined for the project of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** Declared `values`, without values given by name. A secret. Undefined for a lookup by `get`. */
  declare readonly values: pulumi.Output<Readonly<Record<string, string>>>;
  /** Names of environment variables by field; undefined if there are none. */
  declare readonly valuesFromEnv: pulumi.Output<Readonly<Record<string, string>> | undefined>;
  /** Names of settings of the stack by field; undefined if there are none. */
  declare readonly valuesFromConfig: pulumi.Output<Readonly<Record<string, string>> | undefined>;
  /** Identity provider; undefined if undeclared. */
  declare readonly ssoProvider: pulumi.Output<string | undefined>;
  /** TOTP secret for one-time codes, as declared. Always a secret. Undefined if undeclared. */
  declare readonly totpSecret: pulumi.Output<string | undefined>;
  /** Name of the environment variable with the `totpSecret`; undefined if undeclared. */
  declare readonly totpSecretFromEnv: pulumi.Output<string | undefined>;
  /** Name of the setting of the stack with the `totpSecret`; undefined if undeclared. */
  declare readonly totpSecretFromConfig: pulumi.Output<string | undefined>;
  /** Hash algorithm of one-time codes, as declared. */
  declare readonly totpAlgorithm: pulumi.Output<"SHA1" | "SHA256" | "SHA512" | undefined>;
  /** Digits of a one-time code, as declared. */
  declare readonly totpDigits: pulumi.Output<number | undefined>;
  /** Validity of a one-time code in seconds, as declared. */
  declare readonly totpPeriod: pulumi.Output<number | undefined>;
  /** Creation time, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /** Looks up a credential that this program does not manage. `id`: id or exact name. */
  static get(...args: GetArguments<CredentialState>): FoundCredential {
    return getResource<FoundCredential>(this, ...args);
  }

  /** Whether `value` is a Credential, from any copy of the package. */
  static override isInstance(value: unknown): value is Credential {
    return isOfKind("Credential", value);
  }
}

/**
 * Values for a login, such as a user name and a password, stored by the service. Pass
 * `credential.name` to an `AuthConnection`: its logins then need no person.
 *
 * - The service never shows a value. So a refresh does not find a value that was changed elsewhere.
 *   A refresh finds a removed value, and the next deployment sends the value again.
 * - The state contains `values` encrypted, as every secret of Pulumi. For values of `valuesFromEnv`
 *   and `valuesFromConfig`, the state contains a salted digest, to detect changes.
 */
export class Credential extends CredentialResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Credential");

  constructor(name: string, args: CredentialArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, credential, name, args, opts));
    nullsToUndefined(this);
  }
}
