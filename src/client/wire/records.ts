import { z } from "zod";
import { apiKeyIdProblem } from "../names.js";
import type { ApiKey, AuthContext, CreatedApiKey } from "../records/api-key.js";
import type { Credential } from "../records/credential.js";
import type { Extension } from "../records/extension.js";
import type { Profile } from "../records/profile.js";
import type { OrganizationLimits, Project, ProjectLimits } from "../records/project.js";
import { anyId, dateTime, ifReadable, orNull, record, recordId } from "./answer.js";

/** An extension. Only `id`, `created_at` and `size_bytes` are certain. */
export const extensionSchema: z.ZodType<Extension> = record({
  id: recordId,
  name: orNull(z.string()),
  checksum: orNull(z.string().regex(/^[0-9a-f]{64}$/, "64 lowercase hexadecimal digits")),
  size_bytes: z.int().nonnegative(),
  created_at: ifReadable(dateTime),
  last_used_at: ifReadable(dateTime),
});

/** A credential. Lists lack `value_keys`. */
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

/** A profile. Only `id` and `created_at` are certain. */
export const profileSchema: z.ZodType<Profile> = record({
  id: recordId,
  name: orNull(z.string()),
  created_at: ifReadable(dateTime),
  updated_at: ifReadable(dateTime),
  last_used_at: ifReadable(dateTime),
});

/** A project. Every member is certain. */
export const projectSchema: z.ZodType<Project> = record({
  id: recordId,
  name: z.string(),
  status: z.string().min(1),
  created_at: ifReadable(dateTime),
  updated_at: ifReadable(dateTime),
});

const cap = orNull(z.int().nonnegative());

/**
 * Limits of a project. An absent or null limit means that the project sets no cap, so an unreadable
 * limit is refused.
 */
export const projectLimitsSchema: z.ZodType<ProjectLimits> = record({
  max_concurrent_sessions: cap,
  max_concurrent_invocations: cap,
  max_pooled_sessions: cap,
});

const count = ifReadable(z.int().nonnegative());

/** Limits of the organization. The members depend on the version of the service. */
export const organizationLimitsSchema: z.ZodType<OrganizationLimits> = record({
  max_concurrent_sessions: cap,
  default_project_max_concurrent_sessions: cap,
  concurrent_sessions_used: count,
  concurrent_sessions_available: count,
  max_auth_connections: count,
  auth_connections_used: count,
  min_health_check_interval_seconds: count,
});

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
  // Null is a claim: the key never expires, still exists, or belongs to the organization.
  expires_at: orNull(dateTime),
  policy: orNull(policy),
  deleted_at: orNull(dateTime),
  project_id: orNull(recordId),
  project_name: ifReadable(z.string()),
  masked_key: ifReadable(z.string()),
};

/** An API key, never with the secret. The service sends every member, null or not. */
export const apiKeySchema: z.ZodType<ApiKey> = record(apiKeyShape);

/**
 * An API key in the response to a rename. Id and name prove that the rename is done, and no other
 * member may turn the result into "unknown".
 */
export const renamedApiKeySchema: z.ZodType<ApiKey> = record({
  ...apiKeyShape,
  expires_at: ifReadable(dateTime),
  policy: ifReadable(policy),
  deleted_at: ifReadable(dateTime),
  project_id: ifReadable(recordId),
});

/**
 * An API key in the response to the creation, with the secret. The secret is shown only once, so no
 * member that only informs may cost the secret.
 */
export const createdApiKeySchema: z.ZodType<CreatedApiKey> = record({
  ...apiKeyShape,
  expires_at: ifReadable(dateTime),
  policy: ifReadable(policy),
  deleted_at: ifReadable(dateTime),
  project_id: ifReadable(recordId),
  key: z.string().regex(/^[!-~]{1,4096}$/, "1 to 4096 visible ASCII characters"),
});

const projectScope = z.object({ project_id: orNull(recordId) });

/** Response of `GET /auth/context`. Source: the service's published clients. */
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
