import type { Hono } from "hono";
import { invalidInput, ServiceError } from "../../http/service-error.js";
import { nothing } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import type { EmulatedOrganization } from "../../organization/projects/organization.js";
import type { LoginService } from "../service.js";
import { connectionOnWire } from "../state.js";
import {
  type AuthConnection,
  type ConnectionSettings,
  defaultConnectionSettings,
} from "./auth-connection.js";
import { createRequest, updateRequest } from "./requests.js";

/**
 * Adds the operations on auth connections. `ofConnection` also admits login pages. Returns the
 * routes, for the operations on logins.
 */
export function addAuthConnectionRoutes(
  app: Hono<RouteEnvironment>,
  ofProject: Access,
  ofConnection: Access,
  logins: LoginService,
  organization: EmulatedOrganization,
): ObjectRoutes<AuthConnection> {
  const { connections, engine } = logins;
  const refuseInterval = ({ healthCheckInterval = 86_400 }: Partial<ConnectionSettings>) => {
    const { minHealthCheckIntervalSeconds: min } = organization.limits();
    if (healthCheckInterval < min) {
      throw invalidInput(`The plan of the organization allows a health_check_interval of ${min} or more.`);
    }
  };
  const onWire = (connection: AuthConnection) => {
    const login = engine.latest(connection.id);
    // Read again: bringing the login up to date may have changed the connection.
    return connectionOnWire(connections.find(connection.id) ?? connection, login, logins.origin);
  };

  const routes = new ObjectRoutes(app, ofProject, {
    path: "/auth/connections",
    parameter: ":id",
    thing: "auth connection",
    table: connections,
    onWire,
  });

  routes.create(createRequest, ({ domain, profileName, settings }, context) => {
    refuseInterval(settings);
    const { minHealthCheckIntervalSeconds: min, maxAuthConnections: max } = organization.limits();
    const projectId = context.var.project.id;
    const twin = connections.findByKey(projectId, domain, profileName);
    if (twin === undefined && max !== null && connections.select().length >= max) {
      // Status and code are published. The order of the two refusals is a guess.
      const message = `The plan of the organization allows ${max} auth connections, and all are in use.`;
      throw new ServiceError(403, "insufficient_plan", message);
    }
    if (twin !== undefined) {
      const message = "Auth connection already exists for this profile and domain.";
      throw new ServiceError(409, "already_exists", message, { existing_id: twin.id });
    }
    const healthCheckInterval = Math.max(defaultConnectionSettings.healthCheckInterval, min);
    return connections.insert({
      ...{ projectId, domain, profileName, settings: { healthCheckInterval, ...settings } },
    });
  });
  routes.list(["profile_name", "domain"]);
  routes.read("", undefined, ofConnection);
  routes.change(updateRequest, (changes, connection) => {
    refuseInterval(changes);
    // The previous settings apply to a login that is over by now.
    engine.bringUpToDate(connection.id);
    connections.setSettings(connection, changes);
    return connection;
  });
  routes.remove(nothing, (_, connection) => logins.remove(connection));
  return routes;
}
