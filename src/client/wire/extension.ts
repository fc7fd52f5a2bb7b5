import { z } from "zod";
import type { Extension } from "../types.js";
import { dateTime, orNull, record, recordId } from "./answer.js";

/** An extension. Only `id`, `created_at` and `size_bytes` are certain. */
export const extensionSchema: z.ZodType<Extension> = record({
  id: recordId,
  name: orNull(z.string()),
  checksum: orNull(z.string().regex(/^[0-9a-f]{64}$/, "64 lowercase hexadecimal digits")),
  size_bytes: z.int().nonnegative(),
  created_at: dateTime,
  last_used_at: orNull(dateTime),
});
