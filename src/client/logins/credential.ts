import { z } from "zod";
import { dateTime, ifReadable, orNull, record, recordId } from "../schema.js";

/** Settings of a credential's one-time codes. Source: the service's interface description. */
export interface TotpSettings {
  /** Default: `SHA1`. */
  readonly totpAlgorithm?: "SHA1" | "SHA256" | "SHA512" | undefined;
  /** Digits of a code, 6 to 9. Default: 6. */
  readonly totpDigits?: number | undefined;
  /** Seconds for which a code is valid, 15 to 300. Default: 30. */
  readonly totpPeriod?: number | undefined;
}

/** Changes of a credential. Omitted settings stay unchanged. */
export interface CredentialChanges extends TotpSettings {
  /** Name, unique within the project: 1 to 255 characters, without `/` and `%`. */
  readonly name?: string | undefined;
  /** Values by field name, such as `username`. Secret. Added to the present values. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** Names of values to remove. A name that also occurs in `values` is set, not removed. */
  readonly removeValueKeys?: readonly string[] | undefined;
  /** Identity provider, such as `google`. Null removes it. */
  readonly ssoProvider?: string | null | undefined;
  /**
   * Seed of the one-time codes: base32, 16 to 128 characters, or an `otpauth` URI. Secret. Null
   * removes the seed and the settings of the codes. The settings can only be sent together with the
   * seed.
   */
  readonly totpSecret?: string | null | undefined;
}

export interface NewCredential extends Omit<CredentialChanges, "removeValueKeys"> {
  readonly name: string;
  /** Domain of the credential, such as `example.com`. Cannot be changed. */
  readonly domain: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A credential as shown by the service: without values and without the seed of codes. */
export interface Credential {
  /** Unique id; treat it as opaque. */
  readonly id: string;
  /** Unique within the project. */
  readonly name: string;
  /** Domain of the credential. */
  readonly domain: string;
  /** Names of the values. Null in lists, which lack the names. */
  readonly valueKeys: readonly string[] | null;
  /** Identity provider. */
  readonly ssoProvider: string | null;
  /** Whether the credential can generate one-time codes. */
  readonly hasTotpSecret: boolean | null;
  /** Algorithm of the one-time codes, such as `SHA1`. */
  readonly totpAlgorithm: string | null;
  /** Digits of a one-time code. */
  readonly totpDigits: number | null;
  /** Seconds for which a one-time code is valid. */
  readonly totpPeriod: number | null;
  /** Creation time, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /**
   * Time of the last change, also by a login that stores entered values, if readable. An ISO 8601
   * date-time.
   */
  readonly updatedAt: string | null;
}

/** A credential. Lists lack `value_keys`. @internal */
export const credentialSchema: z.ZodType<Credential> = record({
  id: recordId,
  name: z.string(),
  domain: z.string(),
  value_keys: orNull(z.array(z.string())),
  sso_provider: orNull(z.string()),
  has_totp_secret: orNull(z.boolean()),
  totp_algorithm: orNull(z.string()),
  totp_digits: orNull(z.int()),
  totp_period: orNull(z.int()),
  created_at: ifReadable(dateTime),
  updated_at: ifReadable(dateTime),
});
