import { z } from "zod";
import type { Open } from "../open-enum.js";
import { ifReadable, record } from "../schema.js";

/**
 * Plan of the organization. Features and limits already contain trial, billing and agreements:
 * compare features and limits, and never the name of the plan.
 */
export interface Entitlements {
  /** Plan of the organization. */
  readonly plan: OrganizationPlan;
  /** Features by the service's name, such as `browser_pools`. No value: unreadable. */
  readonly features: Readonly<Record<string, PlanFeature | null>>;
  /** Limits of the plan. */
  readonly limits: PlanLimits;
}

/** Plan of the organization. */
export interface OrganizationPlan {
  /** Booked plan. The service may add more. */
  readonly id: Open<"FREE" | "HOBBYIST" | "START_UP" | "ENTERPRISE">;
  /** Plan that applies. A trial counts as `START_UP`. */
  readonly effectiveId: Open<"FREE" | "HOBBYIST" | "START_UP" | "ENTERPRISE">;
  /** Whether a trial is running. */
  readonly isTrialing: boolean;
}

/** Feature of a plan. */
export interface PlanFeature {
  /** Whether the plan includes the feature. */
  readonly enabled: boolean;
  /** Of `browser_extensions`: stored extensions in all projects. No value: unlimited. */
  readonly maxStoredPerOrg: number | null;
  /** Of `managed_auth`: auth connections in all projects. No value: unlimited. */
  readonly maxConnections: number | null;
  /** Of `managed_auth`: shortest interval between two health checks, in seconds. */
  readonly healthCheckIntervalMinSeconds: number | null;
}

/** Limits of a plan. */
export interface PlanLimits {
  /** Browsers at the same time, on demand and reserved by browser pools together. */
  readonly maxConcurrentBrowsers: number;
}

const count = ifReadable(z.int().nonnegative());
const feature = ifReadable(
  record({
    enabled: z.boolean(),
    max_stored_per_org: count,
    max_connections: count,
    health_check_interval_min_seconds: count,
  }),
);

/** Response of `GET /org/entitlements`. Source: the service's published clients. @internal */
export const entitlementsSchema: z.ZodType<Entitlements> = record({
  plan: record({ id: z.string(), effective_id: z.string(), is_trialing: z.boolean() }),
  features: z.record(z.string(), feature),
  limits: record({ max_concurrent_browsers: z.int().nonnegative() }),
});
