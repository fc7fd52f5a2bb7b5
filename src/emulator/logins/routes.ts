import type { Context, Hono } from "hono";
import { beforeCommit, eventStreamHeaders, StreamResponse } from "../http/exchange.js";
import { oneOf, pageResponse, readPageRequest } from "../http/query.js";
import { readJson } from "../http/request-body.js";
import { asBadRequest, conflict, notFound, ServiceError } from "../http/service-error.js";
import type { Access, RouteEnvironment } from "../objects/access.js";
import type { ObjectRoutes } from "../objects/routes.js";
import { refuse } from "../storage/ids-and-names.js";
import { withValues } from "../storage/members.js";
import { pageOf } from "../storage/table.js";
import type { AuthConnection } from "./auth-connections/auth-connection.js";
import {
  exchangeRequest,
  loginRequest,
  type SubmitRequest,
  submitRequest,
} from "./auth-connections/requests.js";
import { formOf, readSubmission } from "./form.js";
import { interactionId, type Login, scriptStep } from "./login.js";
import type { LoginService } from "./service.js";
import { hostedUrl } from "./state.js";
import { timelineTypes } from "./timeline.js";

/**
 * Adds the operations on the logins of a connection. `ofConnection` runs before operations that a
 * login page may use, too. The credential of `exchange` is the handoff code.
 */
export function addLoginRoutes(
  app: Hono<RouteEnvironment>,
  ofProject: Access,
  ofConnection: Access,
  logins: LoginService,
  routes: ObjectRoutes<AuthConnection>,
): void {
  const { engine, subscribers, tokens } = logins;
  routes.post("/login", loginRequest, (settings, connection, context) => {
    asBadRequest(() => logins.connections.checkLogin(connection, settings));
    const login =
      engine.start(connection) ?? refuse(conflict("A login of this auth connection is in progress."));
    return context.json(startedOnWire(login, logins.origin));
  });

  const submit = (request: SubmitRequest, { id }: AuthConnection, context: Context): Response => {
    const login = engine.latest(id);
    if (login?.status !== "IN_PROGRESS") {
      throw noActiveLogin();
    }
    const form = formOf(scriptStep(login));
    const asks = form.fields.length + form.choices.length > 0;
    if (!asks || (request.interaction_id ?? interactionId(login)) !== interactionId(login)) {
      // A code of the newer interface. Guess: a submission that no step waits for gets the code.
      const message = "The login is not waiting for this input. It may have moved on.";
      throw new ServiceError(400, "stale_interaction", message);
    }
    engine.submit(login, readSubmission(request, form));
    return context.json({ accepted: true }, 202);
  };
  routes.post("/submit", submitRequest, submit, ofConnection);

  // The statuses of the refusals are published; the codes are guesses.
  app.post("/auth/connections/:id/exchange", async (context) => {
    const { code } = await readJson(context, exchangeRequest);
    await beforeCommit(context);
    const login = engine.exchangeHandoffCode(context.req.param("id"), code);
    if (login === undefined) {
      throw notFound("Auth connection or handoff code");
    }
    if (login === "gone") {
      throw new ServiceError(410, "gone", "The handoff code was already used, or its login is over.");
    }
    return context.json({ invocation_id: login.id, jwt: await tokens.issue(login.connectionId, login.id) });
  });

  app.get("/auth/connections/:id/timeline", ofProject, async (context) => {
    const request = readPageRequest(context);
    const type = oneOf(context, "type", timelineTypes);
    await beforeCommit(context);
    const events = logins.timeline(routes.find(context));
    const found = events.filter((event) => event.type === (type ?? event.type));
    return pageResponse(context, pageOf(found, request), (event) => event);
  });

  const events = (_: Context, { id }: AuthConnection): Response => {
    // Without a login there is nothing to follow: a guess. The connection itself exists.
    if (engine.latest(id) === undefined) {
      throw noActiveLogin();
    }
    const present = () => {
      const login = engine.latest(id);
      return login && logins.stateFrame(login);
    };
    return new StreamResponse(subscribers.add(id, present), eventStreamHeaders);
  };
  routes.read("/events", events, ofConnection);
}

function startedOnWire(login: Login, origin: string) {
  return withValues({
    id: login.connectionId,
    flow_type: login.type,
    hosted_url: hostedUrl(origin, login),
    flow_expires_at: new Date(login.expiresMs).toISOString(),
    handoff_code: login.handoffCode,
    live_view_url: login.scenario.liveViewUrl,
  });
}

function noActiveLogin(): ServiceError {
  return new ServiceError(404, "no_active_flow", "The auth connection has no login in progress. Start one.");
}
