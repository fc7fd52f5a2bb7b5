/**
 * Records of the service in the package's own names. The schema beside a record produces exactly
 * the record's type. A value that the service omits is null (in the results of functions undefined),
 * and an omitted list is empty, unless the member says otherwise.
 *
 * Ids are 1 to 255 visible ASCII characters; ids in paths are without `/ \ ? # %`. Times are
 * strings by ISO 8601 and RFC 3339, such as `2026-11-21T10:00:00Z`; a time may also have a leap
 * second (`:60`), a comma before the fraction, or an offset of hours alone (`+02`), which
 * `Date.parse` does not read. A record with an invalid id is refused; a list omits such a row, with a
 * warning.
 *
 * "If readable" marks members that only inform: a value of an unexpected type or form counts as no
 * value, and never costs the rest of the record or of a list.
 */

/** String from a set that may grow: editors suggest the known values, the type accepts any. */
export type Open<Known extends string> = Known | (string & Record<never, never>);
