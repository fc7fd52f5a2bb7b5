/**
 * The shapes of bodies on the wire: snake_case in, camelCase out. Unknown members are ignored, because the service adds them
 * without notice; a known member of a wrong type is refused. Imports zod and nothing else, so that the emulator can share it.
 */
import { z } from "zod";

/** A point in time as the service writes it: ISO 8601 text that has a date. */
export const dateTime = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "a date-time");

/**
 * An extension as the service sends it. Only `id`, `created_at` and `size_bytes` are certain; the others may be absent or null.
 * Source: the service's published interface description.
 */
export const extensionWire = z.object({
  id: z.string().min(1).max(255),
  name: z.string().nullish(),
  checksum: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "64 lowercase hexadecimal digits")
    .nullish(),
  size_bytes: z.int().nonnegative(),
  created_at: dateTime,
  last_used_at: dateTime.nullish(),
});

/** An extension record of the service. */
export interface Extension {
  /** Unique id, 24 characters of a-z and 0-9 at the service; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the project; null when it was uploaded without one. */
  readonly name: string | null;
  /**
   * SHA-256 of the uploaded archive's exact bytes, 64 lowercase hexadecimal digits; null for legacy records and for
   * extensions the service took from a store and packed itself.
   */
  readonly checksum: string | null;
  /** Size of the uploaded archive, in bytes. */
  readonly sizeBytes: number;
  /** When it was uploaded, as an ISO 8601 date-time. */
  readonly createdAt: string;
  /** When a browser last loaded it, as an ISO 8601 date-time; null when the service does not say. */
  readonly lastUsedAt: string | null;
}

/** Reads an extension into our own names. */
export const extensionSchema: z.ZodType<Extension> = extensionWire.transform((wire) => ({
  id: wire.id,
  name: wire.name ?? null,
  checksum: wire.checksum ?? null,
  sizeBytes: wire.size_bytes,
  createdAt: wire.created_at,
  lastUsedAt: wire.last_used_at ?? null,
}));

/** Reads one page of extensions: a bare JSON array. */
export const extensionPageSchema: z.ZodType<readonly Extension[]> = z.array(extensionSchema);

const text = z.string().optional().catch(undefined);
const errorDetail = z.object({ code: text, message: text });

/**
 * An error body, read as tolerantly as possible, since the status has already decided: `{code, message, details?, inner_error?}`,
 * `details` as an array or as text, or the nested `{error: {code, message}}` that the service's own tools also accept.
 */
export const errorBodySchema = z.object({
  code: text,
  message: text,
  details: z
    .union([z.string(), z.array(errorDetail.catch({}))])
    .optional()
    .catch(undefined),
  inner_error: errorDetail.optional().catch(undefined),
  error: errorDetail.optional().catch(undefined),
});
