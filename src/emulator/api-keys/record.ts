import { createHash } from "node:crypto";
import type { SQLOutputValue } from "node:sqlite";
import { randomText } from "../storage/ids-and-names.js";
import { stringOrNull } from "../storage/select-page.js";

/** Who created an API key. */
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
  /** The key without its middle, for instance `sk_1234...abcd`. */
  readonly maskedKey: string;
  /** The project the key is scoped to; null for a key of the whole organization. */
  readonly projectId: string | null;
  /** Name of that project; null without a project, and once it is deleted. */
  readonly projectName: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  readonly createdBy: ApiKeyCreator;
  /** When it expires, as an ISO 8601 date-time; null for never. */
  readonly expiresAt: string | null;
  /** When it was deleted, as an ISO 8601 date-time; null when it was not. */
  readonly deletedAt: string | null;
}

/** An API key with the key itself. Only its creation shows it: the emulator keeps a digest. */
export interface EmulatedApiKey extends EmulatedApiKeyRecord {
  /** What follows `Bearer ` in the header `Authorization`. */
  readonly key: string;
}

/** Makes a record of a row of `apiKeyRecords`. */
export function apiKeyRecord(row: Record<string, SQLOutputValue>): EmulatedApiKeyRecord {
  return {
    id: String(row.id),
    name: String(row.name),
    maskedKey: String(row.masked_key),
    projectId: stringOrNull(row.project_id),
    projectName: stringOrNull(row.project_name),
    createdAt: String(row.created_at),
    createdBy: {
      id: String(row.created_by_id),
      email: String(row.created_by_email),
      name: stringOrNull(row.created_by_name),
    },
    expiresAt: stringOrNull(row.expires_at),
    deletedAt: stringOrNull(row.deleted_at),
  };
}

/** The query for `apiKeyRecord`, without conditions. Its tables are `api_keys` and `projects`. */
export const apiKeyRecords = `
  SELECT api_keys.*, projects.name AS project_name
  FROM api_keys LEFT JOIN projects ON projects.id = api_keys.project_id`;

/** Says what is wrong with an API key, as the end of a sentence; undefined when nothing is. */
export function apiKeyProblem(key: unknown): string | undefined {
  // It follows "Bearer " in a header: visible ASCII, no spaces.
  return typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)
    ? undefined
    : "must be 1 to 255 visible ASCII characters without spaces";
}

/** A new key. */
export function newApiKeyText(): string {
  return `sk_${randomText(32)}`;
}

/** What is kept of a key to recognize it. */
export function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
