import { isDeepStrictEqual } from "node:util";
import type { Hono } from "hono";
import { ConnectionEnded } from "../../http/exchange.js";
import { oneOf } from "../../http/query.js";
import { asBadRequest, notFound, ServiceError } from "../../http/service-error.js";
import { nothing } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import { snakeCased, withValues } from "../../storage/members.js";
import type { SessionService } from "../sessions/service.js";
import { sessionOnWire } from "../sessions/wire.js";
import { settingsOnWire } from "./changes.js";
import {
  acquireRequest,
  createRequest,
  deleteRequest,
  releaseRequest,
  settingsBytesMax,
  updateRequest,
} from "./requests.js";
import type { BrowserPoolService } from "./service.js";
import { regions } from "./setting-rules.js";
import type { BrowserPool } from "./store.js";

export function addBrowserPoolRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  service: BrowserPoolService,
  sessions: SessionService,
): void {
  const { pools } = service;
  const { running } = sessions;
  /** Converts a pool. Members without a value are omitted: a guess. Source: the published interface. */
  const onWire = (given: BrowserPool) => {
    const { settings, projectId, ...pool } = service.counted(given);
    return withValues({
      ...{ id: pool.id, name: pool.name, ...snakeCased(pool), region: settings.region },
      browser_pool_config: withValues({ ...settingsOnWire(settings), name: pool.name }),
    });
  };

  const kind = { path: "/browser_pools", thing: "browser pool", table: pools, onWire };
  const routes = new ObjectRoutes(app, access, kind);
  routes.create(
    createRequest,
    ({ name, changes }, context) => {
      const { project } = context.var;
      sessions.refuseOverLimits(project, changes.size);
      return service.create({ projectId: project.id, name, changes });
    },
    { bytesMax: settingsBytesMax },
  );
  routes.list(["name"], {
    also: (context) => {
      const region = oneOf(context, "region", regions);
      return ({ settings }) => settings.region === (region ?? settings.region);
    },
  });
  routes.read();
  routes.change(
    updateRequest,
    ({ expectedNetwork, ...wanted }, pool, context) => {
      const { network, size } = pool.settings;
      if (expectedNetwork !== undefined && !isDeepStrictEqual(expectedNetwork, network ?? {})) {
        const message = "The network of the pool is not the expected one. Nothing was changed.";
        throw new ServiceError(409, "stale_network", message);
      }
      sessions.refuseOverLimits(context.var.project, (wanted.changes.size ?? 0) - size);
      return service.update(pool, wanted);
    },
    { bytesMax: settingsBytesMax },
  );
  routes.remove(deleteRequest, async ({ force = false }, given) => {
    const pool = service.bringUpToDate(given);
    const leased = service.leased(pool).map(({ id, lease }) => (lease?.name ? `${lease.name} (${id})` : id));
    if (leased.length > 0 && !force) {
      // Status and code are as expected by the service's Terraform provider.
      const message = `The browser pool has leased browsers: ${leased.join(", ")}. Release them, or use force.`;
      throw new ServiceError(400, "pool_in_use", message);
    }
    service.remove(pool);
    await running?.endOrphans();
  });

  routes.post("/acquire", acquireRequest, async (request, pool, context) => {
    const { name = null, start_url: startUrl = null, tags = null } = request;
    sessions.refuseActive(pool.projectId, name);
    const profile = asBadRequest(() => sessions.profile(pool.projectId, request.profile));
    const { signal } = context.req.raw;
    const lease = { name, startUrl, tags, profile, apiKeyId: context.var.caller.id };
    const session = await service.acquireWithin(pool, lease, request.acquire_timeout_seconds, signal);
    if (signal.aborted) {
      throw new ConnectionEnded();
    }
    // A pool deleted meanwhile has no browser to wait for: a guess.
    if (pools.find(pool.id) === undefined) {
      throw notFound("Browser pool");
    }
    if (session === undefined) {
      return context.body(null, 204);
    }
    await running?.start(session);
    if (signal.aborted) {
      await sessions.end(session.id);
      throw new ConnectionEnded();
    }
    return context.json(sessionOnWire(sessions, session, context));
  });
  routes.post("/release", releaseRequest, async ({ session_id, reuse = true }, pool, context) => {
    if (!service.release(pool, session_id, reuse)) {
      throw notFound("Leased browser of the pool");
    }
    running?.find(session_id)?.rest();
    await running?.endOrphans();
    return context.body(null, 204);
  });
  routes.post("/flush", nothing, async (_, pool, context) => {
    service.flush(pool);
    await running?.endOrphans();
    return context.body(null, 204);
  });
}
