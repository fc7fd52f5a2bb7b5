import type { ProjectStore } from "../project-store.js";
import { type Access, bearerCredential } from "../scope.js";
import { forbidden, notFound, ServiceError } from "../service-error.js";
import type { AuthConnectionStore } from "./auth-connection-store.js";
import { type LoginTokens, looksLikeToken } from "./login-token.js";

/**
 * Lets a request through to one connection: with an API key to whatever its project owns, with the token of a login page to the
 * connection it was issued for and nothing else.
 */
export function connectionAccess(
  ofProject: Access,
  tokens: LoginTokens,
  connections: AuthConnectionStore,
  projects: ProjectStore,
): Access {
  return async (context, next) => {
    const credential = bearerCredential(context);
    if (credential === undefined || !looksLikeToken(credential)) return ofProject(context, next);
    const connectionId = tokens.connectionOf(credential);
    if (connectionId === undefined)
      throw new ServiceError(
        401,
        "unauthorized",
        "The token is not valid, or not any more. Start a new login.",
      );
    if (connectionId !== context.req.param("id"))
      throw forbidden("The token was issued for another auth connection.");
    const connection = connections.find(connectionId);
    const project = connection && projects.activeById(connection.projectId);
    if (project === undefined) throw notFound("Auth connection");
    context.set("project", project);
    context.env.exchange.record.project = project.id;
    return next();
  };
}
