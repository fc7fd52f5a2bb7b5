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
   * secret: the state encrypts them, and no diff shows them. A value that is left out again is
   * removed; one that a login has stored beside them stays.
   */
  readonly values: pulumi.Input<{ readonly [field: string]: pulumi.Input<string> }>;
  /** Identity provider that the login uses, such as `google`. Default: none. */
  readonly ssoProvider?: pulumi.Input<string | undefined>;
  /**
   * What one-time codes are made of: base32 of 16 to 128 characters, or an `otpauth` URI. Always a
   * secret, as `values`. Default: no one-time codes.
   */
  readonly totpSecret?: pulumi.Input<string | undefined>;
  /** How one-time codes are made. Only with `totpSecret`. The service's default: `SHA1`. */
  readonly totpAlgorithm?: pulumi.Input<"SHA1" | "SHA256" | "SHA512" | undefined>;
  /** Digits of a one-time code. Only with `totpSecret`. The service's default: 6. */
  readonly totpDigits?: pulumi.Input<number | undefined>;
  /** Seconds for which a one-time code is valid. Only with `totpSecret`. The service's default: 30. */
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
    ssoProvider: true,
    totpSecret: "secret",
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
  /** The values as declared: a secret. Undefined for a lookup by `get`. */
  declare readonly values: pulumi.Output<Readonly<Record<string, string>>>;
  /** Identity provider; undefined without one. */
  declare readonly ssoProvider: pulumi.Output<string | undefined>;
  /** What one-time codes are made of, as declared: a secret. Undefined without it. */
  declare readonly totpSecret: pulumi.Output<string | undefined>;
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
 * - The state holds the values encrypted, as every secret of Pulumi.
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
