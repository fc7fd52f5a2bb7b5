import { z } from "zod";
import type { Open } from "../open-enum.js";
import { dateTime, ifReadable, orNull, record, recordId } from "../schema.js";

/** Status of a project: `active` or `archived` so far. The service may add more. */
export type ProjectStatus = Open<"active" | "archived">;

/** A project of the organization. */
export interface Project {
  /** Unique id. The service uses 24 characters of a-z and 0-9; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the organization. */
  readonly name: string;
  /** Status: `active` (in use) or `archived`. */
  readonly status: ProjectStatus;
  /** Creation time, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** Time of the last change, as an ISO 8601 date-time, if readable. */
  readonly updatedAt: string | null;
}

/** Caps set by a project for itself. No value: only the organization's limit applies. */
export interface ProjectLimits {
  /** Browsers at the same time, on demand and reserved by browser pools together. */
  readonly maxConcurrentSessions: number | null;
  /** App invocations at the same time. */
  readonly maxConcurrentInvocations: number | null;
  /** @deprecated Pooled browsers count toward `maxConcurrentSessions` under the unified limit. */
  readonly maxPooledSessions: number | null;
}

/** Limits and current usage of the organization. */
export interface OrganizationLimits {
  /** Browsers at the same time in all projects, browsers of pools included. */
  readonly maxConcurrentSessions: number | null;
  /**
   * Browsers at the same time in a project without a cap. No value: only `maxConcurrentSessions`
   * counts.
   */
  readonly defaultProjectMaxConcurrentSessions: number | null;
  /** Browsers that count toward the limit now, if reported. */
  readonly concurrentSessionsUsed: number | null;
  /** Browsers that can still be started, if reported. */
  readonly concurrentSessionsAvailable: number | null;
  /** Auth connections in all projects. No value: no limit, or no report by the service. */
  readonly maxAuthConnections: number | null;
  /** Existing auth connections, if reported. */
  readonly authConnectionsUsed: number | null;
  /** Shortest interval between health checks of an auth connection, in seconds, if reported. */
  readonly minHealthCheckIntervalSeconds: number | null;
}

/** A project. Only `id`, `name` and `status` are certain. @internal */
export const projectSchema: z.ZodType<Project> = record({
  id: recordId,
  name: z.string(),
  status: z.string().min(1),
  created_at: ifReadable(dateTime),
  updated_at: ifReadable(dateTime),
});

const cap = orNull(z.int().nonnegative());

/** Limits of a project. Null is a claim (no cap), so an unreadable limit is refused. @internal */
export const projectLimitsSchema: z.ZodType<ProjectLimits> = record({
  max_concurrent_sessions: cap,
  max_concurrent_invocations: cap,
  max_pooled_sessions: cap,
});

const count = ifReadable(z.int().nonnegative());

/** Limits of the organization. The members depend on the version of the service. @internal */
export const organizationLimitsSchema: z.ZodType<OrganizationLimits> = record({
  max_concurrent_sessions: cap,
  default_project_max_concurrent_sessions: cap,
  concurrent_sessions_used: count,
  concurrent_sessions_available: count,
  max_auth_connections: count,
  auth_connections_used: count,
  min_health_check_interval_seconds: count,
});
