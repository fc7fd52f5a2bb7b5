import type { Hono } from "hono";
import type { OrganizationStore } from "./projects/organization.js";
import type { Access, RouteEnvironment } from "./access.js";

/**
 * Adds the operation that tells a caller who it is. Source of the shape: the service's published clients; null is the whole
 * organization. The effective scope of a request is the project its header names, else its key's.
 */
export function addAuthContextRoute(
  app: Hono<RouteEnvironment>,
  access: Access,
  organization: OrganizationStore,
): void {
  app.get("/auth/context", access, async (context) => {
    await context.env.exchange.reach("before-commit");
    const { caller, scope } = context.var;
    return context.json({
      authentication: { method: "api_key", source: "api_key", credential_id: caller.id },
      authorization: {
        credential_scope: { project_id: caller.projectId },
        effective_scope: { project_id: scope },
      },
      organization: { id: organization.id },
      principal: { id: caller.id, type: "api_key" },
    });
  });
}
