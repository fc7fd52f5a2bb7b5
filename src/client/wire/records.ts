import { z } from "zod";
import type { ApiKey, AuthContext, BrowserPool, Extension, Project, ProjectLimits } from "../types.js";
import { dateTime, ifReadable, inOurNames, orNull, record, recordId } from "./answer.js";

/** An extension. Only `id`, `created_at` and `size_bytes` are certain. */
export const extensionSchema: z.ZodType<Extension> = record({
  id: recordId,
  name: orNull(z.string()),
  checksum: orNull(z.string().regex(/^[0-9a-f]{64}$/, "64 lowercase hexadecimal digits")),
  size_bytes: z.int().nonnegative(),
  created_at: ifReadable(dateTime),
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
 * A project's limits. Each may be absent or null; both mean that the project sets no cap. So one
 * that cannot be read is not read as null.
 */
export const projectLimitsSchema: z.ZodType<ProjectLimits> = record({
  max_concurrent_sessions: cap,
  max_concurrent_invocations: cap,
  max_pooled_sessions: cap,
});

const apiKeyShape = {
  id: recordId,
  name: z.string(),
  created_at: ifReadable(dateTime),
  created_by: ifReadable(record({ id: recordId, email: z.string(), name: ifReadable(z.string()) })),
  // Null claims something: a key that never expires, still exists, belongs to the organization.
  expires_at: orNull(dateTime),
  deleted_at: orNull(dateTime),
  project_id: orNull(recordId),
  project_name: ifReadable(z.string()),
  masked_key: ifReadable(z.string()),
};

/** An API key, never with its secret. The service sends every member, null or not. */
export const apiKeySchema: z.ZodType<ApiKey> = record(apiKeyShape);

/**
 * An API key in the answer to a rename. Its id and name prove that the rename is done, and nothing
 * else in it may turn that into "unknown".
 */
export const renamedApiKeySchema: z.ZodType<ApiKey> = record({
  ...apiKeyShape,
  expires_at: ifReadable(dateTime),
  deleted_at: ifReadable(dateTime),
  project_id: ifReadable(recordId),
});

const switchedOn = orNull(z.boolean());
const pixels = z.int().positive();
const reference = z.object({ id: orNull(z.string()), name: orNull(z.string()) });

/** The settings of a browser pool. Only `size` is certain. */
const browserPoolConfig = z.object({
  size: z.int().nonnegative(),
  extensions: orNull(z.array(reference)),
  profile: orNull(reference),
  proxy_id: orNull(z.string()),
  chrome_policy: orNull(z.record(z.string(), z.unknown())),
  viewport: orNull(record({ width: pixels, height: pixels, refresh_rate: orNull(pixels) })),
  headless: switchedOn,
  stealth: switchedOn,
  kiosk_mode: switchedOn,
  start_url: orNull(z.string()),
  timeout_seconds: orNull(z.number()),
  fill_rate_per_minute: orNull(z.number()),
  refresh_on_profile_update: switchedOn,
  telemetry: orNull(
    z.object({ browser: orNull(z.record(z.string(), z.object({ enabled: switchedOn }).nullable())) }),
  ),
});

/**
 * A browser pool. Everything that a caller may compare with what it wants is strict. An empty
 * string is how the service clears a setting, so that it is read as no value, and so is a policy
 * without a member.
 */
export const browserPoolSchema: z.ZodType<BrowserPool> = z
  .object({
    id: recordId,
    name: orNull(z.string()),
    available_count: z.int().nonnegative(),
    acquired_count: z.int().nonnegative(),
    extension_ids: orNull(z.array(recordId)),
    profile_id: orNull(z.string()),
    created_at: ifReadable(dateTime),
    browser_pool_config: browserPoolConfig,
  })
  .transform(({ browser_pool_config: config, ...pool }) => {
    const { extensions, profile, chrome_policy, telemetry, ...others } = config;
    return {
      ...inOurNames({ ...others, ...pool }),
      extensionIds: pool.extension_ids ?? (extensions ?? []).flatMap(({ id }) => id ?? []),
      name: pool.name || null,
      profileId: pool.profile_id || profile?.id || null,
      profileName: profile?.name || null,
      proxyId: others.proxy_id || null,
      startUrl: others.start_url || null,
      chromePolicy: Object.keys(chrome_policy ?? {}).length > 0 ? chrome_policy : null,
      telemetry: telemetry && categoriesOf(telemetry.browser ?? {}),
    };
  });

/** Which categories are captured: `{page: {enabled: true}}` becomes `{page: true}`. */
function categoriesOf(wire: Readonly<Record<string, { enabled: boolean | null } | null>>) {
  const told = Object.entries(wire).flatMap(([name, category]) =>
    category?.enabled === null || category === null ? [] : [[name, category.enabled] as const],
  );
  return Object.fromEntries(told);
}

const projectScope = z.object({ project_id: orNull(recordId) });

/** The answer of `GET /auth/context`. Source: the service's published clients. */
export const authContextSchema: z.ZodType<AuthContext> = z
  .object({
    authentication: z.object({
      method: z.string(),
      source: z.string(),
      credential_id: orNull(recordId),
    }),
    authorization: z.object({ credential_scope: projectScope, effective_scope: projectScope }),
    organization: z.object({ id: recordId }),
    principal: z.object({ id: recordId, type: z.string() }),
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
