import type { Hono } from "hono";
import { InputError } from "../../errors.js";
import { readJson } from "../http/request-body.js";
import { asBadRequest, ServiceError } from "../http/service-error.js";
import type { Access, RouteEnvironment } from "../objects/access.js";
import type { Controls } from "../objects/controls.js";
import type { EmulatedProjects } from "../organization/projects/store.js";
import { entryShape } from "../seed/schema.js";
import { snakeCased } from "../storage/members.js";

/**
 * Adds the operations of a test on the objects of one kind: a creation as in a seed, and the methods
 * about one object, with the argument as body. Only the service's own operation creates an extension,
 * because of the bytes.
 */
export function addObjectControls(
  app: Hono<RouteEnvironment>,
  access: Access,
  kind: string,
  controls: Controls<never>,
  projects: EmulatedProjects,
): void {
  const path = `/${inSnakeCase(kind)}`;
  if (kind !== "extensions") {
    app.post(path, access, async (context) => {
      const entry = await readJson(context, entryShape(kind));
      const { project } = entry;
      const found = project === undefined ? projects.defaultProject : projects.find(project);
      const projectId = called(() => projects.idOf(found?.id ?? project));
      return context.json(
        called(() => controls.createFrom(entry as never, projectId)),
        201,
      );
    });
  }
  const methods = controls as unknown as Record<string, (id: string, argument: unknown) => unknown>;
  for (const [method, argument] of Object.entries(controls.operations)) {
    app.post(`${path}/:id/${inSnakeCase(method)}`, access, async (context) => {
      const given = await readJson(context, argument);
      called(() => methods[method]?.(context.req.param("id"), given));
      return context.body(null, 204);
    });
  }
}

/** Calls a method. An unknown id becomes a response 404, any other `InputError` a response 400. */
function called<T>(call: () => T): T {
  return asBadRequest(() => {
    try {
      return call();
    } catch (error) {
      const isMissing = error instanceof InputError && error.code.endsWith("_unknown");
      throw isMissing && /^(id|idOrName|projectId)$/.test(error.property)
        ? new ServiceError(404, "not_found", error.message)
        : error;
    }
  });
}

function inSnakeCase(name: string): string {
  return Object.keys(snakeCased({ [name]: true })).join("");
}
