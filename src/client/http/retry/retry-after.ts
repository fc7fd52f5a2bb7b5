/** Wait requested by the service: parsing of headers, and the sentence for `Retry-After`. */

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * Forms of an HTTP date. The last two are obsolete but must be accepted. Source: RFC 9110, section
 * 5.6.7.
 */
const dateForms: readonly RegExp[] = [
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

/** Years ahead from which a year of two digits is in the past. Source: RFC 9110, 5.6.7. */
const yearsAheadMax = 50;

/**
 * Reads the milliseconds to wait from the headers of a response: `retry-after-ms` (milliseconds, an
 * extension read by the service's own clients), else `Retry-After` in seconds, also fractional, or
 * as an HTTP date (0 when past). Undefined if both are absent or invalid.
 */
export function parseRetryAfter(
  header: (name: string) => string | undefined,
  now: number,
): number | undefined {
  const milliseconds = parseNumber(header("retry-after-ms"));
  if (milliseconds !== undefined) {
    return milliseconds;
  }
  const text = header("retry-after")?.trim() ?? "";
  const seconds = parseNumber(text);
  if (seconds !== undefined) {
    return seconds * 1000;
  }
  const date = parseHttpDate(text, now);
  return date === undefined ? undefined : Math.max(0, date - now);
}

/** Reads the number of requests that the service allows in a minute; undefined if not reported. */
export function parsePerMinute(header: (name: string) => string | undefined): number | undefined {
  const allowed = parseNumber(header("x-ratelimit-limit"));
  return allowed === 0 ? undefined : allowed;
}

function parseNumber(value: string | undefined): number | undefined {
  const text = value?.trim() ?? "";
  return /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}

/** Milliseconds since 1970. `Date.parse` alone would accept almost any string. */
function parseHttpDate(text: string, now: number): number | undefined {
  const found = dateForms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  const month = months.indexOf(found?.month ?? "");
  if (found === undefined || month < 0) {
    return undefined;
  }
  const { day = "", year = "", time = "" } = found;
  const [hour, minute, second] = time.split(":").map(Number) as [number, number, number];
  const at = (years: number) => Date.UTC(years, month, Number(day), hour, minute, second);
  if (year.length === 4) {
    return at(Number(year));
  }
  const present = new Date(now).getUTCFullYear();
  const inThisCentury = present - (present % 100) + Number(year);
  const latest = new Date(now).setUTCFullYear(present + yearsAheadMax);
  return at(inThisCentury) > latest ? at(inThisCentury - 100) : at(inThisCentury);
}

/** Sentence with the wait requested by the service, and the end of the wait. */
export function describeRetryAfter(retryAfterMs: number, now: number): string {
  // JavaScript has no later date.
  const end = now + retryAfterMs <= 8.64e15 ? ` (until ${new Date(now + retryAfterMs).toISOString()})` : "";
  return `The service asked to wait ${secondsOf(retryAfterMs)} s${end}.`;
}

/** Whole seconds, rounded up. */
export function secondsOf(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
