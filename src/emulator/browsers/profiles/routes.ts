import type { Context, Hono } from "hono";
import { beforeCommit } from "../../http/exchange.js";
import { answerPage, readFilters, readPageRequest } from "../../http/query.js";
import { readJson } from "../../http/request-body.js";
import { nameConflict, notFound } from "../../http/service-error.js";
import { checkedString, exactly } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../organization/api-keys/access.js";
import { refuseUngranted } from "../../organization/api-keys/scope.js";
import { nameProblem } from "../../storage/ids-and-names.js";
import { snakeCased, withValues } from "../../storage/table.js";
import type { EmulatedProfile, ProfileStore } from "./store.js";

const name = checkedString(nameProblem);
const createRequest = exactly({ name: name.optional() });
const renameRequest = exactly({ name });

/**
 * Adds the operations on profiles. Contents are not emulated, so there is no download. Guess:
 * nothing blocks a deletion.
 */
export function addProfileRoutes(app: Hono<RouteEnvironment>, access: Access, profiles: ProfileStore): void {
  app.post("/profiles", access, async (context) => {
    const { name = null } = await readJson(context, createRequest);
    await beforeCommit(context);
    const { id: projectId } = context.var.project;
    return context.json(
      profileOnWire(profiles.insertNamed({ projectId, name }) ?? taken(projectId, name)),
      201,
    );
  });

  app.get("/profiles", access, async (context) => {
    const request = { ...readPageRequest(context), ...readFilters(context, "name", "query") };
    await beforeCommit(context);
    const { project, granted: ids } = context.var;
    return answerPage(context, profiles.page({ projectId: project.id, ids, ...request }), profileOnWire);
  });

  app.get("/profiles/:idOrName", access, async (context) => {
    await beforeCommit(context);
    return context.json(profileOnWire(find(context)));
  });

  app.patch("/profiles/:idOrName", access, async (context) => {
    const { name } = await readJson(context, renameRequest);
    await beforeCommit(context);
    const profile = find(context);
    return context.json(profileOnWire(profiles.rename(profile, name) ?? taken(profile.projectId, name)));
  });

  app.delete("/profiles/:idOrName", access, async (context) => {
    await beforeCommit(context);
    profiles.remove(find(context).id);
    return context.body(null, 204);
  });

  function find(context: Context<RouteEnvironment, "/profiles/:idOrName">): EmulatedProfile {
    const profile = profiles.findIn(context.var.project.id, context.req.param("idOrName"));
    if (profile === undefined) {
      throw notFound("Profile");
    }
    refuseUngranted(context, profile.id);
    return profile;
  }

  function taken(projectId: string, name: string | null): never {
    throw nameConflict("A profile", "in this project", profiles.holder(projectId, name ?? ""));
  }
}

/**
 * Converts a profile as the service sends profiles. Members without a value are omitted: a guess.
 */
export function profileOnWire({ projectId, ...profile }: EmulatedProfile) {
  return snakeCased(withValues(profile));
}
