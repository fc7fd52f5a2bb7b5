import type { Hono } from "hono";
import { conflict } from "../../http/service-error.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import { snakeCased, withValues } from "../../storage/members.js";
import { unconfined } from "../projects/routes.js";
import { createRequest, updateRequest } from "./requests.js";
import type { EmulatedTelemetryDestination, TelemetryDestinationStore } from "./store.js";

/** Users of a destination, each as the end of a sentence; undefined if there are none. */
interface Users {
  of(id: string): string | undefined;
  /** Auth connections that select the destination by name. */
  byName(id: string): string | undefined;
}

/**
 * Adds the operations on telemetry destinations. A key of a project may only read, as published.
 * Guesses: the code of the 409 responses, and the refusal of a rename while an auth connection selects
 * the name. The published types refuse such a rename, a newer page allows it.
 */
export function addTelemetryDestinationRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  destinations: TelemetryDestinationStore,
  users: Users,
): void {
  const readOnly = unconfined(access, "change telemetry destinations", "GET");
  const routes = new ObjectRoutes(app, readOnly, {
    path: "/telemetry/destinations",
    thing: "telemetry destination",
    table: destinations,
    owner: "organization",
    onWire,
  });
  routes.create(createRequest, (request) => destinations.insert(request));
  routes.list(["name"]);
  routes.read();
  routes.change(updateRequest, (changes, destination) => {
    const selecting = users.byName(destination.id);
    if (selecting !== undefined && (changes.name ?? destination.name) !== destination.name) {
      throw conflict(`The telemetry destination is selected by its name, by ${selecting}.`);
    }
    return destinations.update(destination, changes);
  });
  routes.removeUnused((id) => users.of(id), conflict);
}

/** Converts a record, with the names of the headers and no value. */
function onWire({ headers, ...destination }: EmulatedTelemetryDestination) {
  const names = Object.keys(headers).map((name) => [name, ""]);
  return snakeCased({ ...withValues(destination), headers: Object.fromEntries(names) });
}
