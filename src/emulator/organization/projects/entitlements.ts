import type { OrganizationLimits } from "./organization.js";

/** Features without a limit of their own. Source: the service's published clients. */
const features = [
  ...["browser_pools", "credential_providers", "credentials", "custom_proxies", "file_io", "gpu"],
  ...["managed_proxies", "profiles", "proxy_bypass_hosts", "search", "vaults"],
];

/**
 * Features and limits of the organization's plan on the wire: every feature, and the limits of the
 * seed. Guesses: the days that replays are kept, and the numbers of app invocations.
 */
export function entitlementsOnWire(limits: OrganizationLimits) {
  const id = "ENTERPRISE";
  const enabled = true;
  const min = limits.minHealthCheckIntervalSeconds;
  return {
    plan: { id, effective_id: id, is_trialing: false, status: "ACTIVE", trial_ends_at: null },
    features: {
      ...Object.fromEntries(features.map((feature) => [feature, { enabled }])),
      browser_extensions: { enabled, max_stored_per_org: null },
      browser_replays: { enabled, retention_days: 30 },
      managed_auth: {
        enabled,
        max_connections: limits.maxAuthConnections,
        health_check_interval_default_seconds: Math.max(3600, min),
        health_check_interval_min_seconds: min,
        health_check_interval_max_seconds: 86_400,
      },
    },
    limits: {
      default_max_concurrent_invocations_per_app: 10,
      max_concurrent_browsers: limits.maxConcurrentSessions,
      max_concurrent_invocations: 100,
      max_vaults: null,
    },
  };
}
