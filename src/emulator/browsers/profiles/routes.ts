import type { Hono } from "hono";
import { checkedString, exactly, nothing } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import { nameProblem } from "../../storage/ids-and-names.js";
import { snakeCased, withValues } from "../../storage/members.js";
import type { EmulatedProfile, ProfileStore } from "./store.js";

const name = checkedString(nameProblem);

/**
 * Adds the operations on profiles. Contents are not emulated, so there is no download. Guess:
 * nothing blocks a deletion.
 */
export function addProfileRoutes(app: Hono<RouteEnvironment>, access: Access, profiles: ProfileStore): void {
  const kind = { path: "/profiles", thing: "profile", table: profiles, onWire: profileOnWire };
  const routes = new ObjectRoutes(app, access, kind);
  routes.create(exactly({ name: name.optional() }), ({ name = null }, context) =>
    profiles.insert({ projectId: context.var.project.id, name }),
  );
  routes.list(["name"]);
  routes.read();
  routes.change(exactly({ name }), ({ name }, profile) => profiles.rename(profile, name));
  routes.remove(nothing, (_, { id }) => profiles.remove(id));
}

/** Converts a profile for a response. Members without a value are omitted: a guess. */
export function profileOnWire({ projectId, ...profile }: EmulatedProfile) {
  return snakeCased(withValues(profile));
}
