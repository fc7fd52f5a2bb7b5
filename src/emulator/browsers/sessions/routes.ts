import type { Hono } from "hono";
import { oneOf } from "../../http/query.js";
import { nothing } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import type { ProjectTable } from "../../storage/table.js";
import { settingsBytesMax } from "../browser-pools/requests.js";
import { poolSettings } from "../browser-pools/settings.js";
import { createRequest, updateRequest } from "./requests.js";
import type { SessionService } from "./service.js";
import { asSession, type Browser, type Session } from "./store.js";
import { sessionOnWire } from "./wire.js";

/** Words for the filter of a list. The emulator forgets ended sessions, so that none is deleted. */
const statuses = ["active", "deleted", "all"] as const;

/** Adds the operations on browsers outside of pools, and on leased browsers by their ids. */
export function addSessionRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  sessions: SessionService,
): void {
  const { browsers } = sessions;
  const routes = new ObjectRoutes<Session>(app, access, {
    ...{ path: "/browsers", thing: "browser session" },
    onWire: (session, context) => sessionOnWire(sessions, session, context),
    // The list leaves idle browsers out.
    table: browsers as ProjectTable<Browser> as ProjectTable<Session>,
    find: ({ var: { project } }, idOrName) => sessions.find(project.id, idOrName),
  });

  routes.create(
    createRequest,
    ({ name = null, tags = null, profile, changes }, { var: { caller, project } }) => {
      sessions.refuseOverLimits(project, 1);
      sessions.refuseActive(project.id, name);
      return sessions.create(project.id, changes, {
        ...{ apiKeyId: caller.id, name, tags, startUrl: null },
        profile: sessions.profile(project.id, profile),
      });
    },
    { bytesMax: settingsBytesMax, status: 200, finish: (made) => sessions.running?.start(made) },
  );
  routes.list([], {
    also: (context) => {
      const status = oneOf(context, "status", statuses);
      sessions.bringUpToDate(context.var.project.id);
      return ({ lease }) => lease !== null && status !== "deleted";
    },
  });
  routes.read();
  routes.change(updateRequest, ({ name, tags, viewport }, { id, settings, lease }, { var: { project } }) => {
    if (name && name !== lease.name) {
      sessions.refuseActive(project.id, name);
    }
    const size = viewport ? poolSettings.viewport.fromRequest(viewport) : settings.viewport;
    const browser = viewport && sessions.running?.find(id);
    browser?.setViewport(size).catch(() => undefined);
    const changed = browsers.set(id, {
      settings: { ...settings, viewport: size },
      lease: { ...lease, name: (name ?? lease.name) || null, tags: tags ?? lease.tags },
    });
    return asSession(changed);
  });
  routes.remove(nothing, (_, { id }) => sessions.end(id));
}
