import type { Context, Hono } from "hono";
import { z } from "zod";
import { beforeCommit } from "../../http/exchange.js";
import { readJson } from "../../http/request-body.js";
import { forbidden, ServiceError } from "../../http/service-error.js";
import { checkedString, exactly, nothing } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import { nameProblem } from "../../storage/ids-and-names.js";
import { snakeCased } from "../../storage/members.js";
import type { EmulatedProject, EmulatedProjects } from "./store.js";

// Published for both requests. Older names may have such characters.
const name = checkedString(nameProblem).refine((text) => !/[/%]/.test(text), 'must not have "/" or "%"');

const newProject = exactly({ name });

const projectChanges = exactly({
  name: name.optional(),
  status: z.enum(["active", "archived"], 'must be "active" or "archived"').optional(),
});

/**
 * Adds the operations on projects. `countResources` returns the number of objects in a project.
 * Returns the routes, for the operations on limits.
 */
export function addProjectRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  projects: EmulatedProjects,
  countResources: (projectId: string) => number,
): ObjectRoutes<EmulatedProject> {
  const routes = new ObjectRoutes<EmulatedProject>(app, access, {
    path: "/org/projects",
    thing: "project",
    table: projects.table,
    owner: "organization",
    // A key of one project sees no other project.
    isVisible: (context, { id }) => (context.var.caller.projectId ?? id) === id,
    onWire,
  });

  routes.create(newProject, ({ name }) => projects.insert({ name }), {
    access: unconfined(access, "create a project"),
  });
  routes.list(["name"]);
  routes.read();
  app.patch("/org/projects/:idOrName", access, async (context) => {
    const changes = await readJson(context, projectChanges);
    if (changes.status !== undefined) {
      refuseConfined(context, "change the status of a project");
    }
    await beforeCommit(context);
    const { id } = routes.find(context);
    if (changes.status === "archived") {
      refuseLastActive(id);
    }
    return context.json(onWire(projects.update(id, changes) ?? routes.taken(context, changes)));
  });

  const removal = (_: unknown, { id }: EmulatedProject) => {
    refuseLastActive(id);
    if (countResources(id) > 0) {
      const message =
        "The project is not empty. Delete its browser pools, auth connections, extensions, profiles, proxies and credentials first.";
      throw new ServiceError(409, "project_not_empty", message);
    }
    projects.remove(id);
  };
  routes.remove(nothing, removal, unconfined(access, "delete a project"));
  return routes;

  function refuseLastActive(id: string): void {
    if (projects.isLastActive(id)) {
      const message = "The organization must have at least one active project, and this is the last one.";
      throw new ServiceError(409, "last_active_project", message);
    }
  }
}

/** Admits only keys of the organization, except to the method `exempt`. */
export function unconfined(access: Access, what: string, exempt?: "GET"): Access {
  return (context, next) =>
    access(context, async () => {
      if (context.req.method !== exempt) {
        refuseConfined(context, what);
      }
      await next();
    });
}

/** Refuses a key that is scoped to a project. Source: the service's guide to projects. */
function refuseConfined(context: Context<RouteEnvironment>, what: string): void {
  if (context.var.caller.projectId !== null) {
    throw forbidden(`An API key that is scoped to a project cannot ${what}.`);
  }
}

function onWire({ limits, ...project }: EmulatedProject) {
  return snakeCased(project);
}
