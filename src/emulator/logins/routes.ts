import type { Hono } from "hono";
import { eventFrame } from "../http/event-frame.js";
import { readJson } from "../http/request-body.js";
import type { Access, RouteEnvironment } from "../access.js";
import { conflict, notFound, ServiceError } from "../http/service-error.js";
import { StreamResponse } from "../http/stream-response.js";
import { exchangeRequest, loginRequest, submitRequest } from "./connections/requests.js";
import { findConnection } from "./connections/routes.js";
import type { AuthConnectionStore } from "./connections/store.js";
import type { LoginEngine } from "./engine.js";
import { interactionId, type LoginFlow, scriptStep } from "./login.js";
import { formOf } from "./form.js";
import { hostedUrl, type Origin, stateEvent } from "./state.js";
import type { LoginTokens } from "./connections/token.js";
import type { LoginWatchers, StateFrame } from "./subscribers.js";
import { readSubmission } from "./submission.js";

/** What the routes of logins work on. */
export interface LoginRouteParts {
  readonly connections: AuthConnectionStore;
  readonly engine: LoginEngine;
  readonly watchers: LoginWatchers;
  readonly tokens: LoginTokens;
  readonly origin: Origin;
}

/**
 * Adds the operations on the logins of a connection. `ofProject` runs before the start of one, `ofConnection` before those that a login
 * page may use as well; the credential of `exchange` is its code.
 */
export function addLoginRoutes(
  app: Hono<RouteEnvironment>,
  ofProject: Access,
  ofConnection: Access,
  { connections, engine, watchers, tokens, origin }: LoginRouteParts,
): void {
  app.post("/auth/connections/:id/login", ofProject, async (context) => {
    await readJson(context, loginRequest);
    await context.env.exchange.reach("before-commit");
    const flow = engine.start(findConnection(context, connections));
    if (flow === undefined) {
      throw conflict("A login of this auth connection is under way.");
    }
    return context.json(startedOnWire(flow, origin()));
  });

  app.post("/auth/connections/:id/submit", ofConnection, async (context) => {
    const request = await readJson(context, submitRequest);
    await context.env.exchange.reach("before-commit");
    const { id } = findConnection(context, connections);
    const flow = engine.latest(id);
    if (flow?.status !== "IN_PROGRESS") {
      throw noActiveFlow();
    }
    const form = formOf(scriptStep(flow));
    const asks = form.fields.length + form.choices.length > 0;
    if (!asks || (request.interaction_id ?? interactionId(flow)) !== interactionId(flow)) {
      // The code is of the newer interface; that it also answers a submission nobody waits for is a guess.
      throw new ServiceError(
        400,
        "stale_interaction",
        "The login does not wait for this input, or not any more.",
      );
    }
    engine.submit(flow, readSubmission(request, form));
    return context.json({ accepted: true }, 202);
  });

  // Which of its refusals is which status is published, their codes are not: guesses.
  app.post("/auth/connections/:id/exchange", async (context) => {
    const { code } = await readJson(context, exchangeRequest);
    await context.env.exchange.reach("before-commit");
    const flow = engine.takeHandoff(context.req.param("id"), code);
    if (flow === undefined) {
      throw notFound("Auth connection, or the handoff code,");
    }
    if (flow === "gone") {
      throw new ServiceError(410, "gone", "The handoff code was used before, or its login is over.");
    }
    return context.json({ invocation_id: flow.id, jwt: tokens.issue(flow.connectionId, flow.id) });
  });

  app.get("/auth/connections/:id/events", ofConnection, async (context) => {
    await context.env.exchange.reach("before-commit");
    const { id } = findConnection(context, connections);
    // Without a login there is nothing to follow: a guess, with a code of its own, since the connection is not gone.
    if (engine.latest(id) === undefined) {
      throw noActiveFlow();
    }
    const present = () => {
      const flow = engine.latest(id);
      return flow && stateFrame(flow, connections, origin);
    };
    return new StreamResponse(watchers.add(id, present), {
      "content-type": "text/event-stream",
      "x-sse-content-type": "application/json",
      "cache-control": "no-store",
    });
  });
}

/** A state as all who follow get it. */
export function stateFrame(flow: LoginFlow, connections: AuthConnectionStore, origin: Origin): StateFrame {
  const connection = connections.find(flow.connectionId);
  if (connection === undefined) {
    throw new Error("a login has no connection");
  }
  return { text: eventFrame(stateEvent(flow, connection, origin())), isLast: flow.status !== "IN_PROGRESS" };
}

function startedOnWire(flow: LoginFlow, origin: string) {
  const { liveViewUrl } = flow.scenario;
  return {
    id: flow.connectionId,
    flow_type: flow.type,
    hosted_url: hostedUrl(origin, flow),
    flow_expires_at: new Date(flow.expiresMs).toISOString(),
    handoff_code: flow.handoffCode,
    ...(liveViewUrl !== undefined && { live_view_url: liveViewUrl }),
  };
}

function noActiveFlow(): ServiceError {
  return new ServiceError(404, "no_active_flow", "The auth connection has no login under way. Start one.");
}
