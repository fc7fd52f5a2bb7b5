import type { Hono } from "hono";
import { z } from "zod";
import { beforeCommit } from "../../http/exchange.js";
import { readJson } from "../../http/request-body.js";
import { invalidInput } from "../../http/service-error.js";
import { exactly } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import type { ObjectRoutes } from "../../objects/routes.js";
import { snakeCased } from "../../storage/members.js";
import type { EmulatedOrganization, OrganizationLimits } from "./organization.js";
import { unconfined } from "./routes.js";
import type { EmulatedLimits, EmulatedProject, EmulatedProjects } from "./store.js";

const notALimit = "must be a whole number of at least 0; 0 removes the limit";

// The meaning of null is not published; here null is the same as an omitted member.
const limit = z.int(notALimit).nonnegative(notALimit).nullish();

const projectLimitChanges = exactly({
  max_concurrent_sessions: limit,
  max_concurrent_invocations: limit,
  max_pooled_sessions: z
    .null(
      "is deprecated and cannot be set: browsers in pools count toward max_concurrent_sessions. Leave it out",
    )
    .optional(),
});

const organizationLimitChanges = exactly({ default_project_max_concurrent_sessions: limit });

/** Adds the operations on limits of projects and the organization. `used` counts objects in use. */
export function addLimitRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  projects: EmulatedProjects,
  organization: EmulatedOrganization,
  routes: ObjectRoutes<EmulatedProject>,
  used: { readonly authConnections: () => number; readonly sessions: () => number },
): void {
  // The newest published client requires all members. There are no vaults here, and the only
  // browsers are the browsers that pools reserve.
  const organizationOnWire = () => {
    const sessions = used.sessions();
    return {
      ...onWire(organization.limits()),
      auth_connections_used: used.authConnections(),
      concurrent_sessions_used: sessions,
      concurrent_sessions_available: Math.max(0, organization.limits().maxConcurrentSessions - sessions),
      max_vaults: null,
      vaults_used: 0,
    };
  };

  routes.read("/limits", (context, project) => context.json(onWire(project.limits)));

  const organizationAccess = unconfined(access, "change limits");
  routes.change(
    projectLimitChanges,
    (changes, { id }) =>
      projects.setLimits(id, {
        maxConcurrentSessions: asLimit(changes.max_concurrent_sessions),
        maxConcurrentInvocations: asLimit(changes.max_concurrent_invocations),
      }),
    { below: "/limits", access: organizationAccess, onWire: ({ limits }) => onWire(limits) },
  );

  app.get("/org/limits", access, async (context) => {
    await beforeCommit(context);
    return context.json(organizationOnWire());
  });

  app.get("/org/entitlements", access, async (context) => {
    await beforeCommit(context);
    return context.json(entitlementsOnWire(organization.limits()));
  });

  app.patch("/org/limits", organizationAccess, async (context) => {
    const changes = await readJson(context, organizationLimitChanges);
    await beforeCommit(context);
    const perProject = asLimit(changes.default_project_max_concurrent_sessions);
    const { maxConcurrentSessions } = organization.limits();
    if (perProject && perProject > maxConcurrentSessions) {
      throw invalidInput(
        `The default of projects must not exceed the organization's limit of ${maxConcurrentSessions}.`,
      );
    }
    if (perProject !== undefined) {
      organization.setDefaultProjectLimit(perProject);
    }
    return context.json(organizationOnWire());
  });
}

/** Converts a limit in a request, in which 0 means no limit, to a stored limit. */
function asLimit(limit: number | null | undefined): number | null | undefined {
  return limit === 0 ? null : (limit ?? undefined);
}

// All members are sent: the members that the service omits are not published.
function onWire(limits: EmulatedLimits | OrganizationLimits) {
  return snakeCased({ ...limits });
}

/** Features without a limit of their own. Source: the service's published clients. */
const features = [
  ...["browser_pools", "credential_providers", "credentials", "custom_proxies", "file_io", "gpu"],
  ...["managed_proxies", "profiles", "proxy_bypass_hosts", "search", "vaults"],
];

/**
 * Features and limits of the organization's plan on the wire: every feature, and the limits of the
 * seed. Guesses: the days that replays are kept, and the numbers of app invocations.
 */
function entitlementsOnWire(limits: OrganizationLimits) {
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
