import { type Context, Hono } from "hono";
import { addAuthContextRoute, organizationAccess, projectAccess, type RouteEnvironment } from "./access.js";
import { addApiKeyRoutes } from "./api-keys/routes.js";
import { addExtensionRoutes } from "./extensions/routes.js";
import { ServiceError } from "./http/service-error.js";
import { connectionAccess } from "./logins/connections/access.js";
import { addAuthConnectionRoutes } from "./logins/connections/routes.js";
import { addLoginPageRoutes } from "./logins/page/routes.js";
import { addLoginRoutes } from "./logins/routes.js";
import { addLimitRoutes } from "./projects/limit-routes.js";
import { addProjectRoutes } from "./projects/routes.js";
import type { Stores } from "./seed/apply.js";

/** The service's routes. An unknown operation gets 404 and the list of those that exist. */
export function createApp(stores: Stores): Hono<RouteEnvironment> {
  const { organization, apiKeys, projects, extensions, logins } = stores;
  const app = new Hono<RouteEnvironment>();
  const ofProject = projectAccess(apiKeys, projects);
  const ofConnection = connectionAccess(ofProject, logins, projects);
  const ofOrganization = organizationAccess(apiKeys, projects);
  const notEmulated = (context: Context<RouteEnvironment>) => {
    const emulated = app.routes.filter(({ handler }) => handler !== notEmulated);
    const routes = [...new Set(emulated.map(({ method, path }) => `${method} ${path}`))];
    // Not `not_found`: a client takes that code for a deleted resource, and a wrong base URL must
    // not look like one.
    const { method, path } = context.req;
    const message = `The emulator has no route for ${method} ${path}. It has: ${routes.join(", ")}.`;
    return new ServiceError(404, "route_not_found", message).response();
  };

  // An operation of the service that would otherwise look like an extension of this name.
  app.get("/extensions/from_chrome_store", notEmulated);
  addExtensionRoutes(app, ofProject, extensions);
  addAuthConnectionRoutes(app, ofProject, ofConnection, logins);
  addLoginRoutes(app, ofProject, ofConnection, logins);
  addLoginPageRoutes(app);
  const countResources = (id: string) => extensions.count(id) + logins.connections.count(id);
  addProjectRoutes(app, ofOrganization, projects, countResources);
  addLimitRoutes(app, ofOrganization, projects, organization);
  addApiKeyRoutes(app, ofOrganization, apiKeys, projects);
  addAuthContextRoute(app, ofOrganization, organization);
  app.notFound(notEmulated);
  // The server makes an answer of every error, also of a fault's.
  app.onError((error) => {
    throw error;
  });
  return app;
}
