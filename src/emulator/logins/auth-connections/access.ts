import { forbidden, notFound, ServiceError } from "../../http/service-error.js";
import { type Access, bearerCredential } from "../../objects/access.js";
import type { EmulatedProjects } from "../../organization/projects/store.js";
import type { LoginService } from "../service.js";

/**
 * Admits a request to one connection. An API key admits to any connection of the project. The token
 * of a login page admits to the connection in the token, until the next login of the connection
 * starts, which is a guess.
 */
export function connectionAccess(
  ofProject: Access,
  { tokens, connections, engine }: LoginService,
  projects: EmulatedProjects,
): Access {
  return async (context, next) => {
    const credential = bearerCredential(context);
    const token = credential === undefined ? undefined : await tokens.read(credential);
    if (token === undefined) {
      return ofProject(context, next);
    }
    if (token === "expired") {
      throw invalidToken();
    }
    if (token.connectionId !== context.req.param("id")) {
      throw forbidden("The token was issued for another auth connection.");
    }
    const connection = connections.find(token.connectionId);
    const project = connection && projects.activeById(connection.projectId);
    if (project === undefined) {
      throw notFound("Auth connection");
    }
    if (engine.latest(token.connectionId)?.id !== token.loginId) {
      throw invalidToken();
    }
    context.set("project", project);
    context.env.exchange.record.project = project.id;
    return next();
  };
}

function invalidToken(): ServiceError {
  return new ServiceError(401, "unauthorized", "The token is no longer valid. Start a new login.");
}
