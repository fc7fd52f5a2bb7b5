import { isDeepStrictEqual } from "node:util";
import type { Hono } from "hono";
import { ConnectionEnded } from "../../http/exchange.js";
import { oneOf } from "../../http/query.js";
import { conflict, notFound, ServiceError } from "../../http/service-error.js";
import { nothing } from "../../http/shapes.js";
import type { Access, RequestProject, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import type { EmulatedOrganization } from "../../organization/projects/organization.js";
import { refuse } from "../../storage/ids-and-names.js";
import { withValues } from "../../storage/members.js";
import { profileOnWire } from "../profiles/routes.js";
import type { EmulatedProfile } from "../profiles/store.js";
import { settingsOnWire } from "./changes.js";
import { acquireRequest, createRequest, deleteRequest, releaseRequest, updateRequest } from "./requests.js";
import type { BrowserPoolService } from "./service.js";
import { regions } from "./setting-rules.js";
import type { BrowserPool, PoolBrowser } from "./store.js";

/** Largest body of a request, in bytes (8 MiB): a policy may have 5 MiB. A guess. */
const poolBytesMax = 8_388_608;

export function addBrowserPoolRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  service: BrowserPoolService,
  organization: EmulatedOrganization,
): void {
  const { pools } = service;
  /** Converts a pool. Members without a value are omitted: a guess. Source: the published interface. */
  const onWire = (given: BrowserPool) => {
    const pool = service.bringUpToDate(given);
    const { id, name, createdAt, extensionIds, profileId, settings } = pool;
    return withValues({
      id,
      name,
      created_at: createdAt,
      available_count: service.idle(pool).length,
      acquired_count: service.leased(pool).length,
      extension_ids: extensionIds,
      region: settings.region,
      profile_id: profileId,
      browser_pool_config: withValues({ ...settingsOnWire(settings, "all"), name }),
    });
  };

  const kind = { path: "/browser_pools", thing: "browser pool", table: pools, onWire };
  const routes = new ObjectRoutes(app, access, kind);
  routes.create(
    createRequest,
    ({ name, changes }, context) => {
      const { project } = context.var;
      refuseOverLimits(project, changes.size);
      return service.create({ projectId: project.id, name, changes });
    },
    { bytesMax: poolBytesMax },
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
      refuseOverLimits(context.var.project, (wanted.changes.size ?? 0) - size);
      return service.update(pool, wanted);
    },
    { bytesMax: poolBytesMax },
  );
  routes.remove(deleteRequest, ({ force = false }, given) => {
    const pool = service.bringUpToDate(given);
    const sessions = service
      .leased(pool)
      .map(({ id, lease }) => (lease?.name ? `${lease.name} (${id})` : id));
    if (sessions.length > 0 && !force) {
      // Status and code are as expected by the service's Terraform provider.
      const message = `The browser pool has leased browsers: ${sessions.join(", ")}. Release them, or use force.`;
      throw new ServiceError(400, "pool_in_use", message);
    }
    service.remove(pool);
  });

  routes.post("/acquire", acquireRequest, async (request, pool, context) => {
    const { name = null, start_url: startUrl = null, tags = null } = request;
    if (name !== null && service.leasedAs(pool.projectId, name)) {
      throw conflict(`A browser session named "${name}" is already active in this project.`);
    }
    const gone = new AbortController();
    const { outgoing } = context.env.exchange;
    const abortWait = () => gone.abort();
    outgoing.once("close", abortWait);
    if (outgoing.destroyed) {
      abortWait();
    }
    const lease = { name, startUrl, tags };
    const browser = await service.acquireWithin(pool, lease, request.acquire_timeout_seconds, gone.signal);
    if (gone.signal.aborted) {
      throw new ConnectionEnded();
    }
    // A pool deleted meanwhile has no browser to wait for: a guess.
    const present = pools.find(pool.id) ?? refuse(notFound("Browser pool"));
    return browser
      ? context.json(browserOnWire(browser, present, service.profileOf(present)))
      : context.body(null, 204);
  });
  routes.post("/release", releaseRequest, ({ session_id, reuse = true }, pool, context) => {
    if (!service.release(pool, session_id, reuse)) {
      throw notFound("Leased browser of the pool");
    }
    return context.body(null, 204);
  });
  routes.post("/flush", nothing, (_, pool, context) => {
    service.flush(pool);
    return context.body(null, 204);
  });

  /**
   * Refuses to reserve more browsers than a limit allows. A pool counts with its whole size, as
   * published. Status and code are guesses.
   */
  function refuseOverLimits({ id, limits }: RequestProject, more: number): void {
    const { maxConcurrentSessions, defaultProjectMaxConcurrentSessions } = organization.limits();
    const ofProject = limits.maxConcurrentSessions ?? defaultProjectMaxConcurrentSessions;
    const checks = [
      ["project", ofProject, pools.reserved(id)],
      ["organization", maxConcurrentSessions, pools.reserved()],
    ] as const;
    for (const [owner, limit, reserved] of checks) {
      if (more > 0 && limit !== null && reserved + more > limit) {
        const message = `The ${owner} allows ${limit} concurrent sessions. Its browser pools reserve ${reserved}, so ${more} more are too many.`;
        throw new ServiceError(403, "limit_exceeded", message);
      }
    }
  }
}

/**
 * Converts an acquired browser. The URLs have the published form, and lead nowhere: the emulator
 * runs no browsers.
 */
function browserOnWire(
  { id, settings, builtMs, lease }: PoolBrowser,
  pool: BrowserPool,
  profile: EmulatedProfile | undefined,
) {
  const host = "browsers.emulator.invalid";
  return withValues({
    ...settingsOnWire(settings, "of browsers"),
    session_id: id,
    created_at: new Date(builtMs).toISOString(),
    timeout_seconds: pool.settings.timeoutSeconds,
    cdp_ws_url: `wss://${host}/browser/cdp?session=${id}`,
    webdriver_ws_url: `wss://${host}/browser/webdriver/session?session=${id}`,
    base_url: `https://${host}/browser/kernel`,
    browser_live_view_url: settings.headless ? undefined : `https://${host}/browser/live?session=${id}`,
    pool: withValues({ id: pool.id, name: pool.name }),
    profile: profile && profileOnWire(profile),
    name: lease?.name,
    start_url: lease?.startUrl ?? settings.startUrl,
    tags: lease?.tags,
  });
}
