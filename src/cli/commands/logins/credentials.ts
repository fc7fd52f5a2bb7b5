import type { Credential } from "../../../client/index.js";
import { projectNameProblem } from "../../../client/names.js";
import { listings } from "../../../providers/reads/listings.js";
import { findByIdOrName } from "../../find.js";
import { type Noun, nameFact, onlyInGet, timeFact } from "../../noun.js";
import { dim, yesOrNo } from "../../terminal/table.js";

/** `browser-infra credentials`: the stored credentials of a project, without values. */
export const credentials: Noun<Credential> = {
  group: "credentials",
  noun: "credential",
  listing: listings.Credential,
  help: "Show, rename and delete stored credentials. The values are never shown.",
  facts: [
    nameFact,
    { header: "DOMAIN", cell: ({ domain }) => domain, cutWhenNarrow: true },
    { header: "SSO", cell: ({ ssoProvider }) => ssoProvider ?? dim("none"), hideWhenNarrow: true },
    onlyInGet("VALUES", ({ valueKeys }) => valueKeys?.join(", ") ?? null),
    onlyInGet("ONE-TIME CODES", ({ hasTotpSecret }) => yesOrNo(hasTotpSecret)),
    timeFact("CREATED", ({ createdAt }) => createdAt),
    { ...timeFact<Credential>("CHANGED", ({ updatedAt }) => updatedAt), onlyInGet: true },
  ],
  list: {
    help: "List the credentials of a project.",
  },
  get: { help: "Show one credential, without its values." },
  find: async (client, idOrName, signal) => {
    const { id } = await findByIdOrName(client.credentials, idOrName, signal);
    return client.credentials.get(id, { signal });
  },
  rename: {
    rule: "1 to 255 characters, without / and %",
    problem: projectNameProblem,
    send: (client, id, name, options) => client.credentials.rename(id, name, options),
  },
  delete: { help: "Delete one credential, after a confirmation." },
  details: ({ domain }) => [domain],
};
