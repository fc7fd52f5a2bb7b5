/** The person who created an API key. */
export interface ApiKeyCreator {
  /** The person's id. */
  readonly id: string;
  /** The person's e-mail address. */
  readonly email: string;
  /** The person's name; no value when the service has no name. */
  readonly name: string | null;
}

/**
 * What an API key may do: only what a statement allows. Members that this version does not know,
 * such as conditions, are kept as the service sends them, and sent as they are given.
 */
export interface ApiKeyPolicy {
  /** What it allows. */
  readonly statements: readonly ApiKeyStatement[];
  /** Members that this version does not know. */
  readonly [member: string]: unknown;
}

/** A part of an {@link ApiKeyPolicy}. */
export interface ApiKeyStatement {
  /** A kind and what may be done with it, such as `browsers:use` or `vaults:read`. */
  readonly action: string;
  /**
   * `organizations/{organization id}/*`, `projects/{project id}/*` or
   * `projects/{project id}/{kind}/{id}`.
   */
  readonly resource: string;
  /** Members that this version does not know. */
  readonly [member: string]: unknown;
}

/** An API key, without its secret. */
export interface ApiKey {
  /** Unique id; treat it as opaque. Keys are addressed by id only. */
  readonly id: string;
  /** Label, 1 to 255 characters. Not unique: a rotation leaves two keys with the same name. */
  readonly name: string;
  /** When it was created, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** The person who created it, if readable. */
  readonly createdBy: ApiKeyCreator | null;
  /**
   * When it expires or expired, as an ISO 8601 date-time; no value when it never expires. So a
   * record with a time that cannot be read is refused: a key that expires must not pass for one
   * that never does. Only in the result of a creation, a rotation or a rename it then has no value,
   * as do `deletedAt` and `projectId`: that is done, whatever else the response says.
   */
  readonly expiresAt: string | null;
  /**
   * What it may do; no value for an ordinary key, which may do everything. So a record with a
   * policy that cannot be read is refused. In the result of a rename it then has no value.
   */
  readonly policy: ApiKeyPolicy | null;
  /** When it was deleted, as an ISO 8601 date-time; no value when it was not deleted. */
  readonly deletedAt: string | null;
  /** Project that the key is limited to; no value for a key of the organization. */
  readonly projectId: string | null;
  /** Name of that project, if readable; no value for a key of the organization. */
  readonly projectName: string | null;
  /** Beginning and end of the secret, such as `sk_1234...abcd`, if readable. */
  readonly maskedKey: string | null;
}

/** A new API key, with its secret, which the service shows this once. */
export interface CreatedApiKey extends ApiKey {
  /** The secret, as it follows `Bearer ` in a request: visible ASCII characters. */
  readonly key: string;
}

/** The identity of a caller and what it may reach, as the service sees it. */
export interface AuthContext {
  /** How the caller authenticated: `api_key` or `jwt`. The service may add more. */
  readonly method: string;
  /** Where the credential came from: `api_key`, `oauth` or `dashboard`, and perhaps more. */
  readonly source: string;
  /** Id of the credential, for an API key probably the key's own id; null when it has no id. */
  readonly credentialId: string | null;
  /** Project that the credential is limited to; null for the organization. */
  readonly credentialProjectId: string | null;
  /** Project that this request acted in; null when neither credential nor request names one. */
  readonly effectiveProjectId: string | null;
  /** Id of the organization. */
  readonly organizationId: string;
  /** The caller: an `api_key` or a `user`, with its id. The service may add more types. */
  readonly principal: { readonly id: string; readonly type: string };
}
