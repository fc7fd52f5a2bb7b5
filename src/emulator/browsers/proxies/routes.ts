import type { Hono } from "hono";
import { ServiceError } from "../../http/service-error.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import { snakeCased, withValues } from "../../storage/members.js";
import { checkRequest, createRequest, renameRequest } from "./requests.js";
import type { EmulatedProxy, ProxyStore } from "./store.js";

/**
 * Adds the operations on proxies. `usersOf` lists the users of a proxy, as the end of a sentence;
 * undefined if none. A check sends no request and keeps the status of the proxy.
 */
export function addProxyRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  proxies: ProxyStore,
  usersOf: (proxyId: string) => string | undefined,
): void {
  const routes = new ObjectRoutes(app, access, {
    path: "/proxies",
    thing: "proxy",
    table: proxies,
    onWire,
    // The refusal of a name shared by several proxies is published for reads, and a guess for
    // further operations.
    find: (context, idOrName) => {
      const [proxy, ...others] = proxies.allIn(context.var.project.id, idOrName);
      if (others.length > 0) {
        const message = `Several proxies of this project have the name "${idOrName}". Use an id.`;
        throw new ServiceError(400, "ambiguous_proxy_name", message);
      }
      return proxy;
    },
  });
  routes.create(createRequest, (request, context) => proxies.insert(context.var.project.id, request));
  routes.list(["name"]);
  routes.read();
  routes.change(renameRequest, ({ name }, { id }) => proxies.rename(id, name));
  routes.post("/check", checkRequest, ({ url }, proxy, context) =>
    // A check of a URL does not change the recorded health. Source: the published interface.
    context.json(onWire(url === undefined ? proxies.setStatus(proxy.id, proxy.status) : proxy)),
  );
  // Status and code of the refusal are published. Guess: a pool does not block the deletion.
  routes.removeUnused(usersOf);
}

/** Converts a record as the service sends records. Members without a value are omitted: a guess. */
function onWire({ projectId, ...proxy }: EmulatedProxy) {
  return snakeCased(withValues(proxy));
}
