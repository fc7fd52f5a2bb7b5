/** What a stored credential can be given, and what the service says of one. Free of zod. */

/** How the one-time codes of a credential are made. Source: the service's interface description. */
export interface TotpSettings {
  /** Default: `SHA1`. */
  readonly totpAlgorithm?: "SHA1" | "SHA256" | "SHA512" | undefined;
  /** Digits of a code, 6 to 9. Default: 6. */
  readonly totpDigits?: number | undefined;
  /** Seconds for which a code is valid, 15 to 300. Default: 30. */
  readonly totpPeriod?: number | undefined;
}

/** What can be changed of a credential. What is left out stays as it is. */
export interface CredentialChanges extends TotpSettings {
  /** Name, unique within the project: 1 to 255 characters, without `/` and `%`. */
  readonly name?: string | undefined;
  /** Values by the name of their field, such as `username`. Secret. They are added to the present ones. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** Names of values to remove. One that `values` has too gets that value. */
  readonly removeValueKeys?: readonly string[] | undefined;
  /** Identity provider, such as `google`. Null removes it. */
  readonly ssoProvider?: string | null | undefined;
  /**
   * What one-time codes are made of: base32, 16 to 128 characters, or an `otpauth` URI. Secret.
   * Null removes it and its settings. The settings can only be sent together with it.
   */
  readonly totpSecret?: string | null | undefined;
}

/** A credential to create. */
export interface NewCredential extends Omit<CredentialChanges, "removeValueKeys"> {
  readonly name: string;
  /** Domain that the credential is for, such as `example.com`. It cannot be changed. */
  readonly domain: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A credential as the service shows it: never its values, nor what one-time codes are made of. */
export interface Credential {
  /** Unique id; treat it as opaque. */
  readonly id: string;
  /** Unique within the project. */
  readonly name: string;
  /** Domain that it is for. */
  readonly domain: string;
  /** Names of its values. Null in lists, which do not have them. */
  readonly valueKeys: readonly string[] | null;
  /** Identity provider. */
  readonly ssoProvider: string | null;
  /** Whether it can make one-time codes. */
  readonly hasTotpSecret: boolean | null;
  /** How its one-time codes are made, such as `SHA1`. */
  readonly totpAlgorithm: string | null;
  /** Digits of a one-time code. */
  readonly totpDigits: number | null;
  /** Seconds for which a one-time code is valid. */
  readonly totpPeriod: number | null;
  /** When it was created, as an ISO 8601 date-time, if that is readable. */
  readonly createdAt: string | null;
  /** When it was last changed, also by a login that stores what was entered, if that is readable. */
  readonly updatedAt: string | null;
}
