import type { AuthConnection } from "../../client/index.js";
import type { Call } from "../call.js";
import type { List } from "./walks.js";

// Lists that several kinds read. A walk is shared by all users of the same function.

export function extensionsOf(projectId: string | undefined, call: Call) {
  return call.clientFor(projectId).extensions;
}

export function profilesOf(projectId: string | undefined, call: Call) {
  return call.clientFor(projectId).profiles;
}

export function proxiesOf(projectId: string | undefined, call: Call) {
  return call.clientFor(projectId).proxies;
}

export function deploymentsOf(projectId: string | undefined, call: Call) {
  return call.clientFor(projectId).deployments;
}

export function connectionsOf(projectId: string | undefined, call: Call) {
  return call.clientFor(projectId).authConnections;
}

/** Destinations belong to the organization, so the project of the settings does not matter. */
export function destinationsOf(call: Call) {
  return call.clientFor(undefined).telemetryDestinations;
}

/** Domain and profile, unique in a project: `example.com/work`. */
export function connectionName({ domain, profileName }: Pick<AuthConnection, "domain" | "profileName">) {
  return `${domain.toLowerCase()}/${profileName}`;
}

/** Connection with domain and profile as the name. */
export type NamedConnection = AuthConnection & { readonly name: string };

/** Auth connections, with names. */
export const namedConnectionsOf: List<NamedConnection> = (projectId, call) => ({
  async *scan(options) {
    for await (const { rows, isComplete } of connectionsOf(projectId, call).scan(options)) {
      yield { rows: rows.map((row) => ({ ...row, name: connectionName(row) })), isComplete };
    }
  },
});
