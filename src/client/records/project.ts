import type { Open } from "./open.js";

/** Status of a project: `active` or `archived` so far. The service may add more. */
export type ProjectStatus = Open<"active" | "archived">;

/** A project of the organization. */
export interface Project {
  /** Unique id. The service uses 24 characters of a-z and 0-9; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the organization. */
  readonly name: string;
  /** Whether the project is in use: `active` or `archived`. */
  readonly status: ProjectStatus;
  /** When it was created, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** When it was last changed, as an ISO 8601 date-time, if readable. */
  readonly updatedAt: string | null;
}

/** The caps that a project sets for itself. No value: only the organization's limit applies. */
export interface ProjectLimits {
  /** Browsers at the same time, on demand and reserved by browser pools together. */
  readonly maxConcurrentSessions: number | null;
  /** App invocations at the same time. */
  readonly maxConcurrentInvocations: number | null;
  /** @deprecated Pooled browsers count toward `maxConcurrentSessions` under the unified limit. */
  readonly maxPooledSessions: number | null;
}

/** What the organization may use, and what it uses now. */
export interface OrganizationLimits {
  /** Browsers at the same time in all projects, those of browser pools included. */
  readonly maxConcurrentSessions: number | null;
  /** The same in each project that sets no cap of its own. No value: only the one above counts. */
  readonly defaultProjectMaxConcurrentSessions: number | null;
  /** Browsers that count toward the limit now, if the service says so. */
  readonly concurrentSessionsUsed: number | null;
  /** Browsers that can still be started, if the service says so. */
  readonly concurrentSessionsAvailable: number | null;
  /** Auth connections in all projects. No value: no limit, or the service does not say. */
  readonly maxAuthConnections: number | null;
  /** Auth connections that there are now, if the service says so. */
  readonly authConnectionsUsed: number | null;
  /** Shortest interval between health checks of an auth connection, in seconds, if the service says so. */
  readonly minHealthCheckIntervalSeconds: number | null;
}
