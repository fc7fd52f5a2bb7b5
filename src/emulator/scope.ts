import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import type { ApiKeyStore } from "./api-key-store.js";
import type { Exchange } from "./exchange.js";
import type { EmulatedProject, ProjectStore } from "./project-store.js";
import { invalidInput, ServiceError } from "./service-error.js";

/** What routes find in Hono's context: the exchange always, the project once `scoped` has run. */
export interface RouteEnvironment {
  Bindings: HttpBindings & { readonly exchange: Exchange };
  Variables: { project: EmulatedProject };
}

/** Lets a request through to its route when it has a valid key, and finds the project it is about. */
export function scoped(apiKeys: ApiKeyStore, projects: ProjectStore): MiddlewareHandler<RouteEnvironment> {
  return async (context, next) => {
    const key = /^Bearer +(\S+) *$/i.exec(context.req.header("authorization") ?? "")?.[1];
    const scope = key === undefined ? undefined : apiKeys.find(key);
    if (scope === undefined) {
      // The code's text is not published; this one is in the tests of the service's own command line.
      throw new ServiceError(
        401,
        "unauthorized",
        key === undefined
          ? "The Authorization header is missing or not of the form: Bearer <API key>."
          : "The API key is not valid.",
      );
    }
    const project = resolveProject(
      scope.projectId,
      context.req.header("x-kernel-project-id"),
      context.req.header("x-kernel-project"),
      projects,
    );
    context.set("project", project);
    context.env.exchange.record.project = project.id;
    await next();
  };
}

/**
 * The project a request is about: the one both headers name, else the key's, else the default one.
 * `X-Kernel-Project-Id` takes an id, `X-Kernel-Project` an id or an exact name. Source: the service's published guide to projects
 * and its own clients; that headers which disagree, or are blank, are refused with 400 is a guess.
 */
function resolveProject(
  keyProjectId: string | null,
  idHeader: string | undefined,
  nameHeader: string | undefined,
  projects: ProjectStore,
): EmulatedProject {
  if (idHeader?.trim() === "" || nameHeader?.trim() === "")
    throw invalidInput("A project header is blank. Leave it out for the key's own project.");
  const byId = idHeader === undefined ? undefined : found(projects.activeById(idHeader));
  const byName =
    nameHeader === undefined
      ? undefined
      : found(projects.activeById(nameHeader) ?? projects.activeByName(asUtf8(nameHeader)));
  if (byId && byName && byId.id !== byName.id)
    throw invalidInput("The headers X-Kernel-Project-Id and X-Kernel-Project name different projects.");
  const named = byId ?? byName;
  if (named && keyProjectId !== null && named.id !== keyProjectId) {
    // The status is published, the code is not: a guess.
    throw new ServiceError(403, "forbidden", "The API key is confined to another project.");
  }
  return named ?? found(projects.activeById(keyProjectId ?? projects.defaultProject.id));
}

/** An unknown project and an archived one get the same answer. Source: the service's published guide to projects. */
function found(project: EmulatedProject | undefined): EmulatedProject {
  if (project) return project;
  throw new ServiceError(404, "project_not_found", "Project not found or inactive.");
}

/** A header's text as its sender meant it: Node reads the bytes as Latin-1, clients send names in UTF-8. */
function asUtf8(header: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}
