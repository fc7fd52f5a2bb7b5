/** When the service wants a request again: what its headers say, and words for `Retry-After`. */

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * The three forms of an HTTP date, of which the last two are obsolete but must be accepted. Source:
 * RFC 9110, section 5.6.7.
 */
const dateForms: readonly RegExp[] = [
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

/** Years ahead from which a year of two digits is one of the past. Source: RFC 9110, 5.6.7. */
const yearsAheadMax = 50;

/**
 * Milliseconds to wait according to the headers of an answer: `retry-after-ms` (milliseconds, an
 * extension that the service's own clients read), else `Retry-After` in seconds, also fractional,
 * or as an HTTP date (0 when past). Undefined when neither is there or makes sense.
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

/** Requests that the service allows in a minute, by an answer; undefined when it does not tell. */
export function parsePerMinute(header: (name: string) => string | undefined): number | undefined {
  const allowed = parseNumber(header("x-ratelimit-limit"));
  return allowed === 0 ? undefined : allowed;
}

function parseNumber(value: string | undefined): number | undefined {
  const text = value?.trim() ?? "";
  return /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}

/** Milliseconds since 1970. `Date.parse` alone would accept almost any text. */
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

/** A sentence that names the wait that the service asks for, and when it ends. */
export function describeRetryAfter(retryAfterMs: number, now: number): string {
  // Past this, JavaScript has no date.
  const end = now + retryAfterMs <= 8.64e15 ? ` (until ${new Date(now + retryAfterMs).toISOString()})` : "";
  return `The service asked to wait ${secondsOf(retryAfterMs)} s${end}.`;
}

/** Whole seconds, rounded up. */
export function secondsOf(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
