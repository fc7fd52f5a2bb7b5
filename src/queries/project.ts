/** Queries in one project: the one that the settings name, or else that of the API key. */
import type { BrowserPool, Extension } from "../client/types.js";
import { ContractError } from "../errors.js";
import { withoutAddresses } from "../text/redact.js";
import type {
  GetAuthConnectionArgs,
  GetBrowserPoolArgs,
  GetBrowserPoolsArgs,
  GetExtensionArgs,
} from "./arguments.js";
import { nameAsId } from "./ids-and-names.js";
import type { Query } from "./query.js";
import type { AuthConnectionSummary } from "./results.js";

/** One extension, by id or by exact name. */
export const extensionQuery: Query<GetExtensionArgs, Extension> = {
  name: "getExtension",
  takes: { exactlyOneOf: ["id", "name"] },
  scope: "project",
  ask: async (client, { id, name }) => {
    if (id === undefined) {
      return client.extensions.getByName(name);
    }
    const extension = await client.extensions.get(id);
    // The service takes an id or a name here.
    if (extension.id !== id) {
      throw nameAsId("an extension", extension.id, "id", "name");
    }
    return extension;
  },
};

/** One browser pool, by id or by exact name. */
export const browserPoolQuery: Query<GetBrowserPoolArgs, BrowserPool> = {
  name: "getBrowserPool",
  takes: { exactlyOneOf: ["id", "name"] },
  scope: "project",
  ask: async (client, { id, name }) => {
    if (id === undefined) {
      return client.browserPools.getByName(name);
    }
    try {
      return await client.browserPools.get(id);
    } catch (error) {
      // The service takes an id or a name here; the client reports a name as another pool.
      const named = error instanceof ContractError ? await client.browserPools.holderOf(id) : undefined;
      throw named === undefined ? error : nameAsId("a browser pool", named.id, "id", "name");
    }
  },
};

/** The browser pools of the project, over every page. */
export const browserPoolsQuery: Query<GetBrowserPoolsArgs, { browserPools: BrowserPool[] }> = {
  name: "getBrowserPools",
  takes: { anyOf: ["query", "name", "limit"] },
  scope: "project",
  ask: async (client, args) => ({ browserPools: [...(await client.browserPools.list(args))] }),
};

/** What is told of an auth connection, so that the compiler notices a name that is missing. */
const told: Readonly<Record<keyof AuthConnectionSummary, true>> = {
  id: true,
  domain: true,
  profileName: true,
  status: true,
  flowStatus: true,
  flowStep: true,
  flowType: true,
  flowExpiresAt: true,
  errorCode: true,
  errorMessage: true,
  canReauth: true,
};

/** The state of a profile's login at one domain, without any address. */
export const authConnectionQuery: Query<GetAuthConnectionArgs, AuthConnectionSummary> = {
  name: "getAuthConnection",
  takes: { exactlyOneOf: ["id"] },
  scope: "project",
  ask: async (client, { id }) => {
    const connection = await client.authConnections.get(id);
    const names = Object.keys(told) as (keyof AuthConnectionSummary)[];
    const summary = Object.fromEntries(names.map((name) => [name, connection[name]]));
    return {
      ...(summary as unknown as AuthConnectionSummary),
      errorCode: connection.errorCode && withoutAddresses(connection.errorCode),
      errorMessage: connection.errorMessage && withoutAddresses(connection.errorMessage),
    };
  },
};
