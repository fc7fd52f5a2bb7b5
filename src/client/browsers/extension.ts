import { z } from "zod";
import { dateTime, ifReadable, orNull, record, recordId } from "../schema.js";

/** An extension. */
export interface Extension {
  /** Unique id. The service uses 24 characters of a-z and 0-9; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the project; no value for an extension uploaded without a name. */
  readonly name: string | null;
  /**
   * SHA-256 of the exact bytes of the uploaded archive, 64 lowercase hexadecimal digits; no value
   * for old records and for extensions packed by the service.
   */
  readonly checksum: string | null;
  /** Size of the uploaded archive, in bytes. */
  readonly sizeBytes: number;
  /** Upload time, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** Time of the last load by a browser, as an ISO 8601 date-time, if reported and readable. */
  readonly lastUsedAt: string | null;
}

/** An extension. Only `id` and `size_bytes` are certain. @internal */
export const extensionSchema: z.ZodType<Extension> = record({
  id: recordId,
  name: orNull(z.string()),
  checksum: orNull(z.string().regex(/^[0-9a-f]{64}$/, "64 lowercase hexadecimal digits")),
  size_bytes: z.int().nonnegative(),
  created_at: ifReadable(dateTime),
  last_used_at: ifReadable(dateTime),
});
