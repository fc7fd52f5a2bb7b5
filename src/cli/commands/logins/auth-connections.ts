import { Option } from "commander";
import type { AuthConnection, AuthConnectionListOptions } from "../../../client/index.js";
import { byId, type Noun, timeFact } from "../../noun.js";
import { withoutAddressesOf } from "../../terminal/login-progress.js";
import type { CellContent } from "../../terminal/table.js";
import { displayText } from "../../terminal/text.js";

interface ListFlags extends AuthConnectionListOptions {
  readonly profile?: string;
}

/** `browser-infra auth-connections`: the auth connections of a project, without addresses. */
export const authConnections: Noun<AuthConnection> = {
  group: "auth-connections",
  noun: "auth connection",
  scope: "project",
  help: "Show and delete the auth connections of a project: which profile logs in where.",
  facts: [
    { header: "PROFILE", cell: ({ profileName }) => profileName, cutWhenNarrow: true },
    { header: "DOMAIN", cell: ({ domain }) => domain, cutWhenNarrow: true },
    { header: "STATUS", cell: statusCell },
    { header: "LAST LOGIN", cell: loginCell, hideWhenNarrow: true },
    { ...timeFact("LAST CHECK", ({ lastAuthCheckAt }) => lastAuthCheckAt), onlyInGet: true },
    { header: "CAN LOG IN AGAIN BY ITSELF", cell: canReauthCell, onlyInGet: true },
  ],
  operations: (client) => client.authConnections,
  list: {
    help: "List the auth connections. For their logins, see browser-infra login.",
    options: [
      new Option("--query <text>", "only connections that match this search text"),
      new Option("--profile <name>", "only connections of this browser profile"),
      new Option("--domain <domain>", "only connections that log in at this domain"),
    ],
    async rows(client, { profile, ...filter }: ListFlags) {
      const found = await client.authConnections.list({ ...filter, profileName: profile });
      return found.map(withoutAddressesOf);
    },
  },
  get: { help: "Show one auth connection, without addresses of logins." },
  lookupArgument: byId,
  find: async (client, id, signal) => withoutAddressesOf(await client.authConnections.get(id, { signal })),
  delete: { help: "Delete one auth connection, after a confirmation. The profile stays." },
  details: ({ domain, profileName }) => [`profile ${displayText(profileName)} at ${displayText(domain)}`],
};

function statusCell({ status }: AuthConnection): CellContent {
  return { text: status, style: status === "AUTHENTICATED" ? "green" : "yellow" };
}

/** Login in progress, otherwise the last login. */
function loginCell({ flowStatus, flowStep }: AuthConnection): CellContent {
  if (flowStatus === null) {
    return { text: "none", style: "dim" };
  }
  return flowStatus === "IN_PROGRESS" && flowStep !== null ? `${flowStatus}, ${flowStep}` : flowStatus;
}

function canReauthCell({ canReauth, canReauthReason: reason }: AuthConnection): CellContent {
  const why = reason === null ? "" : ` (${reason})`;
  return canReauth === null ? null : `${canReauth ? "yes" : "no"}${why}`;
}
