import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import type { EmulatedApiKeyRecord } from "../api-keys/record.js";
import type { EmulatedProject } from "../projects/store.js";
import type { Exchange } from "./exchange.js";

/** What routes find in Hono's context: the exchange always, the rest once access is granted. */
export interface RouteEnvironment {
  Bindings: HttpBindings & { readonly exchange: Exchange };
  Variables: {
    /** The API key of the request. Absent for requests of a login page, which have a token. */
    caller: EmulatedApiKeyRecord;
    /** The project the request is about; only after `projectAccess` and `connectionAccess`. */
    project: EmulatedProject;
    /** Id of the project the request is confined to, or null; only after `organizationAccess`. */
    scope: string | null;
  };
}

/** Runs before a route and decides whether the request may reach it. */
export type Access = MiddlewareHandler<RouteEnvironment>;

/**
 * Lets a fault strike at `before-commit`. A route calls this once it has checked everything that
 * needs no look into the database.
 */
export function beforeCommit(context: Context<RouteEnvironment>): Promise<void> {
  return context.env.exchange.reach("before-commit");
}
