import type { AuthConnection, BrowserInfraClient } from "../../client/index.js";
import type { Call } from "../call.js";
import type { List } from "./walks.js";

type Operations = keyof BrowserInfraClient;

function inProject<Kind extends Operations>(kind: Kind) {
  return (projectId: string | undefined, call: Call) => call.clientFor(projectId)[kind];
}

// Lists of a project. A walk is shared by all users of the same function.
export const extensionsOf = inProject("extensions");
export const profilesOf = inProject("profiles");
export const proxiesOf = inProject("proxies");
export const deploymentsOf = inProject("deployments");
export const connectionsOf = inProject("authConnections");
export const credentialsOf = inProject("credentials");

function ofOrganization<Kind extends Operations>(kind: Kind) {
  return (call: Call) => call.clientFor(undefined)[kind];
}

// Operations in which the project of the settings does not matter.
export const organizationOf = ofOrganization("organization");
export const projectsOf = ofOrganization("projects");
export const apiKeysOf = ofOrganization("apiKeys");
export const providersOf = ofOrganization("credentialProviders");
export const destinationsOf = ofOrganization("telemetryDestinations");

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
