import { z } from "zod";
import { dateTime, ifReadable, orNull, record, recordId } from "../schema.js";

/** A browser profile of a project: browser data kept between uses, such as logins. */
export interface Profile {
  /** Unique id. The service uses 24 characters of a-z and 0-9; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the project as far as the service checks. No value: no name. */
  readonly name: string | null;
  /** Creation time, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** Time of the last change, as an ISO 8601 date-time, if reported. */
  readonly updatedAt: string | null;
  /** Time of the last use by a browser, as an ISO 8601 date-time, if reported. */
  readonly lastUsedAt: string | null;
}

/** A profile. Only `id` is certain. @internal */
export const profileSchema: z.ZodType<Profile> = record({
  id: recordId,
  name: orNull(z.string()),
  created_at: ifReadable(dateTime),
  updated_at: ifReadable(dateTime),
  last_used_at: ifReadable(dateTime),
});
