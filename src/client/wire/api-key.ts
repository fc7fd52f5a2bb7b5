import { z } from "zod";
import type { ApiKey } from "../types.js";
import { dateTime, orNull, record, recordId } from "./answer.js";

/** An API key. The service never sends the secret. It sends all members, with null where it has no value. */
export const apiKeySchema: z.ZodType<ApiKey> = record({
  id: recordId,
  name: z.string(),
  created_at: dateTime,
  created_by: record({ id: z.string(), email: z.string(), name: orNull(z.string()) }),
  expires_at: orNull(dateTime),
  deleted_at: orNull(dateTime),
  project_id: orNull(z.string()),
  project_name: orNull(z.string()),
  masked_key: z.string(),
});
