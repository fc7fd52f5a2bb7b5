import { foldedName } from "../../storage/ids-and-names.js";
import { fitting, type Page, type PageRequest, pageOf } from "../../storage/table.js";
import type { EmulatedApiKeyRecord } from "./record.js";

/** Values of `status`; `active` includes expired keys. Source: the published interface. */
export const apiKeyStatuses = ["active", "deleted", "all"] as const;

export const apiKeyOrders = ["created_at", "name", "expires_at", "last_used_at"] as const;

export const sortDirections = ["asc", "desc"] as const;

interface ApiKeyQuery extends PageRequest {
  /** Only keys with the given name, regardless of case and accents. */
  readonly name?: string | undefined;
  /** Only keys with the given text in name, creator or project, or at the start of id or mask. */
  readonly query?: string | undefined;
  /** Only keys scoped to the given project. */
  readonly projectId?: string | undefined;
  readonly status?: (typeof apiKeyStatuses)[number] | undefined;
  readonly sortBy?: (typeof apiKeyOrders)[number] | undefined;
  readonly sortDirection?: (typeof sortDirections)[number] | undefined;
}

const isListed = {
  active: ({ deletedAt }: EmulatedApiKeyRecord) => deletedAt === null,
  deleted: ({ deletedAt }: EmulatedApiKeyRecord) => deletedAt !== null,
  all: () => true,
};

// Keys with equal values are in the order of creation. Names sort without case and accents, and
// keys without an expiry or a use before the others: a guess, based on the service's description of
// its database.
const sortedBy = (lastUse: (id: string) => string | null) => ({
  created_at: ({ createdAt }: EmulatedApiKeyRecord) => createdAt,
  name: ({ name }: EmulatedApiKeyRecord) => foldedName(name),
  expires_at: ({ expiresAt }: EmulatedApiKeyRecord) => expiresAt ?? "",
  last_used_at: ({ id }: EmulatedApiKeyRecord) => lastUse(id) ?? "",
});

/** Returns one page of API keys. `keys`: newest first. `lastUse`: finds the time of a key's last use. */
export function apiKeyPage(
  keys: readonly EmulatedApiKeyRecord[],
  lastUse: (id: string) => string | null,
  {
    name,
    query,
    projectId,
    status = "active",
    sortBy = "created_at",
    sortDirection = "desc",
    ...request
  }: ApiKeyQuery,
): Page<EmulatedApiKeyRecord> {
  const isNamed = fitting<EmulatedApiKeyRecord>({ exact: { name } }, () => []);
  const found = keys.filter(
    (key) =>
      isListed[status](key) &&
      isNamed(key) &&
      (projectId ?? key.projectId) === key.projectId &&
      (query === undefined || matches(key, query)),
  );
  const value = sortedBy(lastUse)[sortBy];
  const order = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  const ascending = found.toReversed().sort((a, b) => order(value(a), value(b)));
  return pageOf(sortDirection === "asc" ? ascending : ascending.toReversed(), request);
}

function matches(key: EmulatedApiKeyRecord, query: string): boolean {
  const { id, name, maskedKey, createdBy, projectName } = key;
  const part = query.toLowerCase();
  const texts = [name, createdBy.name, createdBy.email, projectName];
  return (
    texts.some((text) => text?.toLowerCase().includes(part)) ||
    [id, maskedKey].some((text) => text.startsWith(query))
  );
}
