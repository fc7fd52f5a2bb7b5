/** Played vaults: the items that every credential provider with a working token can read. */
import type { z } from "zod";
import { anyText, exactly, filledText, listOf } from "../../http/shapes.js";

/**
 * Item of a vault in a seed. The scenario of a login decides what happens with the values.
 * @internal
 */
export const vaultItemEntry = exactly({
  // A name with a slash is not supported. Source: the published documentation.
  path: anyText.regex(/^[^/]+\/[^/]+$/, "must be <vault>/<item>").describe("Vault and item: Work/Shop."),
  urls: listOf(filledText)
    .optional()
    .describe("Web addresses of the item, such as https://shop.example or *.shop.example. Default: none."),
});

export type VaultItem = z.infer<typeof vaultItemEntry>;

/**
 * Finds the item for a login: the item at `path`, or else the first item with an address of
 * `domain`. Guess: an address fits if its host is the domain, and `*.` stands for any subdomain.
 */
export function itemFor(items: readonly VaultItem[], path: string | undefined, domain: string) {
  return items.find((item) =>
    path === undefined ? item.urls?.some((url) => fits(url, domain.toLowerCase())) : item.path === path,
  );
}

function fits(url: string, domain: string): boolean {
  const host = url
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, "")
    .replace(/[:/?#].*/s, "");
  return host.startsWith("*.") ? domain.endsWith(host.slice(1)) : host === domain;
}

export function itemOnWire({ path, urls = [] }: VaultItem) {
  const [vault = "", title = ""] = path.split("/");
  return { id: `item-${title}`, path, title, vault_id: `vault-${vault}`, vault_name: vault, urls };
}

/** Vaults of items, as the test of a provider lists vaults. */
export function vaultsOf(items: readonly VaultItem[]) {
  const names = items.map(({ path }) => path.split("/")[0] ?? "");
  return [...new Set(names)].map((name) => ({ id: `vault-${name}`, name }));
}
