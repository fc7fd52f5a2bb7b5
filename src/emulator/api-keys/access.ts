import type { Context, Hono, MiddlewareHandler } from "hono";
import { beforeCommit, type Exchange } from "../http/exchange.js";
import { forbidden, invalidInput, ServiceError } from "../http/service-error.js";
import type { OrganizationStore } from "../projects/organization.js";
import type { EmulatedProject, ProjectStore } from "../projects/store.js";
import { refuse } from "../storage/ids-and-names.js";
import type { EmulatedApiKeyRecord } from "./record.js";
import { type Granted, grantedTo } from "./scope.js";
import type { ApiKeyStore } from "./store.js";

/** What routes find in Hono's context: the exchange always, the rest once access is granted. */
export interface RouteEnvironment {
  Bindings: { readonly exchange: Exchange };
  Variables: {
    /** The API key of the request. Absent for requests of a login page, which have a token. */
    caller: EmulatedApiKeyRecord;
    /** The project the request is about; only after `projectAccess` and `connectionAccess`. */
    project: EmulatedProject;
    /** Id of the project the request is scoped to, or null; only after `organizationAccess`. */
    scope: string | null;
    /** Ids that the policy of the key allows here; undefined: all. Not for a login page. */
    granted: Granted;
  };
}

/** Where a caller asks who it is. */
const identityPath = "/auth/context";

/** Runs before a route and decides whether the request may reach it. */
export type Access = MiddlewareHandler<RouteEnvironment>;

/** Admits a request with a valid key to what a project owns, and finds the project. */
export function projectAccess(apiKeys: ApiKeyStore, projects: ProjectStore): Access {
  return async (context, next) => {
    const caller = authenticate(context, apiKeys);
    const project =
      namedProject(context, caller, projects) ??
      found(projects.activeById(caller.projectId ?? projects.defaultProject.id));
    context.set("project", project);
    context.env.exchange.record.project = project.id;
    if (caller.policy !== null) {
      context.set("granted", grantedTo(caller.policy, context.req, project.id));
    }
    await next();
  };
}

/**
 * Admits a request to what the organization owns: projects, limits, API keys. A project header is
 * checked as everywhere, but confines nothing: a guess. Without a header no project is looked up,
 * so that even an archived default project can become active again.
 */
export function organizationAccess(apiKeys: ApiKeyStore, projects: ProjectStore): Access {
  return async (context, next) => {
    const caller = authenticate(context, apiKeys);
    // That every key may ask who it is, is a guess.
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
 * Adds the operation that tells a caller who it is, and the project its header names or else its
 * key's; null is the whole organization. Source of the shape: the service's published clients.
 */
export function addAuthContextRoute(
  app: Hono<RouteEnvironment>,
  access: Access,
  organization: OrganizationStore,
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

/** The credential of the header `Authorization: Bearer …`. */
export function bearerCredential(context: Context<RouteEnvironment>): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(context.req.header("authorization") ?? "")?.[1];
}

function authenticate(context: Context<RouteEnvironment>, apiKeys: ApiKeyStore): EmulatedApiKeyRecord {
  const key = bearerCredential(context);
  const caller = key === undefined ? undefined : apiKeys.authenticate(key);
  if (caller) {
    context.set("caller", caller);
    context.env.exchange.record.apiKeyId = caller.id;
    return caller;
  }
  // The code is not published; this one is in the tests of the service's own command line.
  throw new ServiceError(
    401,
    "unauthorized",
    key === undefined
      ? "The Authorization header is missing or not of the form: Bearer <API key>."
      : "The API key is not valid.",
  );
}

/**
 * The project that the headers name; undefined without one. `X-Kernel-Project-Id` takes an id,
 * `X-Kernel-Project` an id or an exact name. Source: the service's published guide to projects and
 * its own clients. It is a guess that headers which disagree, or are empty, are refused with 400.
 */
function namedProject(
  context: Context<RouteEnvironment>,
  caller: EmulatedApiKeyRecord,
  projects: ProjectStore,
): EmulatedProject | undefined {
  const idHeader = context.req.header("x-kernel-project-id");
  const nameHeader = context.req.header("x-kernel-project");
  if (idHeader?.trim() === "" || nameHeader?.trim() === "") {
    throw invalidInput("A project header is empty. Leave it out for the key's own project.");
  }
  const byId = idHeader === undefined ? undefined : found(projects.activeById(idHeader));
  const byName =
    nameHeader === undefined
      ? undefined
      : found(projects.activeById(nameHeader) ?? projects.activeByName(asUtf8(nameHeader)));
  if (byId && byName && byId.id !== byName.id) {
    throw invalidInput("The headers X-Kernel-Project-Id and X-Kernel-Project name different projects.");
  }
  const named = byId ?? byName;
  if (named && caller.projectId !== null && named.id !== caller.projectId) {
    throw forbidden("The API key is scoped to another project.");
  }
  return named;
}

/** Unknown and archived projects get the same answer. Source: the published guide. */
function found(project: EmulatedProject | undefined): EmulatedProject {
  return project ?? refuse(new ServiceError(404, "project_not_found", "Project not found or inactive."));
}

/** A header as its sender meant it: clients send UTF-8, Node reads it as Latin-1. */
function asUtf8(header: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}
