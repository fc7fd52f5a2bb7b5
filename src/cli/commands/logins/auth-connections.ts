import type { AuthConnection } from "../../../client/index.js";
import { listings } from "../../../providers/reads/listings.js";
import { byId, type Noun, onlyInGet, timeFact } from "../../noun.js";
import { withoutAddressesOf } from "../../terminal/login-progress.js";
import { type CellContent, dim, yesOrNo } from "../../terminal/table.js";
import { displayText } from "../../terminal/text.js";

/** `browser-infra auth-connections`: the auth connections of a project, without addresses. */
export const authConnections: Noun<AuthConnection> = {
  group: "auth-connections",
  noun: "auth connection",
  listing: listings.AuthConnection,
  help: "Show and delete the auth connections of a project: which profile logs in where.",
  facts: [
    { header: "PROFILE", cell: ({ profileName }) => profileName, cutWhenNarrow: true },
    { header: "DOMAIN", cell: ({ domain }) => domain, cutWhenNarrow: true },
    { header: "STATUS", cell: statusCell },
    { header: "LAST LOGIN", cell: loginCell, hideWhenNarrow: true },
    { ...timeFact("LAST CHECK", ({ lastAuthCheckAt }) => lastAuthCheckAt), onlyInGet: true },
    onlyInGet("CAN LOG IN AGAIN BY ITSELF", canReauthCell),
  ],
  list: {
    help: "List the auth connections. For their logins, see browser-infra login.",
    rows: async (client, filter) => (await client.authConnections.list(filter)).map(withoutAddressesOf),
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
    return dim("none");
  }
  return flowStatus === "IN_PROGRESS" && flowStep !== null ? `${flowStatus}, ${flowStep}` : flowStatus;
}

function canReauthCell({ canReauth, canReauthReason: reason }: AuthConnection): CellContent {
  const can = yesOrNo(canReauth);
  return can === null || reason === null ? can : `${can} (${reason})`;
}
