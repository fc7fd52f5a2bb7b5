import { isDeepStrictEqual } from "node:util";
import type { Context, Hono } from "hono";
import { beforeCommit, ConnectionEnded } from "../../http/exchange.js";
import { answerPage, oneOf, readFilters, readPageRequest } from "../../http/query.js";
import { readJson } from "../../http/request-body.js";
import { asRequest, conflict, nameConflict, notFound, ServiceError } from "../../http/service-error.js";
import type { Access, RouteEnvironment } from "../../organization/api-keys/access.js";
import type { OrganizationStore } from "../../organization/projects/organization.js";
import type { EmulatedProject } from "../../organization/projects/store.js";
import { refuse } from "../../storage/ids-and-names.js";
import type { BrowserPool } from "./record.js";
import { acquireRequest, createRequest, deleteRequest, releaseRequest, updateRequest } from "./requests.js";
import type { BrowserPoolService } from "./service.js";
import { regions } from "./setting-rules.js";
import { browserOnWire, poolOnWire } from "./wire.js";

/** Largest body of a request, in bytes (8 MiB): a policy may have 5 MiB. A guess. */
const poolBytesMax = 8_388_608;

/** Adds the operations on browser pools. */
export function addBrowserPoolRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  service: BrowserPoolService,
  organization: OrganizationStore,
): void {
  const { pools } = service;
  const onWire = (given: BrowserPool) => {
    const pool = service.settled(given);
    return poolOnWire(pool, { idle: service.idle(pool).length, leased: service.leased(pool).length });
  };

  app.post("/browser_pools", access, async (context) => {
    const { name, changes } = await readJson(context, createRequest, poolBytesMax);
    await beforeCommit(context);
    const { project } = context.var;
    refuseOverLimits(project, changes.size);
    const pool = asRequest(() => service.create({ projectId: project.id, name, changes }));
    return context.json(onWire(pool ?? nameExists(project.id, name)), 201);
  });

  app.get("/browser_pools", access, async (context) => {
    const request = { ...readPageRequest(context), ...readFilters(context, "name", "query") };
    const region = oneOf(context, "region", regions);
    await beforeCommit(context);
    return answerPage(
      context,
      pools.pageIn(region, { projectId: context.var.project.id, ...request }),
      onWire,
    );
  });

  app.get("/browser_pools/:idOrName", access, async (context) => {
    await beforeCommit(context);
    return context.json(onWire(find(context)));
  });

  app.patch("/browser_pools/:idOrName", access, async (context) => {
    const { expectedNetwork, ...wanted } = await readJson(context, updateRequest, poolBytesMax);
    const { name, changes, discardsIdle } = wanted;
    await beforeCommit(context);
    const pool = find(context);
    if (expectedNetwork !== undefined && !isDeepStrictEqual(expectedNetwork, pool.settings.network ?? {})) {
      const message = "The network of the pool is not the expected one. Nothing was changed.";
      throw new ServiceError(409, "stale_network", message);
    }
    refuseOverLimits(context.var.project, (changes.size ?? 0) - pool.settings.size);
    const changed = asRequest(() => service.update(pool, { name, changes, discardsIdle }));
    return context.json(onWire(changed ?? nameExists(pool.projectId, name)));
  });

  app.delete("/browser_pools/:idOrName", access, async (context) => {
    const { force = false } = await readJson(context, deleteRequest);
    await beforeCommit(context);
    const pool = service.settled(find(context));
    const sessions = service
      .leased(pool)
      .map(({ id, lease }) => (lease?.name ? `${lease.name} (${id})` : id));
    if (sessions.length > 0 && !force) {
      // Status and code are as expected by the service's Terraform provider.
      const message = `The browser pool has leased browsers: ${sessions.join(", ")}. Release them, or use force.`;
      throw new ServiceError(400, "pool_in_use", message);
    }
    service.remove(pool);
    return context.body(null, 204);
  });

  app.post("/browser_pools/:idOrName/acquire", access, async (context) => {
    const request = await readJson(context, acquireRequest);
    const { name = null, start_url: startUrl = null, tags = null } = request;
    await beforeCommit(context);
    const pool = find(context);
    if (name !== null && service.leasedAs(pool.projectId, name)) {
      throw conflict(`A browser session named "${name}" is already active in this project.`);
    }
    const lease = { name, startUrl, tags };
    const gone = new AbortController();
    const { outgoing } = context.env.exchange;
    const leave = () => gone.abort();
    outgoing.once("close", leave);
    if (outgoing.destroyed) {
      leave();
    }
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

  app.post("/browser_pools/:idOrName/release", access, async (context) => {
    const { session_id, reuse = true } = await readJson(context, releaseRequest);
    await beforeCommit(context);
    if (!service.release(find(context), session_id, reuse)) {
      throw notFound("Leased browser of the pool");
    }
    return context.body(null, 204);
  });

  app.post("/browser_pools/:idOrName/flush", access, async (context) => {
    await beforeCommit(context);
    service.flush(find(context));
    return context.body(null, 204);
  });

  function find(context: Context<RouteEnvironment, `/browser_pools/:idOrName${string}`>): BrowserPool {
    const pool = pools.findIn(context.var.project.id, context.req.param("idOrName"));
    return pool ?? refuse(notFound("Browser pool"));
  }

  function nameExists(projectId: string, name: string | undefined): never {
    throw nameConflict("A browser pool", "in this project", pools.holder(projectId, name ?? ""));
  }

  /**
   * Refuses to reserve more browsers than a limit allows. A pool counts with its whole size, as
   * published. Status and code are guesses.
   */
  function refuseOverLimits({ id, limits }: EmulatedProject, more: number): void {
    const { maxConcurrentSessions, defaultProjectMaxConcurrentSessions } = organization.limits;
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
