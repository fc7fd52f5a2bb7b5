import type { CredentialProvider } from "../../../client/index.js";
import { trimmedNameProblem } from "../../../client/names.js";
import { listings } from "../../../providers/reads/listings.js";
import { findByIdOrName } from "../../find.js";
import { byIdOrName, type Noun, nameFact, subjectOf, timeFact } from "../../noun.js";
import type { ServiceCommand } from "../../session.js";

/** `browser-infra credential-providers`: the credential providers of the organization. */
export const credentialProviders: Noun<CredentialProvider> = {
  group: "credential-providers",
  noun: "credential provider",
  listing: listings.CredentialProvider,
  help: "Show, test, rename and delete credential providers. The tokens are never shown.",
  facts: [
    nameFact,
    { header: "TYPE", cell: ({ providerType }) => providerType, hideWhenNarrow: true },
    { header: "ENABLED", cell: ({ enabled }) => (enabled ? "yes" : { text: "no", style: "yellow" }) },
    { header: "PRIORITY", cell: ({ priority }) => String(priority), align: "right", hideWhenNarrow: true },
    timeFact("CREATED", ({ createdAt }) => createdAt),
    { ...timeFact<CredentialProvider>("CHANGED", ({ updatedAt }) => updatedAt), onlyInGet: true },
  ],
  list: { help: "List the credential providers." },
  get: { help: "Show one credential provider, without its token." },
  rename: {
    rule: "1 to 255 characters, which auth connections must use instead of the old name",
    problem: trimmedNameProblem,
    send: (client, id, name, options) => client.credentialProviders.rename(id, name, options),
  },
  delete: { help: "Delete one credential provider, after a confirmation." },
  others: () => [test],
};

/** `test`: lets the service test the token of a provider, and lists the items. */
const test: ServiceCommand<[string]> = {
  name: "test",
  help: "Let the service test the token of a credential provider, and list the items. A bad token is no error.",
  exitCodes: ["notFound"],
  scope: "organization",
  arguments: byIdOrName,
  async work({ organization: { credentialProviders: operations }, output, signal }, idOrName) {
    const found = await findByIdOrName(operations, idOrName, signal);
    const tested = await operations.test(found.id, { signal });
    const items = tested.success ? await operations.items(found.id, { signal }) : [];
    output.printFields({ ...found, ...tested, items }, [
      ["PROVIDER", subjectOf(credentialProviders, found)],
      ["TOKEN", tested.success ? "works" : { text: "does not work", style: "yellow" }],
      ...(tested.error === null ? [] : [["ERROR", tested.error] as const]),
      ["VAULTS", tested.vaults.map(({ name }) => name).join(", ")],
      ["ITEMS", items.map(({ path }) => path).join(", ")],
    ]);
  },
};
