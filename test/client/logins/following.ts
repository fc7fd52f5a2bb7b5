import { errorOf } from "../../support/error-of.js";
import { json } from "../fault-server.js";
import { collect, connectionId, type LoginServices, startLoginBench, wireRecord } from "./login-server.js";

/** The record while the login is in progress. */
export const inProgress = json(200, wireRecord("IN_PROGRESS", "DISCOVERING", { flow_type: "LOGIN" }));
/** The record cannot be read now. */
export const unavailable = json(503, { code: "unavailable", message: "Later" });
/** Answer for a connection that does not exist. */
export const notFound = json(404, { code: "not_found", message: "No such connection" });

/** Follows a login to the end. `seen`: the events in a few words. */
export async function followed(services: LoginServices, options = {}) {
  const bench = await startLoginBench(services);
  const events = await collect(bench.client.authConnections.follow(connectionId, options));
  return { ...bench, events, seen: events.map(summary) };
}

/** An event in a few words. */
export function summary(event: unknown): string {
  const { event: kind, origin, flowStatus, flowStep, error } = event as Record<string, unknown>;
  if (kind === "managed_auth_state") {
    return `${origin}: ${flowStatus} ${flowStep}`;
  }
  return kind === "error" ? `error: ${(error as { code: string }).code}` : String(kind);
}

/** Follows a login that ends with an error. `seen`: the events before the error, in a few words. */
export async function failing(services: LoginServices, options = {}) {
  const bench = await startLoginBench(services);
  const seen: string[] = [];
  const error = await errorOf(
    (async () => {
      for await (const event of bench.client.authConnections.follow(connectionId, options)) {
        seen.push(summary(event));
      }
    })(),
  );
  return { ...bench, seen, error };
}

/** The states of an ordinary login in a few words. */
export const all = [
  "stream: IN_PROGRESS DISCOVERING",
  "stream: IN_PROGRESS AWAITING_INPUT",
  "stream: SUCCESS COMPLETED",
];
