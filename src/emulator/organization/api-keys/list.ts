import type { Page, PageRequest, Table } from "../../storage/table.js";
import type { EmulatedApiKeyRecord } from "./record.js";

/** Values of `status`; `active` includes expired keys. Source: the published interface. */
export const apiKeyStatuses = ["active", "deleted", "all"] as const;

/** Values of `sort_by`. */
export const apiKeyOrders = ["created_at", "name", "expires_at"] as const;

/** Values of `sort_direction`. */
export const sortDirections = ["asc", "desc"] as const;

/** Parameters of a list of API keys. */
export interface ApiKeyQuery extends PageRequest {
  /** Only keys with the given name, regardless of case and accents. */
  readonly name?: string | undefined;
  /** Only keys with the given text in name, creator or project, or at the start of id or mask. */
  readonly query?: string | undefined;
  /** Only keys scoped to the given project. */
  readonly projectId?: string | undefined;
  /** Default `active`. */
  readonly status?: (typeof apiKeyStatuses)[number] | undefined;
  /** Default `created_at`. */
  readonly sortBy?: (typeof apiKeyOrders)[number] | undefined;
  /** Default `desc`. */
  readonly sortDirection?: (typeof sortDirections)[number] | undefined;
}

/** Alternative conditions. The only parameter of a condition is the text to find. */
const matchesQuery = [
  ...["api_keys.name", "created_by_name", "created_by_email", "projects.name"].map(
    (column) => `instr(lowered(${column}), lowered(?)) > 0`,
  ),
  // `instr` returns 1 for a text at the start of the mask or id.
  ...["api_keys.id", "masked_key"].map((column) => `instr(${column}, ?) = 1`),
];

const statusConditions = { active: "deleted_at IS NULL", deleted: "deleted_at IS NOT NULL", all: "TRUE" };

// Keys with equal values are in the order of creation. Names sort without case and accents, and
// keys without an expiry before keys with an expiry: a guess, based on the service's description of
// its database.
const orders = {
  created_at: "api_keys.created_at",
  name: "folded(api_keys.name)",
  expires_at: "expires_at",
};

/** Returns one page of API keys. */
export function apiKeyPage(
  table: Table<EmulatedApiKeyRecord>,
  {
    name,
    query,
    projectId,
    status = "active",
    sortBy = "created_at",
    sortDirection = "desc",
    ...page
  }: ApiKeyQuery,
): Page<EmulatedApiKeyRecord> {
  return table.selectPage(
    page,
    [
      [statusConditions[status]],
      ["folded(api_keys.name) = folded(?)", name],
      [`(${matchesQuery.join(" OR ")})`, ...matchesQuery.map(() => query)],
      ["project_id = ?", projectId],
    ],
    `${orders[sortBy]} ${sortDirection}, seq ${sortDirection}`,
  );
}
