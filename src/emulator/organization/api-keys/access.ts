import type { Context, Hono } from "hono";
import { beforeCommit } from "../../http/exchange.js";
import { forbidden, invalidInput, ServiceError } from "../../http/service-error.js";
import { type Access, bearerCredential, type RouteEnvironment } from "../../objects/access.js";
import { grantedTo } from "../../objects/scope.js";
import { refuse } from "../../storage/ids-and-names.js";
import type { EmulatedOrganization } from "../projects/organization.js";
import type { EmulatedProject, EmulatedProjects } from "../projects/store.js";
import type { EmulatedApiKeyRecord } from "./record.js";
import type { EmulatedApiKeys } from "./store.js";

/** Path at which callers look up their own identity. */
const identityPath = "/auth/context";

/** Admits requests with a valid key to the objects of a project, and finds the project. */
export function projectAccess(apiKeys: EmulatedApiKeys, projects: EmulatedProjects): Access {
  return async (context, next) => {
    const caller = authenticate(context, apiKeys);
    const project =
      namedProject(context, caller, projects) ??
      requireActive(projects.activeById(caller.projectId ?? projects.defaultProject.id));
    context.set("project", project);
    context.env.exchange.record.project = project.id;
    if (caller.policy !== null) {
      context.set("granted", grantedTo(caller.policy, context.req, project.id));
    }
    await next();
  };
}

/**
 * Admits requests to the objects of the organization: projects, limits, API keys. A project header
 * is checked as everywhere, but confines nothing: a guess. Without a header no project is looked
 * up, so that even an archived default project can become active again.
 */
export function organizationAccess(apiKeys: EmulatedApiKeys, projects: EmulatedProjects): Access {
  return async (context, next) => {
    const caller = authenticate(context, apiKeys);
    // Guess: every key may look up its own identity.
    if (caller.policy !== null && context.req.path !== identityPath) {
      context.set("granted", grantedTo(caller.policy, context.req, undefined));
    }
    const scope = namedProject(context, caller, projects)?.id ?? caller.projectId;
    context.set("scope", scope);
    context.env.exchange.record.project = scope;
    await next();
  };
}

/**
 * Adds the operation that returns the caller's identity, and the project of the header or else of
 * the key; null is the whole organization. Source of the shape: the service's published clients.
 */
export function addAuthContextRoute(
  app: Hono<RouteEnvironment>,
  access: Access,
  organization: EmulatedOrganization,
): void {
  app.get(identityPath, access, async (context) => {
    await beforeCommit(context);
    const { caller, scope } = context.var;
    return context.json({
      authentication: { method: "api_key", source: "api_key", credential_id: caller.id },
      authorization: {
        credential_scope: { project_id: caller.projectId },
        effective_scope: { project_id: scope },
      },
      organization: { id: organization.id },
      principal: { id: caller.id, type: "api_key" },
    });
  });
}

function authenticate(context: Context<RouteEnvironment>, apiKeys: EmulatedApiKeys): EmulatedApiKeyRecord {
  const key = bearerCredential(context);
  const caller = key === undefined ? undefined : apiKeys.authenticate(key);
  if (caller) {
    context.set("caller", caller);
    context.env.exchange.record.apiKeyId = caller.id;
    apiKeys.noteUse(caller.id);
    return caller;
  }
  // The code is not published, but is in the tests of the service's own command line.
  throw new ServiceError(
    401,
    "unauthorized",
    key === undefined
      ? "The Authorization header is missing or not of the form: Bearer <API key>."
      : "The API key is not valid.",
  );
}

/**
 * Finds the project that the headers name; undefined without a header. `X-Kernel-Project-Id` takes
 * an id, `X-Kernel-Project` an id or a name, whatever the case and accents. Source: the service's
 * published guide to projects and its own clients. Guess: headers that disagree, or are empty, are
 * refused with 400.
 */
function namedProject(
  context: Context<RouteEnvironment>,
  caller: EmulatedApiKeyRecord,
  projects: EmulatedProjects,
): EmulatedProject | undefined {
  const idHeader = context.req.header("x-kernel-project-id");
  const nameHeader = context.req.header("x-kernel-project");
  if (idHeader?.trim() === "" || nameHeader?.trim() === "") {
    throw invalidInput("A project header is empty. Leave it out for the key's own project.");
  }
  const byId = idHeader === undefined ? undefined : requireActive(projects.activeById(idHeader));
  const byName =
    nameHeader === undefined
      ? undefined
      : requireActive(projects.activeById(nameHeader) ?? projects.activeByName(asUtf8(nameHeader)));
  if (byId && byName && byId.id !== byName.id) {
    throw invalidInput("The headers X-Kernel-Project-Id and X-Kernel-Project name different projects.");
  }
  const named = byId ?? byName;
  if (named && caller.projectId !== null && named.id !== caller.projectId) {
    throw forbidden("The API key is scoped to another project.");
  }
  return named;
}

/** Refuses unknown and archived projects with the same response. Source: the published guide. */
function requireActive(project: EmulatedProject | undefined): EmulatedProject {
  return project ?? refuse(new ServiceError(404, "project_not_found", "Project not found or inactive."));
}

/** Decodes a header as sent: clients send UTF-8, Node reads Latin-1. */
function asUtf8(header: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}
