import { z } from "zod";
import type { Open } from "../open-enum.js";
import { ifReadable, record } from "../schema.js";

/**
 * Plan of the organization. Features and limits already contain trial, billing and agreements:
 * compare features and limits, and never the name of the plan.
 */
export interface Entitlements {
  readonly plan: OrganizationPlan;
  readonly features: PlanFeatures;
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

/** Features of a plan. No value: not reported by the service. */
export interface PlanFeatures {
  readonly browserExtensions: PlanFeature | null;
  readonly browserPools: PlanFeature | null;
  readonly credentialProviders: PlanFeature | null;
  readonly credentials: PlanFeature | null;
  readonly customProxies: PlanFeature | null;
  readonly managedAuth: PlanFeature | null;
  readonly managedProxies: PlanFeature | null;
  readonly profiles: PlanFeature | null;
}

/** Feature of a plan. */
export interface PlanFeature {
  /** Whether the plan includes the feature. */
  readonly enabled: boolean;
  /** Of `browserExtensions`: stored extensions in all projects. No value: unlimited. */
  readonly maxStoredPerOrg: number | null;
  /** Of `managedAuth`: auth connections in all projects. No value: unlimited. */
  readonly maxConnections: number | null;
  /** Of `managedAuth`: shortest interval between two health checks, in seconds. */
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

/**
 * Response of `GET /org/entitlements`. Source: the service's published clients.
 * @internal
 */
export const entitlementsSchema: z.ZodType<Entitlements> = record({
  plan: record({ id: z.string(), effective_id: z.string(), is_trialing: z.boolean() }),
  features: record({
    browser_extensions: feature,
    browser_pools: feature,
    credential_providers: feature,
    credentials: feature,
    custom_proxies: feature,
    managed_auth: feature,
    managed_proxies: feature,
    profiles: feature,
  }),
  limits: record({ max_concurrent_browsers: z.int().nonnegative() }),
});
