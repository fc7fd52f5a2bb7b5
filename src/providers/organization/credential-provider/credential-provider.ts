import type { CredentialProvider } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { quote } from "../../../text/escape.js";
import { messageOf } from "../../../text/words.js";
import type { Call } from "../../call.js";
import type { OwnedResource } from "../../core/owned/declaration.js";
import { ownedKind } from "../../core/owned/lifecycle.js";
import { digestsOf } from "../../inputs/named-secrets.js";
import { requireKnown } from "../../properties.js";
import { providersOf } from "../../reads/lists.js";
import {
  changesOf,
  differingInputs,
  namedToken,
  type ProviderInputs,
  type ProviderState,
  providerFailures,
  providerInputs,
  providerState,
  shownSettings,
  stateOf,
  tokenOf,
} from "./properties.js";

/** A password manager from which the logins of the organization read values. */
const provider: OwnedResource<ProviderInputs, ProviderState, CredentialProvider> = {
  resource: "CredentialProvider",
  noun: "credential provider",
  notFoundCode: "credential_provider_not_found",
  deleteCommand: "browser-infra credential-providers delete",
  inputs: providerInputs,
  state: providerState,
  managedMarker: "name",
  failures: (news, _olds, _apiKey, { context }) => providerFailures(news, context),
  complete: (declared, news, olds, { context }) => ({
    ...declared,
    secretDigests: digestsOf(namedToken(news), olds?.secretDigests, context),
  }),
  previewFailures: async ({ name }, olds, call) => {
    reportRename(olds?.name, name, call);
    return [];
  },
  differingInputs,
  list: (_projectId, call) => providersOf(call),
  find: (id, _projectId, call) => ignoreNotFound(providersOf(call).get(id, call.options)),
  holderOf: (name, _projectId, call) => providersOf(call).holderOf(name, call.options),
  create: async (inputs, name, call) => {
    const token = requireKnown(tokenOf(inputs, call.context), "token", "CredentialProvider");
    const { cacheTtlSeconds } = inputs;
    const live = await providersOf(call).create({ name, token, cacheTtlSeconds }, call.options);
    await reportTest(live, call);
    return live;
  },
  change: (live, inputs, known = {}, call, isInDoubt) => {
    const changes = changesOf(live, inputs, known, isInDoubt, call.context);
    return (
      changes &&
      (async () => {
        reportRename(live.name, changes.name, call);
        const changed = await providersOf(call).update(live.id, changes, call.options);
        if (changes.token !== undefined) {
          await reportTest(changed, call);
        }
        return changed;
      })
    );
  },
  setLater: shownSettings,
  waitUntilReady: async (live, inputs, state, call) => {
    const changes = changesOf(live, inputs, state, false, call.context);
    if (changes !== undefined) {
      await providersOf(call).update(live.id, changes, call.options);
    }
    return undefined;
  },
  remove: (id, _state, call) => providersOf(call).delete(id, call.options),
  stateOf,
  readWarning: ({ id, name }, isImport) =>
    isImport
      ? `The service does not show the token of credential provider ${quote(name)} (${id}). The first "pulumi up" sends the token that the program declares.`
      : undefined,
  advice:
    "Always set the resource option `deleteBeforeReplace` to true. Names are unique in the organization, so a " +
    "forced replacement (`--replace`, `pulumi state taint`) must delete the old credential provider first.",
};

/** Warns of a rename: auth connections contain the name of the provider as text. */
function reportRename(from: unknown, to: unknown, { context }: Call): void {
  if (typeof from === "string" && typeof to === "string" && from !== to) {
    context.report.warning(
      `The credential provider ${quote(from)} is renamed to ${quote(to)}. Auth connections contain the name: a connection with the provider ${quote(from)} ` +
        'then waits for a person at the next login. A connection of this program follows if it takes the output "name". Change all other connections.',
    );
  }
}

/** Lets the service test the token. A failure is a warning: the provider exists, as declared. */
async function reportTest({ id, name }: CredentialProvider, call: Call): Promise<void> {
  const { report } = call.context;
  const remedy = `To test again, run "browser-infra credential-providers test ${id}".`;
  try {
    const { success, error } = await providersOf(call).test(id, call.options);
    if (!success) {
      const why = (error ?? "it gives no reason").replace(/\.$/, "");
      report.warning(
        `The service cannot use the token of credential provider ${quote(name)} (${id}): ${why}. Logins then wait for a person. ${remedy}`,
      );
    }
  } catch (error) {
    report.warning(
      `The token of credential provider ${quote(name)} (${id}) was not tested: ${messageOf(error)} ${remedy}`,
    );
  }
}

export const credentialProviderKind = ownedKind(provider);
