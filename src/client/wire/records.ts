import { z } from "zod";
import type { ApiKey, AuthContext, Extension, Project, ProjectLimits } from "../types.js";
import { dateTime, orNull, record, recordId } from "./answer.js";

/** An extension. Only `id`, `created_at` and `size_bytes` are certain. */
export const extensionSchema: z.ZodType<Extension> = record({
  id: recordId,
  name: orNull(z.string()),
  checksum: orNull(z.string().regex(/^[0-9a-f]{64}$/, "64 lowercase hexadecimal digits")),
  size_bytes: z.int().nonnegative(),
  created_at: dateTime,
  last_used_at: orNull(dateTime),
});

/** A project. Every member is certain. */
export const projectSchema: z.ZodType<Project> = record({
  id: recordId,
  name: z.string(),
  status: z.string().min(1),
  created_at: dateTime,
  updated_at: dateTime,
});

const cap = orNull(z.int().nonnegative());

/** A project's limits. Each may be absent or null; both mean that the project sets no cap. */
export const projectLimitsSchema: z.ZodType<ProjectLimits> = record({
  max_concurrent_sessions: cap,
  max_concurrent_invocations: cap,
  max_pooled_sessions: cap,
});

/** An API key, never with its secret. The service sends every member, null or not. */
export const apiKeySchema: z.ZodType<ApiKey> = record({
  id: recordId,
  name: z.string(),
  created_at: dateTime,
  created_by: record({ id: z.string(), email: z.string(), name: orNull(z.string()) }),
  expires_at: orNull(dateTime),
  deleted_at: orNull(dateTime),
  project_id: orNull(z.string()),
  project_name: orNull(z.string()),
  masked_key: z.string(),
});

const projectScope = z.object({ project_id: orNull(z.string()) });

/** The answer of `GET /auth/context`. Source: the service's published clients. */
export const authContextSchema: z.ZodType<AuthContext> = z
  .object({
    authentication: z.object({
      method: z.string(),
      source: z.string(),
      credential_id: orNull(z.string()),
    }),
    authorization: z.object({ credential_scope: projectScope, effective_scope: projectScope }),
    organization: z.object({ id: z.string() }),
    principal: z.object({ id: z.string(), type: z.string() }),
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
