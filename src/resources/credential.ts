import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import { getCredentialOutput } from "../functions/functions.js";
import type { credentialState } from "../providers/credential/properties.js";
import { type Find, getResource, idOf, type LookedUp, type ResourceState } from "./lookup.js";
import { giveUndefined, importFile, isOfKind, type Noun, registration } from "./registration.js";

/** Arguments of a {@link Credential}. */
export interface CredentialArgs {
  /**
   * Name, unique in the project whatever its case and accents: 1 to 255 characters, without `/` and
   * `%`. Another name renames the credential in place; an `AuthConnection` that names it then needs
   * the new one. Default: `<logical name>-<7 hexadecimal digits>`, which stays.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /** Domain that the credential is for, such as `example.com`. Another one replaces the credential. */
  readonly domain: pulumi.Input<string>;
  /**
   * Project that the credential belongs to. Another one replaces it. Default: the project of the
   * provider's settings, or the API key's own.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * Values by the field that a login enters them in, such as `username` and `password`. Always a
   * secret: the state encrypts them, and no diff shows them. But Pulumi's SDK logs what a program
   * registers, secrets in plain text: `--json`, `--debug` and `-v=7` show them. If anybody else can
   * read those, name the value in `valuesFromEnv` or `valuesFromConfig`. A value that is left out
   * again is removed; one that a login has stored beside them stays. One of the three is needed.
   */
  readonly values?: pulumi.Input<{ readonly [field: string]: pulumi.Input<string> } | undefined>;
  /**
   * Names of environment variables by field, such as `{ password: "SHOP_PASSWORD" }`. The provider
   * reads the value in the environment in which Pulumi runs, so it reaches no log and no state. A
   * changed value is sent by the next deployment. If a variable is not set, the preview fails.
   */
  readonly valuesFromEnv?: pulumi.Input<{ readonly [field: string]: pulumi.Input<string> } | undefined>;
  /**
   * Names of secret settings of the stack by field, as `valuesFromEnv`. Settings are in the
   * namespace `pulumi-nodejs:`, or for the plugin and its SDKs in `browser-infra:`. Pulumi passes
   * settings of no other namespace to the process of a provider.
   */
  readonly valuesFromConfig?: pulumi.Input<{ readonly [field: string]: pulumi.Input<string> } | undefined>;
  /** Identity provider that the login uses, such as `google`. Default: none. */
  readonly ssoProvider?: pulumi.Input<string | undefined>;
  /**
   * What one-time codes are made of: base32 of 16 to 128 characters, or an `otpauth` URI. Always a
   * secret, as `values`. Default: no one-time codes.
   */
  readonly totpSecret?: pulumi.Input<string | undefined>;
  /** Name of an environment variable with the `totpSecret`, as `valuesFromEnv`. */
  readonly totpSecretFromEnv?: pulumi.Input<string | undefined>;
  /** Name of a secret setting of the stack with the `totpSecret`, as `valuesFromConfig`. */
  readonly totpSecretFromConfig?: pulumi.Input<string | undefined>;
  /** How one-time codes are made. Only with a `totpSecret`. The service's default: `SHA1`. */
  readonly totpAlgorithm?: pulumi.Input<"SHA1" | "SHA256" | "SHA512" | undefined>;
  /** Digits of a one-time code, 6 to 9. Only with a `totpSecret`. The service's default: 6. */
  readonly totpDigits?: pulumi.Input<number | undefined>;
  /**
   * Seconds for which a one-time code is valid, 15 to 300. Only with a `totpSecret`. The service's
   * default: 30.
   */
  readonly totpPeriod?: pulumi.Input<number | undefined>;
}

/** @internal What its classes know of it. */
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
  insteadOfImport: importFile("credentials"),
  // Names are unique in a project.
  deletesFirst: () => true,
} satisfies Noun<typeof credentialState>;

/**
 * What is known of a credential that {@link Credential.get} looks up. Only `projectId` matters for
 * finding it; its default is that of {@link CredentialArgs.projectId}.
 */
export type CredentialState = ResourceState<Credential>;

/** What {@link Credential.get} finds. The service shows no value of a credential. */
export type FoundCredential = LookedUp<CredentialResource, "values">;

/** The outputs and the lookup of a credential, which are the same for both bridges. */
export abstract class CredentialResource extends pulumi.CustomResource {
  /** Name of the credential: what an `AuthConnection` takes. */
  declare readonly name: pulumi.Output<string>;
  /** Domain that the credential is for. */
  declare readonly domain: pulumi.Output<string>;
  /** Project that the credential belongs to; undefined for the project of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** The values as declared, without named ones: a secret. Undefined for a lookup by `get`. */
  declare readonly values: pulumi.Output<Readonly<Record<string, string>>>;
  /** Names of environment variables by field; undefined without any. */
  declare readonly valuesFromEnv: pulumi.Output<Readonly<Record<string, string>> | undefined>;
  /** Names of settings of the stack by field; undefined without any. */
  declare readonly valuesFromConfig: pulumi.Output<Readonly<Record<string, string>> | undefined>;
  /** Identity provider; undefined without one. */
  declare readonly ssoProvider: pulumi.Output<string | undefined>;
  /** What one-time codes are made of, as declared: a secret. Undefined without it. */
  declare readonly totpSecret: pulumi.Output<string | undefined>;
  /** Name of the environment variable with the `totpSecret`; undefined without one. */
  declare readonly totpSecretFromEnv: pulumi.Output<string | undefined>;
  /** Name of the setting of the stack with the `totpSecret`; undefined without one. */
  declare readonly totpSecretFromConfig: pulumi.Output<string | undefined>;
  /** How one-time codes are made, as declared. */
  declare readonly totpAlgorithm: pulumi.Output<"SHA1" | "SHA256" | "SHA512" | undefined>;
  /** Digits of a one-time code, as declared. */
  declare readonly totpDigits: pulumi.Output<number | undefined>;
  /** Seconds for which a one-time code is valid, as declared. */
  declare readonly totpPeriod: pulumi.Output<number | undefined>;
  /** When it was created, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /** @internal How one is found by its name. */
  declare protected static readonly find: Find;

  /**
   * Looks up a credential that this program does not manage. `idOrName`: its id, or its exact name.
   */
  static get(
    name: string,
    idOrName: pulumi.Input<pulumi.ID>,
    state?: CredentialState,
    opts?: pulumi.CustomResourceOptions,
  ): FoundCredential {
    const id = idOf(this.find, idOrName, state, opts);
    return getResource<CredentialArgs, FoundCredential>(this, name, id, state, opts);
  }

  /** Whether `value` is a Credential, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is Credential {
    return isOfKind("Credential", value);
  }
}

/**
 * What a login enters, stored by the service. Pass `credential.name` to an `AuthConnection`, whose
 * logins then need no person.
 *
 * - The service never shows a value. So a value that was changed elsewhere is not found; one that
 *   was removed is, by a refresh, and the next deployment sends it again.
 * - The state holds `values` encrypted, as every secret of Pulumi. Of named values the state holds
 *   a salted digest, by which a deployment notices another value.
 */
export class Credential extends CredentialResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Credential");
  /** @internal */
  protected static override readonly find = getCredentialOutput;

  constructor(name: string, args: CredentialArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, credential, name, args, opts));
    giveUndefined(this);
  }
}
