import type { SQLOutputValue } from "node:sqlite";

/** Who made an API key. */
export interface ApiKeyCreator {
  readonly id: string;
  readonly email: string;
  /** Null when the person gave none. */
  readonly name: string | null;
}

/** An API key as everyone may see it. */
export interface EmulatedApiKeyRecord {
  readonly id: string;
  /** Label; several keys may have the same. */
  readonly name: string;
  /** The key with its middle left out, for instance `sk_1234...abcd`. */
  readonly maskedKey: string;
  /** The project the key is confined to; null for a key of the whole organization. */
  readonly projectId: string | null;
  /** Name of that project; null without a project, and once it is deleted. */
  readonly projectName: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  readonly createdBy: ApiKeyCreator;
  /** When it stops being valid, as an ISO 8601 date-time; null for never. */
  readonly expiresAt: string | null;
  /** When it was deleted, as an ISO 8601 date-time; null when it was not. */
  readonly deletedAt: string | null;
}

/** An API key with its text. The emulator keeps a digest only, so this is the one time the text is told. */
export interface EmulatedApiKey extends EmulatedApiKeyRecord {
  /** What goes behind `Bearer ` in the header `Authorization`. */
  readonly key: string;
}

/** Makes a record of a row of `apiKeyRecords`. */
export function apiKeyRecord(row: Record<string, SQLOutputValue>): EmulatedApiKeyRecord {
  const text = (value: SQLOutputValue | undefined) => (typeof value === "string" ? value : null);
  return {
    id: String(row.id),
    name: String(row.name),
    maskedKey: String(row.masked_key),
    projectId: text(row.project_id),
    projectName: text(row.project_name),
    createdAt: String(row.created_at),
    createdBy: {
      id: String(row.created_by_id),
      email: String(row.created_by_email),
      name: text(row.created_by_name),
    },
    expiresAt: text(row.expires_at),
    deletedAt: text(row.deleted_at),
  };
}

/** What to select, and from where, for `apiKeyRecord`. The tables go by `api_keys` and `projects`. */
export const apiKeyRecords = `
  SELECT api_keys.*, projects.name AS project_name
  FROM api_keys LEFT JOIN projects ON projects.id = api_keys.project_id`;
