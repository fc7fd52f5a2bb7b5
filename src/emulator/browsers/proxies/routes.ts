import type { Context, Hono } from "hono";
import { beforeCommit } from "../../http/exchange.js";
import { answerPage, readFilters, readPageRequest } from "../../http/query.js";
import { readJson } from "../../http/request-body.js";
import { notFound, ServiceError } from "../../http/service-error.js";
import type { Access, RouteEnvironment } from "../../organization/api-keys/access.js";
import { refuseUngranted } from "../../organization/api-keys/scope.js";
import { snakeCased, withValues } from "../../storage/table.js";
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
  app.post("/proxies", access, async (context) => {
    const request = await readJson(context, createRequest);
    await beforeCommit(context);
    return context.json(onWire(proxies.insert(context.var.project.id, request)), 201);
  });

  app.get("/proxies", access, async (context) => {
    const request = { ...readPageRequest(context), ...readFilters(context, "name", "query") };
    await beforeCommit(context);
    const { project, granted: ids } = context.var;
    return answerPage(context, proxies.page({ projectId: project.id, ids, ...request }), onWire);
  });

  app.get("/proxies/:idOrName", access, async (context) => {
    await beforeCommit(context);
    return context.json(onWire(find(context)));
  });

  app.patch("/proxies/:idOrName", access, async (context) => {
    const { name } = await readJson(context, renameRequest);
    await beforeCommit(context);
    return context.json(onWire(proxies.rename(find(context).id, name)));
  });

  app.post("/proxies/:idOrName/check", access, async (context) => {
    const { url } = await readJson(context, checkRequest);
    await beforeCommit(context);
    const proxy = find(context);
    // A check of a URL does not change the recorded health. Source: the published interface.
    return context.json(onWire(url === undefined ? proxies.setStatus(proxy.id, proxy.status) : proxy));
  });

  app.delete("/proxies/:idOrName", access, async (context) => {
    await beforeCommit(context);
    const { id } = find(context);
    const users = usersOf(id);
    if (users !== undefined) {
      // Status and code are published. Guess: a pool does not block the deletion.
      throw new ServiceError(400, "resource_in_use", `The proxy is used by ${users}.`);
    }
    proxies.remove(id);
    return context.body(null, 204);
  });

  /**
   * Finds a proxy. The refusal of a name shared by several proxies is published for reads, and a
   * guess for further operations.
   */
  function find(context: Context<RouteEnvironment, `/proxies/:idOrName${string}`>): EmulatedProxy {
    const idOrName = context.req.param("idOrName");
    const [proxy, ...others] = proxies.allIn(context.var.project.id, idOrName);
    if (others.length > 0) {
      const message = `Several proxies of this project have the name "${idOrName}". Use an id.`;
      throw new ServiceError(400, "ambiguous_proxy_name", message);
    }
    if (proxy === undefined) {
      throw notFound("Proxy");
    }
    refuseUngranted(context, proxy.id);
    return proxy;
  }
}

/** Converts a record as the service sends records. Members without a value are omitted: a guess. */
function onWire({ projectId, ...proxy }: EmulatedProxy) {
  return snakeCased(withValues(proxy));
}
