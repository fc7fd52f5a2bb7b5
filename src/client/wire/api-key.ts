/** The shape of API keys on the wire, by the rules of `wire.ts`. */
import { z } from "zod";
import { dateTime } from "./extension.js";

/**
 * An API key as the service sends it, never with the secret itself. The service sends all nine members and null where it has nothing;
 * a nullable one that is absent is read as null. Source: the service's published interface description.
 */
export const apiKeyWire = z.object({
  id: z.string().min(1).max(255),
  name: z.string(),
  created_at: dateTime,
  created_by: z.object({ id: z.string(), email: z.string(), name: z.string().nullish() }),
  expires_at: dateTime.nullish(),
  deleted_at: dateTime.nullish(),
  project_id: z.string().nullish(),
  project_name: z.string().nullish(),
  masked_key: z.string(),
});

/** Who made an API key. */
export interface ApiKeyCreator {
  /** The person's id. */
  readonly id: string;
  /** The person's e-mail address. */
  readonly email: string;
  /** The person's name; null when the service has none. */
  readonly name: string | null;
}

/** The record of an API key. The secret is not part of it. */
export interface ApiKey {
  /** Unique id; treat it as opaque. The only thing a key is addressed by. */
  readonly id: string;
  /** Label, 1 to 255 characters. Not unique: a rotation leaves two keys of one name. */
  readonly name: string;
  /** When it was made, as an ISO 8601 date-time. */
  readonly createdAt: string;
  /** Who made it. */
  readonly createdBy: ApiKeyCreator;
  /** When it expires or has expired, as an ISO 8601 date-time; null when never. */
  readonly expiresAt: string | null;
  /** When it was deleted, as an ISO 8601 date-time; null for a key that was not. */
  readonly deletedAt: string | null;
  /** Project it is scoped to; null for the whole organization. */
  readonly projectId: string | null;
  /** Name of that project; null for the whole organization, or when the name is not available. */
  readonly projectName: string | null;
  /** Beginning and end of the secret, such as `sk_1234...abcd`. */
  readonly maskedKey: string;
}

/** Reads an API key into our own names. */
export const apiKeySchema: z.ZodType<ApiKey> = apiKeyWire.transform((wire) => ({
  id: wire.id,
  name: wire.name,
  createdAt: wire.created_at,
  createdBy: {
    id: wire.created_by.id,
    email: wire.created_by.email,
    name: wire.created_by.name ?? null,
  },
  expiresAt: wire.expires_at ?? null,
  deletedAt: wire.deleted_at ?? null,
  projectId: wire.project_id ?? null,
  projectName: wire.project_name ?? null,
  maskedKey: wire.masked_key,
}));

/** Reads one page of API keys: a bare JSON array. */
export const apiKeyPageSchema: z.ZodType<readonly ApiKey[]> = z.array(apiKeySchema);
