import type { DatabaseSync } from "node:sqlite";
import { apiKeyRecord, apiKeyRecords, type EmulatedApiKeyRecord } from "./record.js";
import type { Page, PageRequest } from "../storage/select-page.js";

/** Values of `status`. `active` includes keys that have expired. Source: the service's published interface description. */
export const apiKeyStatuses = ["active", "deleted", "all"] as const;

/** Values of `sort_by`. */
export const apiKeyOrders = ["created_at", "name", "expires_at"] as const;

/** Values of `sort_direction`. */
export const sortDirections = ["asc", "desc"] as const;

/** What a list of API keys asks for. */
export interface ApiKeyQuery extends PageRequest {
  /** Only names equal to this one but for case and accents. */
  readonly name?: string | undefined;
  /** Only keys whose name, creator or project has this text, whatever its case, or whose id or mask begins with it. */
  readonly query?: string | undefined;
  /** Only keys confined to this project. */
  readonly projectId?: string | undefined;
  /** Default `active`. */
  readonly status?: (typeof apiKeyStatuses)[number] | undefined;
  /** Default `created_at`. */
  readonly sortBy?: (typeof apiKeyOrders)[number] | undefined;
  /** Default `desc`. */
  readonly sortDirection?: (typeof sortDirections)[number] | undefined;
}

const matchesQuery = [
  ...["api_keys.name", "created_by_name", "created_by_email", "projects.name"].map(
    (text) => `instr(lowered(${text}), lowered(:query)) > 0`,
  ),
  ...["api_keys.id", "masked_key"].map((text) => `substr(${text}, 1, length(:query)) = :query`),
].join(" OR ");

// Equal ones in the order of creation. That names sort without case and accents, and keys that never expire before those that do,
// is a guess after what the service says of its database.
const orders = {
  created_at: "api_keys.created_at",
  name: "folded(api_keys.name)",
  expires_at: "expires_at",
} as const;

/** One page of API keys. */
export function apiKeyPage(
  database: DatabaseSync,
  {
    limit,
    offset,
    name,
    query,
    projectId,
    status = "active",
    sortBy = "created_at",
    sortDirection = "desc",
  }: ApiKeyQuery,
): Page<EmulatedApiKeyRecord> {
  const conditions = ["TRUE"];
  if (status !== "all") {
    conditions.push(`deleted_at IS ${status === "active" ? "" : "NOT "}NULL`);
  }
  if (name !== undefined) {
    conditions.push("folded(api_keys.name) = folded(:name)");
  }
  if (query !== undefined) {
    conditions.push(`(${matchesQuery})`);
  }
  if (projectId !== undefined) {
    conditions.push("project_id = :projectId");
  }
  const rows = database
    .prepare(
      `${apiKeyRecords} WHERE ${conditions.join(" AND ")}
       ORDER BY ${orders[sortBy]} ${sortDirection}, seq ${sortDirection} LIMIT :rows OFFSET :offset`,
    )
    // One row more than asked for tells whether the page is the last.
    .all({
      rows: limit + 1,
      offset,
      ...(name !== undefined && { name }),
      ...(query !== undefined && { query }),
      ...(projectId !== undefined && { projectId }),
    });
  return { rows: rows.slice(0, limit).map(apiKeyRecord), more: rows.length > limit };
}
