/**
 * Lists of the service, by kind: the one declaration for `pulumi do … list`, the schema, the lists of
 * the command line and `import all`. Loads nothing of the life cycles, so the command line starts fast.
 */
import type { BrowserInfraClient } from "../../client/index.js";
import { plural } from "../../text/words.js";
import { connectionName } from "./lists.js";

export interface Filter {
  /** Effect, as a phrase: `only pools whose name contains this text`. */
  readonly effect: string;
  /** Accepted values. Default: any string. */
  readonly values?: readonly string[];
}

/** Operations of the client on a kind of object, as far as every list has them. */
interface Lists {
  iterate(options: never): AsyncGenerator<{ readonly id: string; readonly name?: string | null }>;
}

/** List of the objects of a kind. The ids are those of `pulumi import`. */
export interface Listing<Operations extends Lists = Lists> {
  /** Whether the list has the objects of one project, or those of the organization. */
  readonly scope: "project" | "organization";
  operations(client: BrowserInfraClient): Operations;
  /** Filters of the service, by option of the client's list. */
  readonly filters: Readonly<Record<string, Filter>>;
  /** Name of an object. Default: its `name`. */
  readonly nameOf?: ((row: never) => string) | undefined;
}

/** Inputs of a list, in the schema and in requests: the project, and what the service filters. */
export function listInputsOf({ scope, filters }: Listing): Listing["filters"] {
  const effect = "only objects of the project with this id (default: the project of the settings)";
  return { ...filters, ...(scope === "project" && { projectId: { effect } }) };
}

function listing<Operations extends Lists>(
  scope: Listing["scope"],
  operations: (client: BrowserInfraClient) => Operations,
  filters: { readonly [Name in keyof Exclude<Parameters<Operations["iterate"]>[0], undefined>]?: Filter },
  nameOf?: Listing["nameOf"],
): Listing<Operations> {
  return { scope, operations, filters: filters as Listing["filters"], nameOf };
}

/** Filters by name. `searched`: members that the search text is looked up in. */
function names(noun: string, searched = "name") {
  return {
    query: { effect: `only ${plural(noun)} whose ${searched} contains this text` },
    name: { effect: `only ${plural(noun)} with exactly this name` },
  };
}

const projects = listing("organization", (client) => client.projects, {
  ...names("project"),
  status: { effect: "only projects with this status (default: both)", values: ["active", "archived"] },
});
const apiKeys = listing(
  "organization",
  (client) => client.apiKeys,
  names("key", "name, creator, project or id"),
);

/** Lists by kind. Undefined: the service has no list of the kind. */
export const listings = {
  Project: projects,
  ProjectLimits: projects,
  ApiKey: apiKeys,
  ApiKeyName: apiKeys,
  OrganizationLimits: undefined,
  LoginFlow: undefined,
  CredentialProvider: listing("organization", (client) => client.credentialProviders, names("provider")),
  TelemetryDestination: listing(
    "organization",
    (client) => client.telemetryDestinations,
    names("destination"),
  ),
  Extension: listing("project", (client) => client.extensions, names("extension")),
  AppDeployment: listing("project", (client) => client.deployments, {
    query: { effect: "only deployments with this id or app name" },
    appName: { effect: "only deployments of this app" },
    appVersion: { effect: "only deployments of this version; needs the app name" },
  }),
  BrowserPool: listing("project", (client) => client.browserPools, names("pool")),
  Profile: listing("project", (client) => client.profiles, names("profile")),
  Proxy: listing("project", (client) => client.proxies, names("proxy")),
  Credential: listing("project", (client) => client.credentials, {
    ...names("credential", "name or domain"),
    domain: { effect: "only credentials for this domain" },
  }),
  AuthConnection: listing(
    "project",
    (client) => client.authConnections,
    {
      query: { effect: "only connections that match this search text" },
      profileName: { effect: "only connections of this browser profile" },
      domain: { effect: "only connections that log in at this domain" },
    },
    connectionName,
  ),
};
