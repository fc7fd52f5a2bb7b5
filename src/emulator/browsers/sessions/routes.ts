import type { Context, Hono } from "hono";
import type { z } from "zod";
import { oneOf } from "../../http/query.js";
import { nothing } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import type { EmulatedOrganization } from "../../organization/projects/organization.js";
import { settingsBytesMax } from "../browser-pools/requests.js";
import { invalid } from "../browser-pools/setting-rules.js";
import { poolSettings } from "../browser-pools/settings.js";
import type { ProfileStore } from "../profiles/store.js";
import { refuseOverLimits } from "./limits.js";
import { createRequest, type sessionMembers, updateRequest } from "./requests.js";
import type { SessionService } from "./service.js";
import type { Browser, Lease, LeaseProfile, Session } from "./store.js";
import type { sessionOnWire } from "./wire.js";

type RouteContext = Context<RouteEnvironment>;

/** Words for the filter of a list. The emulator forgets ended sessions, so that none is deleted. */
const statuses = ["active", "deleted", "all"] as const;

export interface SessionParts {
  readonly sessions: SessionService;
  readonly profiles: ProfileStore;
  readonly organization: EmulatedOrganization;
  readonly onWire: ReturnType<typeof sessionOnWire>;
}

/** Adds the operations on browsers outside of pools, and on leased browsers by their ids. */
export function addSessionRoutes(app: Hono<RouteEnvironment>, access: Access, parts: SessionParts): void {
  const { sessions, profiles, organization, onWire } = parts;
  const { browsers } = sessions;
  const kind = {
    path: "/browsers",
    thing: "browser session",
    table: browsers,
    find: ({ var: { project } }: RouteContext, idOrName: string) => sessions.find(project.id, idOrName),
    onWire: (session: Browser, context: RouteContext) => onWire(session as Session, context),
  };
  const routes = new ObjectRoutes<Browser>(app, access, kind);

  routes.create(
    createRequest,
    ({ name = null, tags = null, profile, changes }, { var: { caller, project } }) => {
      refuseOverLimits(organization, sessions, project, 1);
      sessions.refuseActive(project.id, name);
      return sessions.create({
        ...{ projectId: project.id, apiKeyId: caller.id, name, tags, changes },
        profile: leaseProfile(profiles, project.id, profile),
      });
    },
    { bytesMax: settingsBytesMax, status: 200, finish: (made) => sessions.running?.start(made as Session) },
  );
  routes.list([], {
    also: (context) => {
      const status = oneOf(context, "status", statuses);
      sessions.bringUpToDate(context.var.project.id);
      return ({ lease }) => lease !== null && status !== "deleted";
    },
  });
  routes.read();
  routes.change(updateRequest, ({ name, tags, viewport }, { id, settings, lease, expiresMs }, context) => {
    const before = lease as Lease;
    if (name && name !== before.name) {
      sessions.refuseActive(context.var.project.id, name);
    }
    if (viewport) {
      const size = poolSettings.viewport.fromRequest(viewport);
      const browser = sessions.running?.find(id);
      browser?.setViewport(size).catch(() => undefined);
      browsers.set(id, { settings: { ...settings, viewport: size } });
    }
    const changed = { ...before, name: (name ?? before.name) || null, tags: tags ?? before.tags };
    return browsers.setLease(id, changed, expiresMs);
  });
  routes.remove(nothing, (_, { id }) => sessions.end(id));
}

/** Profile that a request selects; null without one. Throws `InputError`. */
export function leaseProfile(
  profiles: ProfileStore,
  projectId: string,
  given: z.infer<typeof sessionMembers.profile>,
): LeaseProfile | null {
  if (given === undefined) {
    return null;
  }
  const { id } = profiles.selected(projectId, given, "profile", (problem) => invalid("profile", problem));
  return { id, savesChanges: given.save_changes === true };
}
