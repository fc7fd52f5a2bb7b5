import type { ProjectStore } from "../../projects/store.js";
import { type Access, bearerCredential } from "../../access.js";
import { forbidden, notFound, ServiceError } from "../../http/service-error.js";
import type { AuthConnectionStore } from "./store.js";
import type { LoginEngine } from "../engine.js";
import type { LoginTokens } from "./token.js";

/** What says whether a request may come through. */
export interface ConnectionAccessParts {
  readonly tokens: LoginTokens;
  readonly connections: AuthConnectionStore;
  readonly engine: LoginEngine;
  readonly projects: ProjectStore;
}

/**
 * Lets a request through to one connection: with an API key to whatever its project owns, with the token of a login page to the
 * connection it was issued for, until another login of it begins. That it ends then is a guess.
 */
export function connectionAccess(
  ofProject: Access,
  { tokens, connections, engine, projects }: ConnectionAccessParts,
): Access {
  return async (context, next) => {
    const credential = bearerCredential(context);
    const token = credential === undefined ? undefined : tokens.read(credential);
    if (token === undefined) {
      return ofProject(context, next);
    }
    if (token === "expired") {
      throw tokenOver();
    }
    if (token.connectionId !== context.req.param("id")) {
      throw forbidden("The token was issued for another auth connection.");
    }
    const connection = connections.find(token.connectionId);
    const project = connection && projects.activeById(connection.projectId);
    if (project === undefined) {
      throw notFound("Auth connection");
    }
    if (engine.latest(token.connectionId)?.id !== token.flowId) {
      throw tokenOver();
    }
    context.set("project", project);
    context.env.exchange.record.project = project.id;
    return next();
  };
}

function tokenOver(): ServiceError {
  return new ServiceError(401, "unauthorized", "The token is not valid any more. Start a new login.");
}
