import { json } from "./fault-server.js";
import { collect, connectionId, type LoginServices, startLoginBench, wireRecord } from "./login-server.js";
import { errorOf } from "./test-client.js";

/** The record while the login is in progress. */
export const inProgress = json(200, wireRecord("IN_PROGRESS", "DISCOVERING", { flow_type: "LOGIN" }));
/** The answer for a connection that is not there. */
export const notFound = json(404, { code: "not_found", message: "No such connection" });

/** Statuses and steps of what is followed, with where they came from, and the bench. */
export async function followed(services: LoginServices, options = {}) {
  const bench = await startLoginBench(services);
  const events = await collect(bench.client.authConnections.follow(connectionId, options));
  return { ...bench, events, told: events.map(summary) };
}

/** A state or an error in a few words. */
export function summary(event: unknown): string {
  const { event: kind, origin, flowStatus, flowStep, error } = event as Record<string, unknown>;
  if (kind === "managed_auth_state") {
    return `${origin}: ${flowStatus} ${flowStep}`;
  }
  return kind === "error" ? `error: ${(error as { code: string }).code}` : String(kind);
}

/** The error that following ends with, what was given before, and the bench. */
export async function failing(services: LoginServices, options = {}) {
  const bench = await startLoginBench(services);
  const told: string[] = [];
  const error = await errorOf(
    (async () => {
      for await (const event of bench.client.authConnections.follow(connectionId, options)) {
        told.push(summary(event));
      }
    })(),
  );
  return { ...bench, told, error };
}

/** The states of an ordinary login, as they are told. */
export const all = [
  "stream: IN_PROGRESS DISCOVERING",
  "stream: IN_PROGRESS AWAITING_INPUT",
  "stream: SUCCESS COMPLETED",
];
