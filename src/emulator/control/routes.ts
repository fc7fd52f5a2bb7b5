import type { Hono } from "hono";
import { z } from "zod";
import { buildShape } from "../apps/record.js";
import { readArchive } from "../browsers/extensions/archive-check.js";
import { eventStreamHeaders, StreamResponse } from "../http/exchange.js";
import { faultRule, faultRuleSchema } from "../http/fault-shape.js";
import type { Faults } from "../http/faults.js";
import { readJson } from "../http/request-body.js";
import type { RequestLog } from "../http/request-log.js";
import { only } from "../http/seed-members.js";
import { asBadRequest, conflict, notFound } from "../http/service-error.js";
import { notADateTime } from "../http/shapes.js";
import type { Access, RouteEnvironment } from "../objects/access.js";
import type { Controls } from "../objects/controls.js";
import { unconfined } from "../organization/projects/routes.js";
import type { Seed } from "../seed/file.js";
import { type EmulatedObjects, kindsOf, type Stores } from "../seed/kinds.js";
import type { EmulatedClock } from "../storage/clock.js";
import { refuse } from "../storage/ids-and-names.js";
import { addObjectControls } from "./object-routes.js";
import { savedSeed } from "./saved-seed.js";
import { stateOf } from "./state.js";
import { Watchers } from "./watchers.js";

/**
 * Base path of the routes that control the emulator. The service has no such routes. Control routes
 * offer to every language the methods of `Emulator` in Node. No fault and no rate limit applies,
 * and the request log does not contain control requests.
 */
export const controlPath = "/_emulator";

/** Path of the health check: shows, without a key, that the emulator answers. */
const healthPath = "/health";

/** Whether a decoded path belongs to a control route, the health check or the page. */
export function isControl(path: string): boolean {
  return path === "/" || path === healthPath || path.startsWith(`${controlPath}/`);
}

/** Parts that control routes show and change. */
export interface Controlled {
  readonly stores: Stores;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly clock: EmulatedClock;
  readonly objects: EmulatedObjects;
  /** Drops all objects, faults, requests and clock changes, and applies the seed again. */
  readonly reset: () => void;
  readonly seed: Seed;
}

interface ControlParts extends Controlled {
  /** Routes of the service that the emulator has. */
  readonly routes: () => readonly { readonly method: string; readonly path: string }[];
}

const clockChanges = only(
  "now",
  z.iso.datetime({ offset: true, error: `${notADateTime}, or null for the system's time` }).nullable(),
);

/** Adds the control routes. All but the health check need an organization-wide key (`access`). */
export function addControlRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  { faults, log, clock, objects, stores, routes, reset, seed }: ControlParts,
): void {
  const control = unconfined(access, "control the emulator");
  const state = () => stateOf(stores, objects, faults, clock.now());
  const watchers = new Watchers({
    version: () => `${stores.database.changedRows} ${JSON.stringify(faults.list())}`,
    state,
    requests: (newest) => log.snapshot(newest),
    now: () => clock.now(),
  });

  app.get(healthPath, (context) => context.json({ status: "ok" }));

  const controlled = app.basePath(controlPath);
  controlled.get("/state", control, (context) => context.json({ now: clock.now(), ...state() }));

  controlled.get("/events", control, () => new StreamResponse(watchers.add(), eventStreamHeaders));

  controlled.get("/extensions/:id", control, async (context) =>
    context.json(await readArchive(Buffer.from(archive(context.req.param("id"))))),
  );

  controlled.get("/extensions/:id/archive", control, (context) =>
    context.body(archive(context.req.param("id")), 200, { "content-type": "application/octet-stream" }),
  );

  controlled.get("/browsers", control, (context) => context.json(objects.browsers.list()));

  controlled.get("/browsers/:id/picture", control, async (context) => {
    const { id, missing } = leased(context.req.param("id"));
    const picture = await objects.browsers.picture(id);
    return context.json(picture ?? refuse(conflict(missing ?? "The browser has no page that answers.")));
  });

  controlled.delete("/browsers/:id", control, async (context) => {
    await objects.browsers.end(leased(context.req.param("id")).id);
    return context.body(null, 204);
  });

  controlled.post("/next_build", control, async (context) => {
    objects.deployments.nextBuild(await readJson(context, buildShape));
    return context.body(null, 204);
  });

  controlled.get("/routes", control, (context) => context.json(routes()));

  controlled.get("/requests", control, (context) => context.json(log.snapshot()));

  controlled.delete("/requests", control, (context) => {
    log.clear();
    return context.body(null, 204);
  });

  controlled.get("/requests/:id", control, (context) =>
    context.json(log.contents(context.req.param("id")) ?? refuse(notFound("Request"))),
  );

  controlled.get("/faults", control, (context) => context.json(faults.list()));

  controlled.post("/faults", control, async (context) => {
    const rule = faultRule(await readJson(context, faultRuleSchema));
    const { id, hits } = asBadRequest(() => faults.add(rule));
    return context.json({ id, hits }, 201);
  });

  controlled.delete("/faults", control, (context) => {
    faults.clear();
    return context.body(null, 204);
  });

  controlled.delete("/faults/:id", control, (context) =>
    faults.remove(context.req.param("id")) ? context.body(null, 204) : refuse(notFound("Fault")),
  );

  controlled.get("/clock", control, (context) => context.json({ now: clock.now() }));

  controlled.put("/clock", control, async (context) => {
    const time = await readJson(context, clockChanges);
    asBadRequest(() => clock.set(time));
    return context.json({ now: clock.now() });
  });

  controlled.get("/seed", control, (context) => context.json(savedSeed(seed, objects, faults, stores)));

  controlled.post("/reset", control, (context) => {
    reset();
    return context.body(null, 204);
  });

  // The routes of the service read the body from the exchange, and the rest from this request.
  controlled.all("/service/*", control, ({ req, env }) => {
    const url = new URL(req.url);
    url.pathname = url.pathname.slice(`${controlPath}/service`.length);
    const { headers, signal } = req.raw;
    return app.fetch(new Request(url, { method: req.method, headers, signal }), env);
  });

  for (const [kind, controls] of Object.entries(kindsOf(objects))) {
    addObjectControls(controlled, control, kind, controls as Controls<never>, stores.projects);
  }

  function leased(id: string) {
    return objects.browsers.list().find((each) => each.id === id) ?? refuse(notFound("Leased browser"));
  }

  function archive(id: string) {
    const { extensions } = stores;
    return extensions.archive((extensions.find(id) ?? refuse(notFound("Extension"))).id);
  }
}
