/** Dates and times by ISO 8601 and RFC 3339, which `Date.parse` does not read exactly. */

/** Date, or date with a time: see {@link dateTimeMs}. */
const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,18}))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * Converts a date-time such as `2026-11-21T10:00:00Z` to milliseconds since 1970; undefined for
 * anything else. Seconds and the time itself may be missing; a fraction has 1 to 18 digits after a
 * point or a comma; an offset is `Z`, `+02:00`, `+0200` or `+02`, and without an offset the time is
 * UTC. A leap second (`:60`) is the first second of the next minute. Sources: ISO 8601 (extended
 * format), RFC 3339.
 */
export function dateTimeMs(text: string): number | undefined {
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] =
    pattern.exec(text) ?? [];
  const offset = offsetMinutes(zone);
  if (
    offset === undefined ||
    !isWithin(month, 1, 12) ||
    !isWithin(day, 1, 31) ||
    // 24:00 is the end of a day.
    !(isWithin(hour, 0, 23) || (hour === "24" && /^0*$/.test(minute + second + fraction))) ||
    !isWithin(minute, 0, 59) ||
    !isWithin(second, 0, 60)
  ) {
    return undefined;
  }
  const date = new Date(0);
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCDate() !== Number(day)) {
    return undefined;
  }
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second));
  return date.getTime() + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

function isWithin(digits: string | undefined, least: number, most: number): boolean {
  return digits !== undefined && Number(digits) >= least && Number(digits) <= most;
}

/** Minutes east of UTC; undefined for an offset of a day or more. */
function offsetMinutes(zone = "Z"): number | undefined {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === undefined) {
    return 0;
  }
  if (!isWithin(hours, 0, 23) || !isWithin(minutes, 0, 59)) {
    return undefined;
  }
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
