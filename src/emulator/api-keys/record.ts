import { createHash } from "node:crypto";
import type { EmulatedApiKeyPolicy } from "./policy.js";

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
  /** What it may do; null for an ordinary key, which may do everything. */
  readonly policy: EmulatedApiKeyPolicy | null;
  /** When it was deleted, as an ISO 8601 date-time; null when it was not. */
  readonly deletedAt: string | null;
}

/** An API key with the key itself. Only its creation shows it: the emulator keeps a digest. */
export interface EmulatedApiKey extends EmulatedApiKeyRecord {
  /** What follows `Bearer ` in the header `Authorization`. */
  readonly key: string;
}

/** A row of `apiKeyRecords`. */
interface ApiKeyRow extends Omit<EmulatedApiKeyRecord, "createdBy" | "policy"> {
  readonly policy: string | null;
  readonly createdById: string;
  readonly createdByEmail: string;
  readonly createdByName: string | null;
}

/** Makes a record of a row of `apiKeyRecords`. */
export function apiKeyRecord(row: ApiKeyRow): EmulatedApiKeyRecord {
  const { createdById: id, createdByEmail: email, createdByName: name, policy, ...record } = row;
  return { ...record, createdBy: { id, email, name }, policy: policy === null ? null : JSON.parse(policy) };
}

/** The query for `apiKeyRecord`, without conditions. Its tables are `api_keys` and `projects`. */
export const apiKeyRecords = `
  SELECT api_keys.id, api_keys.name, masked_key, project_id, projects.name AS project_name, api_keys.created_at,
    created_by_id, created_by_email, created_by_name, expires_at, policy, deleted_at
  FROM api_keys LEFT JOIN projects ON projects.id = api_keys.project_id`;

/** Says what is wrong with an API key, as the end of a sentence; undefined when nothing is. */
export function apiKeyProblem(key: unknown): string | undefined {
  // It follows "Bearer " in a header: visible ASCII, no spaces.
  return typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)
    ? undefined
    : "must be 1 to 255 visible ASCII characters without spaces";
}

/** What is kept of a key to recognize it. */
export function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
