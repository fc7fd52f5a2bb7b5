/**
 * The records of the service in our own names, without zod; the schemas in `wire/` must produce
 * exactly these types. A value that the service leaves out is null (in the results of functions
 * undefined), a list that it leaves out is empty.
 *
 * Ids are 1 to 255 visible ASCII characters, those that a path names without `/ \ ? # %`. Times are
 * strings as ISO 8601 and RFC 3339 write them, such as `2026-11-21T10:00:00Z`; they may also have a
 * leap second (`:60`), a comma before the fraction, or an offset of hours alone (`+02`), which
 * `Date.parse` does not read. An answer with anything else in an id is refused as a whole.
 *
 * "If readable" marks what only informs: it also has no value when the service sends something of
 * another type or form, so that it never costs the rest of the record or of a list.
 */

/** A string from a set that may grow: editors suggest the known values, the type takes any. */
export type Open<Known extends string> = Known | (string & Record<never, never>);
