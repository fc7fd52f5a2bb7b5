import type { Context, Hono } from "hono";
import type { z } from "zod";
import { beforeCommit } from "../../http/exchange.js";
import { oneOf } from "../../http/query.js";
import { readJson } from "../../http/request-body.js";
import { asBadRequest } from "../../http/service-error.js";
import { nothing } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import type { EmulatedOrganization } from "../../organization/projects/organization.js";
import { settingsBytesMax } from "../browser-pools/requests.js";
import { invalid, refreshRateFor } from "../browser-pools/setting-rules.js";
import type { ProfileStore } from "../profiles/store.js";
import { refuseOverLimits } from "./limits.js";
import { createRequest, type sessionMembers, updateRequest } from "./requests.js";
import { endSession, type RunningBrowsers } from "./running.js";
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
  /** Undefined if the emulator starts no browsers. */
  readonly running: RunningBrowsers | undefined;
  readonly onWire: ReturnType<typeof sessionOnWire>;
}

/** Adds the operations on browsers outside of pools, and on leased browsers by their ids. */
export function addSessionRoutes(app: Hono<RouteEnvironment>, access: Access, parts: SessionParts): void {
  const { sessions, profiles, organization, running, onWire } = parts;
  const { browsers } = sessions;
  const kind = {
    path: "/browsers",
    thing: "browser session",
    table: browsers,
    find: ({ var: { project } }: RouteContext, idOrName: string) => sessions.find(project.id, idOrName),
    onWire: (session: Browser, context: RouteContext) => onWire(session as Session, context),
  };
  const routes = new ObjectRoutes<Browser>(app, access, kind);

  app.post("/browsers", access, async (context) => {
    const { caller, project } = context.var;
    const {
      name = null,
      tags = null,
      profile,
      changes,
    } = await readJson(context, createRequest, settingsBytesMax);
    await beforeCommit(context);
    refuseOverLimits(organization, sessions, project, 1);
    sessions.refuseActive(project.id, name);
    const session = asBadRequest(() =>
      sessions.create({
        ...{ projectId: project.id, apiKeyId: caller.id, name, tags, changes },
        profile: leaseProfile(profiles, project.id, profile),
      }),
    );
    await running?.start(session);
    return context.json(onWire(session, context));
  });
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
    const size = viewport && {
      ...{ width: viewport.width, height: viewport.height },
      refreshRate: viewport.refresh_rate ?? refreshRateFor(viewport),
    };
    if (size) {
      running
        ?.find(id)
        ?.setViewport(size)
        .catch(() => undefined);
      browsers.set(id, { settings: { ...settings, viewport: size } });
    }
    const changed = { ...before, name: (name ?? before.name) || null, tags: tags ?? before.tags };
    return browsers.setLease(id, changed, expiresMs);
  });
  routes.remove(nothing, (_, { id }) => endSession(browsers, running, id));
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
