import type { Context, Hono } from "hono";
import { beforeCommit } from "../../http/exchange.js";
import { answerPage, readFilters, readPageRequest } from "../../http/query.js";
import { readJson } from "../../http/request-body.js";
import { asRequest, invalidInput, notFound, ServiceError } from "../../http/service-error.js";
import type { Access, RouteEnvironment } from "../../organization/api-keys/access.js";
import type { OrganizationStore } from "../../organization/projects/organization.js";
import { refuse } from "../../storage/ids-and-names.js";
import type { LoginService } from "../service.js";
import { connectionOnWire } from "../state.js";
import { type AuthConnection, type ConnectionSettings, defaultConnectionSettings } from "./connection.js";
import { createRequest, settingsOf, updateRequest } from "./requests.js";
import type { AuthConnectionStore } from "./store.js";

/** Adds the operations on auth connections. `ofConnection` also admits login pages. */
export function addAuthConnectionRoutes(
  app: Hono<RouteEnvironment>,
  ofProject: Access,
  ofConnection: Access,
  logins: LoginService,
  organization: OrganizationStore,
): void {
  const { connections, engine } = logins;
  const refuseInterval = ({ healthCheckInterval = 86_400 }: Partial<ConnectionSettings>) => {
    const { minHealthCheckIntervalSeconds: min } = organization.limits;
    if (healthCheckInterval < min) {
      throw invalidInput(`The plan of the organization allows a health_check_interval of ${min} or more.`);
    }
  };
  const onWire = (connection: AuthConnection) => {
    const login = engine.latest(connection.id);
    // Read again: bringing the login up to date may have changed the connection.
    return connectionOnWire(connections.find(connection.id) ?? connection, login, logins.origin);
  };

  app.post("/auth/connections", ofProject, async (context) => {
    const { domain, profile_name: profileName, ...given } = await readJson(context, createRequest);
    const settings = settingsOf(given);
    await beforeCommit(context);
    refuseInterval(settings);
    const { minHealthCheckIntervalSeconds: min, maxAuthConnections: max } = organization.limits;
    const projectId = context.var.project.id;
    const isNew = connections.findTwin(projectId, domain, profileName) === undefined;
    if (isNew && max !== null && connections.countAll() >= max) {
      // Status and code are published. The order of the two refusals is a guess.
      const message = `The plan of the organization allows ${max} auth connections, and it has them.`;
      throw new ServiceError(403, "insufficient_plan", message);
    }
    const healthCheckInterval = Math.max(defaultConnectionSettings.healthCheckInterval, min);
    const connection = asRequest(() =>
      connections.insert({
        ...{ projectId, domain, profileName, settings: { healthCheckInterval, ...settings } },
      }),
    );
    if (connection) {
      return context.json(onWire(connection), 201);
    }
    const existing = connections.findTwin(projectId, domain, profileName);
    throw new ServiceError(
      409,
      "already_exists",
      "Auth connection already exists for this profile and domain.",
      undefined,
      { existing_id: existing?.id ?? "" },
    );
  });

  app.get("/auth/connections", ofProject, async (context) => {
    const { profile_name: profileName, ...filters } = readFilters(context, "profile_name", "domain", "query");
    const request = { ...readPageRequest(context), ...filters, profileName };
    await beforeCommit(context);
    const page = connections.page({ projectId: context.var.project.id, ...request });
    return answerPage(context, page, onWire);
  });

  app.get("/auth/connections/:id", ofConnection, async (context) => {
    await beforeCommit(context);
    return context.json(onWire(findConnection(context, connections)));
  });

  app.patch("/auth/connections/:id", ofProject, async (context) => {
    const changes = settingsOf(await readJson(context, updateRequest));
    await beforeCommit(context);
    refuseInterval(changes);
    const connection = findConnection(context, connections);
    // The previous settings apply to a login that is over by now.
    engine.settle(connection.id);
    asRequest(() => connections.setSettings(connection, changes));
    return context.json(onWire(connection));
  });

  app.delete("/auth/connections/:id", ofProject, async (context) => {
    await beforeCommit(context);
    logins.remove(findConnection(context, connections));
    return context.body(null, 204);
  });
}

/** Finds the connection in the path within the request's project. Throws `ServiceError` 404. */
export function findConnection(
  context: Context<RouteEnvironment, `/auth/connections/:id${string}`>,
  connections: AuthConnectionStore,
): AuthConnection {
  const connection = connections.find(context.req.param("id"));
  return connection?.projectId === context.var.project.id ? connection : refuse(notFound("Auth connection"));
}
