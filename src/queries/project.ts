/** Queries in one project: the one that the settings name, or else that of the API key. */
import type { Extension } from "../client/types.js";
import { withoutAddresses } from "../text/redact.js";
import type { GetAuthConnectionArgs, GetExtensionArgs } from "./arguments.js";
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
