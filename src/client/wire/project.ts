/** The shapes of projects and of their limits on the wire, by the rules of `wire.ts`. */
import { z } from "zod";
import { dateTime } from "./extension.js";

/** A project as the service sends it. Every member is certain. Source: the service's published interface description. */
export const projectWire = z.object({
  id: z.string().min(1).max(255),
  name: z.string(),
  status: z.string().min(1),
  created_at: dateTime,
  updated_at: dateTime,
});

/** Status of a project: `active` or `archived` so far. The set is open, since the service may add to it. */
export type ProjectStatus = "active" | "archived" | (string & Record<never, never>);

/** A project of the organization. */
export interface Project {
  /** Unique id, 24 characters of a-z and 0-9 at the service; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the organization. */
  readonly name: string;
  /** Whether it can be worked in: `active` or `archived`. */
  readonly status: ProjectStatus;
  /** When it was made, as an ISO 8601 date-time. */
  readonly createdAt: string;
  /** When it was last changed, as an ISO 8601 date-time. */
  readonly updatedAt: string;
}

/** Reads a project into our own names. */
export const projectSchema: z.ZodType<Project> = projectWire.transform((wire) => ({
  id: wire.id,
  name: wire.name,
  status: wire.status,
  createdAt: wire.created_at,
  updatedAt: wire.updated_at,
}));

/** Reads one page of projects: a bare JSON array. */
export const projectPageSchema: z.ZodType<readonly Project[]> = z.array(projectSchema);

const cap = z.int().nonnegative().nullish();

/** A project's limits as the service sends them: each may be absent or null, and both say that the project sets no cap. */
export const projectLimitsWire = z.object({
  max_concurrent_sessions: cap,
  max_concurrent_invocations: cap,
  max_pooled_sessions: cap,
});

/** The caps a project sets for itself. Null: it sets none, and the organization's limit applies alone. */
export interface ProjectLimits {
  /** Browsers at once, on demand and reserved by browser pools together. */
  readonly maxConcurrentSessions: number | null;
  /** App invocations at once. */
  readonly maxConcurrentInvocations: number | null;
  /** @deprecated Pooled browsers count toward `maxConcurrentSessions`; always null once the organization has the unified limit. */
  readonly maxPooledSessions: number | null;
}

/** Reads a project's limits into our own names. */
export const projectLimitsSchema: z.ZodType<ProjectLimits> = projectLimitsWire.transform((wire) => ({
  maxConcurrentSessions: wire.max_concurrent_sessions ?? null,
  maxConcurrentInvocations: wire.max_concurrent_invocations ?? null,
  maxPooledSessions: wire.max_pooled_sessions ?? null,
}));
