import { type Context, Hono } from "hono";
import { shorten } from "../text/escape.js";
import { addDeploymentRoutes } from "./apps/routes.js";
import { addBrowserPoolRoutes } from "./browsers/browser-pools/routes.js";
import type { BrowserPool } from "./browsers/browser-pools/store.js";
import { addExtensionRoutes } from "./browsers/extensions/routes.js";
import { addProfileRoutes } from "./browsers/profiles/routes.js";
import { addProxyRoutes } from "./browsers/proxies/routes.js";
import { addSessionRoutes } from "./browsers/sessions/routes.js";
import { addControlRoutes, type Controlled, controlPath, isControl } from "./control/routes.js";
import { ServiceError } from "./http/service-error.js";
import { connectionAccess } from "./logins/auth-connections/access.js";
import { addAuthConnectionRoutes } from "./logins/auth-connections/routes.js";
import { addCredentialRoutes } from "./logins/credentials/routes.js";
import { addLoginRoutes } from "./logins/routes.js";
import type { RouteEnvironment } from "./objects/access.js";
import { addAuthContextRoute, organizationAccess, projectAccess } from "./organization/api-keys/access.js";
import { addApiKeyRoutes } from "./organization/api-keys/routes.js";
import { addCredentialProviderRoutes } from "./organization/credential-providers/routes.js";
import { addLimitRoutes } from "./organization/projects/limit-routes.js";
import { addProjectRoutes } from "./organization/projects/routes.js";
import { addTelemetryDestinationRoutes } from "./organization/telemetry-destinations/routes.js";
import { addPageRoutes } from "./pages/routes.js";

/** Creates the service's routes and the control routes. Any further operation gets 501. */
export function createApp(controlled: Controlled): Hono<RouteEnvironment> {
  const { stores } = controlled;
  const { organization, apiKeys, projects, extensions, profiles, proxies, browserPools, logins } = stores;
  const app = new Hono<RouteEnvironment>();
  const ofProject = projectAccess(apiKeys, projects);
  const ofConnection = connectionAccess(ofProject, logins, projects);
  const ofOrganization = organizationAccess(apiKeys, projects);
  const notEmulated = (context: Context<RouteEnvironment>) => {
    const { method, path } = context.req;
    const others = serviceRoutes().filter((route) => route.method !== method && matchesRoute(route, path));
    const there =
      others.length === 0 ? "" : ` There it has ${others.map((route) => route.method).join(", ")}.`;
    // Not 404: a program that creates missing objects would mistake a route that is not emulated, or a
    // wrong base URL, for a missing object.
    const message = `The emulator has no route for ${method} ${shorten(path, 200)}.${there} For all routes, see GET ${controlPath}/routes or docs/emulator/emulator.md.`;
    return new ServiceError(501, "not_emulated", message).response();
  };
  const serviceRoutes = () => {
    const served = app.routes.filter(({ handler, path }) => handler !== notEmulated && !isControl(path));
    // A route occurs twice: with the access, and with the handler.
    const byName = new Map(served.map(({ method, path }) => [`${method} ${path}`, { method, path }]));
    return [...byName.values()];
  };

  // Operation of the service that would otherwise look like an extension of this name.
  app.get("/extensions/from_chrome_store", notEmulated);
  addExtensionRoutes(app, ofProject, extensions, (id) =>
    describePools(browserPools.pools.poolsWithExtension(id)),
  );
  addProfileRoutes(app, ofProject, profiles);
  addCredentialRoutes(app, ofProject, stores.credentials);
  addProxyRoutes(app, ofProject, proxies, (id) => logins.connections.connectionsWithProxyText(id));
  addBrowserPoolRoutes(app, ofProject, browserPools, stores.sessions);
  addSessionRoutes(app, ofProject, stores.sessions);
  const connections = addAuthConnectionRoutes(app, ofProject, ofConnection, logins, organization);
  addLoginRoutes(app, ofProject, ofConnection, logins, connections);
  addDeploymentRoutes(app, ofProject, stores.builds);
  addPageRoutes(app);
  const countResources = (id: string) =>
    [
      extensions,
      profiles,
      proxies,
      stores.credentials,
      browserPools.pools,
      logins.connections,
      stores.deployments,
    ].reduce((sum, table) => sum + table.all(id).length, 0);
  const projectRoutes = addProjectRoutes(app, ofOrganization, projects, countResources);
  addLimitRoutes(app, ofOrganization, projects, organization, projectRoutes, {
    authConnections: () => logins.connections.select().length,
    sessions: () => stores.sessions.reserved(),
  });
  addApiKeyRoutes(app, ofOrganization, apiKeys, projects, {
    organizationId: organization.id,
    // No policy can name a browser or a vault: no request addresses such objects.
    has: (projectId, kind, id) =>
      [kind === "profiles" && profiles, kind === "proxies" && proxies].some(
        (table) => table && table.find(id)?.projectId === projectId,
      ),
  });
  addTelemetryDestinationRoutes(app, ofOrganization, stores.telemetryDestinations, {
    of: (id) => describePools(browserPools.exportingTo(id)) ?? logins.connections.connectionsExportingTo(id),
    byName: (id) => logins.connections.connectionsExportingTo(id, true),
  });
  addCredentialProviderRoutes(app, ofOrganization, stores.credentialProviders);
  addAuthContextRoute(app, ofOrganization, organization);
  addControlRoutes(app, ofOrganization, { ...controlled, routes: serviceRoutes });
  app.notFound(notEmulated);
  // The server converts every error to a response, even the error of a fault.
  app.onError((error) => {
    throw error;
  });
  return app;
}

/** Lists pools, as the end of a sentence; undefined for no pools. */
function describePools(pools: readonly BrowserPool[]): string | undefined {
  const names = pools.map(({ id, name }) => (name === null ? id : `"${name}" (id ${id})`));
  return names.length === 0 ? undefined : `the browser pools ${names.join(", ")}`;
}

/** Whether a path fits a route. Parameters (`:id`) stand for anything but a slash. */
function matchesRoute(route: { readonly path: string }, path: string): boolean {
  const parts = path.split("/");
  const wanted = route.path.split("/");
  return (
    parts.length === wanted.length &&
    wanted.every((part, index) => part === parts[index] || (part.startsWith(":") && parts[index] !== ""))
  );
}
