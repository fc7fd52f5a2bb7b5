import type { Context, MiddlewareHandler } from "hono";
import type { Exchange } from "../http/exchange.js";
import type { EmulatedApiKeyPolicy, GrantedIds } from "./scope.js";

/** API key of a request, as far as a route asks who calls. */
interface Caller {
  readonly id: string;
  /** Project to which the key is scoped; null for a key of the whole organization. */
  readonly projectId: string | null;
  readonly createdBy: { readonly id: string; readonly email: string; readonly name: string | null };
  /** Time of expiry, as an ISO 8601 date-time; null for never. */
  readonly expiresAt: string | null;
  readonly policy: EmulatedApiKeyPolicy | null;
}

/** Project of a request, as far as a route looks at the project. */
export interface RequestProject {
  readonly id: string;
  readonly limits: { readonly maxConcurrentSessions: number | null };
}

/** Hono's context in a route: the exchange always, the variables once access is granted. */
export interface RouteEnvironment {
  Bindings: { readonly exchange: Exchange };
  Variables: {
    /** API key of the request. Absent for requests of a login page, which have a token. */
    caller: Caller;
    /** Project of the request; only after `projectAccess` and `connectionAccess`. */
    project: RequestProject;
    /** Id of the project that confines the request, or null; only after `organizationAccess`. */
    scope: string | null;
    /** Ids that the policy of the key allows here; undefined for all. Not for a login page. */
    granted: GrantedIds;
  };
}

/** Runs before a route and decides whether the request may reach the route. */
export type Access = MiddlewareHandler<RouteEnvironment>;

/** Credential of the header `Authorization: Bearer …`. */
export function bearerCredential(context: Context<RouteEnvironment>): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(context.req.header("authorization") ?? "")?.[1];
}
