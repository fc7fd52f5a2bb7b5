import { z } from "zod";
import { apiKeyIdProblem } from "../names.js";
import { anyId, dateTime, ifReadable, orNull, record, recordId } from "../schema.js";

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
 * Policy of an API key. Everything is denied except the actions that a statement allows. Members
 * unknown to the package, such as conditions, are returned as received and sent as given.
 */
export interface ApiKeyPolicy {
  /** Allowed actions. */
  readonly statements: readonly ApiKeyStatement[];
  /** Members unknown to the package. */
  readonly [member: string]: unknown;
}

/** Statement of an {@link ApiKeyPolicy}. */
export interface ApiKeyStatement {
  /** Kind and allowed action, such as `browsers:use` or `vaults:read`. */
  readonly action: string;
  /**
   * `organizations/{organization id}/*`, `projects/{project id}/*` or
   * `projects/{project id}/{kind}/{id}`.
   */
  readonly resource: string;
  /** Members unknown to the package. */
  readonly [member: string]: unknown;
}

/** An API key, without its secret. */
export interface ApiKey {
  /** Unique id; treat it as opaque. Keys are addressed by id only. */
  readonly id: string;
  /** Label, 1 to 255 characters. Not unique: after a rotation, two keys have the same name. */
  readonly name: string;
  /** Creation time, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** Creator of the key, if readable. */
  readonly createdBy: ApiKeyCreator | null;
  /**
   * Expiry time, as an ISO 8601 date-time; no value for a key that never expires. A record with an
   * unreadable time is refused, because an expiring key must not pass for a permanent key.
   * Exception: in the result of a creation, a rotation, a rename or a change of the policy, unreadable
   * `expiresAt`, `deletedAt` and `projectId` have no value, because the write is done.
   */
  readonly expiresAt: string | null;
  /**
   * Policy; no value for an ordinary key, which may do everything. A record with an unreadable
   * policy is therefore refused. Exception: in the result of a rename, and of a creation or
   * rotation without a given policy, an unreadable policy has no value.
   */
  readonly policy: ApiKeyPolicy | null;
  /** Time of the last use, as an ISO 8601 date-time, if readable; no value for an unused key. */
  readonly lastUsedAt: string | null;
  /** Deletion time, as an ISO 8601 date-time; no value for a key that was not deleted. */
  readonly deletedAt: string | null;
  /** Id of the project to which the key is limited; no value for a key of the organization. */
  readonly projectId: string | null;
  /** Name of the project, if readable; no value for a key of the organization. */
  readonly projectName: string | null;
  /** Beginning and end of the secret, such as `sk_1234...abcd`, if readable. */
  readonly maskedKey: string | null;
}

/** New API key with the secret. The service shows the secret only once. */
export interface CreatedApiKey extends ApiKey {
  /** Secret, as sent after `Bearer ` in a request: visible ASCII characters. */
  readonly key: string;
}

/** Identity and reach of a caller, as reported by the service. */
export interface AuthContext {
  /** Authentication method: `api_key` or `jwt`. The service may add more. */
  readonly method: string;
  /** Source of the credential: `api_key`, `oauth` or `dashboard`, and perhaps more. */
  readonly source: string;
  /** Id of the credential, for an API key probably the key's own id; null without an id. */
  readonly credentialId: string | null;
  /** Id of the project to which the credential is limited; null for the organization. */
  readonly credentialProjectId: string | null;
  /** Id of the project of the request; null when neither credential nor request names a project. */
  readonly effectiveProjectId: string | null;
  /** Id of the organization. */
  readonly organizationId: string;
  /** The caller: an `api_key` or a `user`, with an id. The service may add more types. */
  readonly principal: { readonly id: string; readonly type: string };
}

/** Paths refuse strings that look like a secret key, so that no log gets a secret. */
const apiKeyId = anyId.refine((id) => apiKeyIdProblem(id) === undefined, "the id of an API key");

/** Further members of a policy or a statement, such as conditions, are compared and sent back. */
const policy = z.looseObject({
  statements: z.array(z.looseObject({ action: z.string(), resource: z.string() })),
});

const apiKeyShape = {
  id: apiKeyId,
  name: z.string(),
  created_at: ifReadable(dateTime),
  created_by: ifReadable(record({ id: anyId, email: z.string(), name: ifReadable(z.string()) })),
  last_used_at: ifReadable(dateTime),
  // Null is a claim: the key never expires, still exists, or belongs to the organization.
  expires_at: orNull(dateTime),
  policy: orNull(policy),
  deleted_at: orNull(dateTime),
  project_id: orNull(recordId),
  project_name: ifReadable(z.string()),
  masked_key: ifReadable(z.string()),
};

/** An API key, never with the secret. The service sends every member, null or not. @internal */
export const apiKeySchema: z.ZodType<ApiKey> = record(apiKeyShape);

const writtenApiKeyShape = {
  ...apiKeyShape,
  expires_at: ifReadable(dateTime),
  policy: ifReadable(policy),
  deleted_at: ifReadable(dateTime),
  project_id: ifReadable(recordId),
};

/** An API key in the response to a change. Only id and name are certain. @internal */
export const changedApiKeySchema: z.ZodType<ApiKey> = record(writtenApiKeyShape);

/** A new API key. No other member may cost the secret, which is shown once. @internal */
export const createdApiKeySchema: z.ZodType<CreatedApiKey> = record({
  ...writtenApiKeyShape,
  key: z.string().regex(/^[!-~]{1,4096}$/, "1 to 4096 visible ASCII characters"),
});

const projectScope = z.object({ project_id: orNull(recordId) });

/** Response of `GET /auth/context`. Source: the service's published clients. @internal */
export const authContextSchema: z.ZodType<AuthContext> = z
  .object({
    authentication: z.object({
      method: z.string(),
      source: z.string(),
      credential_id: orNull(anyId),
    }),
    authorization: z.object({ credential_scope: projectScope, effective_scope: projectScope }),
    organization: z.object({ id: anyId }),
    principal: z.object({ id: anyId, type: z.string() }),
  })
  .transform(({ authentication, authorization, organization, principal }) => ({
    method: authentication.method,
    source: authentication.source,
    credentialId: authentication.credential_id,
    credentialProjectId: authorization.credential_scope.project_id,
    effectiveProjectId: authorization.effective_scope.project_id,
    organizationId: organization.id,
    principal,
  }));
