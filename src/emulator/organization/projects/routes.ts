import type { Context, Hono } from "hono";
import { z } from "zod";
import { beforeCommit } from "../../http/exchange.js";
import { answerPage, readFilters, readPageRequest } from "../../http/query.js";
import { readJson } from "../../http/request-body.js";
import { forbidden, nameConflict, notFound, ServiceError } from "../../http/service-error.js";
import { checkedString, exactly } from "../../http/shapes.js";
import { nameProblem } from "../../storage/ids-and-names.js";
import { snakeCased } from "../../storage/table.js";
import type { Access, RouteEnvironment } from "../api-keys/access.js";
import { refuseUngranted } from "../api-keys/scope.js";
import type { EmulatedProject, ProjectStore } from "./store.js";

// Published for both requests. Older names may have such characters.
const name = checkedString(nameProblem).refine((text) => !/[/%]/.test(text), 'must not have "/" or "%"');

const newProject = exactly({ name });

const projectChanges = exactly({
  name: name.optional(),
  status: z.enum(["active", "archived"], 'must be "active" or "archived"').optional(),
});

/** Adds the operations on projects. `countResources` returns the number of objects in a project. */
export function addProjectRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  projects: ProjectStore,
  countResources: (projectId: string) => number,
): void {
  app.post("/org/projects", access, async (context) => {
    refuseConfined(context, "create a project");
    const { name } = await readJson(context, newProject);
    await beforeCommit(context);
    return context.json(onWire(projects.insert({ name }) ?? nameExists(name)), 201);
  });

  app.get("/org/projects", access, async (context) => {
    const request = { ...readPageRequest(context), ...readFilters(context, "name", "query") };
    await beforeCommit(context);
    const { caller, granted: ids } = context.var;
    const page = projects.page({ ...request, ids, id: caller.projectId ?? undefined });
    return answerPage(context, page, onWire);
  });

  app.get("/org/projects/:idOrName", access, async (context) => {
    await beforeCommit(context);
    return context.json(onWire(visibleProject(context, projects)));
  });

  app.patch("/org/projects/:idOrName", access, async (context) => {
    const changes = await readJson(context, projectChanges);
    if (changes.status !== undefined) {
      refuseConfined(context, "change the status of a project");
    }
    await beforeCommit(context);
    const { id } = visibleProject(context, projects);
    if (changes.status === "archived") {
      refuseLastActive(id);
    }
    return context.json(onWire(projects.update(id, changes) ?? nameExists(changes.name ?? "")));
  });

  app.delete("/org/projects/:idOrName", access, async (context) => {
    refuseConfined(context, "delete a project");
    await beforeCommit(context);
    const { id } = visibleProject(context, projects);
    refuseLastActive(id);
    if (countResources(id) > 0) {
      const message =
        "The project still has resources. Delete its extensions, browser pools and auth connections first.";
      throw new ServiceError(409, "project_not_empty", message);
    }
    projects.remove(id);
    return context.body(null, 204);
  });

  function nameExists(name: string): never {
    throw nameConflict("A project", "in this organization", projects.holder(name));
  }

  function refuseLastActive(id: string): void {
    if (projects.isLastActive(id)) {
      const message = "The organization must have at least one active project, and this is the last one.";
      throw new ServiceError(409, "last_active_project", message);
    }
  }
}

/** Finds the project in the path, if visible to the caller. Throws `ServiceError` 404. */
export function visibleProject(
  context: Context<RouteEnvironment, `/org/projects/:idOrName${string}`>,
  projects: ProjectStore,
): EmulatedProject {
  const project = projects.find(context.req.param("idOrName"));
  const { projectId } = context.var.caller;
  if (project && (projectId === null || projectId === project.id)) {
    refuseUngranted(context, project.id);
    return project;
  }
  throw notFound("Project");
}

/** Refuses a key that is scoped to a project. Source: the service's guide to projects. */
export function refuseConfined(context: Context<RouteEnvironment>, what: string): void {
  if (context.var.caller.projectId !== null) {
    throw forbidden(`An API key that is scoped to a project cannot ${what}.`);
  }
}

function onWire({ limits, ...project }: EmulatedProject) {
  return snakeCased(project);
}
