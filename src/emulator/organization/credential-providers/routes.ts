import type { Hono } from "hono";
import { z } from "zod";
import { checkedString, exactly, filledText, flag, nothing, wholeNumber } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import { nameProblem } from "../../storage/ids-and-names.js";
import { camelCased, snakeCased } from "../../storage/members.js";
import { unconfined } from "../projects/routes.js";
import type { CredentialProviderStore, EmulatedCredentialProvider } from "./store.js";
import { itemOnWire, vaultsOf } from "./vault.js";

// Published: trimmed, not empty after that. Guesses: the length, and every other limit.
const name = checkedString(nameProblem).transform((given) => given.trim());
const settings = { cache_ttl_seconds: wholeNumber(0).optional() };
const createRequest = exactly({
  ...{ name, token: filledText, ...settings },
  provider_type: z.literal("onepassword", "must be onepassword"),
});
const updateRequest = exactly({
  ...{ name: name.optional(), token: filledText.optional(), ...settings },
  enabled: flag.optional(),
  priority: z.int("must be a whole number").optional(),
});

/**
 * Adds the operations on credential providers. Published: the shapes and the statuses. Guesses: a
 * key of one project can only read; a creation tests no token; nothing blocks a deletion.
 */
export function addCredentialProviderRoutes(
  app: Hono<RouteEnvironment>,
  ofOrganization: Access,
  providers: CredentialProviderStore,
): void {
  const access = unconfined(ofOrganization, "change or test a credential provider", "GET");
  const routes = new ObjectRoutes(app, access, {
    path: "/org/credential_providers",
    thing: "credential provider",
    table: providers,
    owner: "organization",
    onWire,
    // Published: no operation takes a name.
    parameter: ":id",
    find: (_, id) => providers.find(id),
  });
  routes.create(createRequest, ({ name, token, cache_ttl_seconds: cacheTtlSeconds }) =>
    providers.insert({ name, token, cacheTtlSeconds }),
  );
  routes.list([]);
  routes.read();
  routes.change(updateRequest, (changes, provider) => providers.update(provider, camelCased(changes)));
  routes.remove(nothing, (_, { id }) => providers.remove(id));
  routes.read("/items", (context, provider) =>
    context.json({ items: (providers.itemsOf(provider) ?? []).map(itemOnWire) }),
  );
  routes.post("/test", nothing, (_, provider, context) => {
    const items = providers.itemsOf(provider);
    const failure = { success: false, vaults: [], error: "The token is not a service account token." };
    return context.json(items === undefined ? failure : { success: true, vaults: vaultsOf(items) });
  });
}

/** Converts a provider for a response, without the token and the cache time, which stay hidden. */
function onWire({ token: _hidden, cacheTtlSeconds, ...shown }: EmulatedCredentialProvider) {
  return { ...snakeCased(shown), provider_type: "onepassword" };
}
