/** Wait requested by the service: parsing of headers, and the sentence for `Retry-After`. */

/** Forms of an HTTP date. The last two are obsolete but must be accepted. Source: RFC 9110. */
const dateForms: readonly RegExp[] = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

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
  // `Date.parse` alone would accept almost any string, and would read a date without GMT as local.
  const isDate = dateForms.some((form) => form.test(text));
  const date = isDate ? Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
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
