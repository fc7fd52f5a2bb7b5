import { InputError } from "../../errors.js";
import { holdsKey } from "../../text/redact.js";
import type { Call } from "./call.js";

/** Longest id or name in a path, in UTF-8 bytes. Names have at most 255 characters, ids 24. */
const pathSegmentBytesMax = 255;

/**
 * Percent-encodes an id or a name for use as one segment of a path. Refuses what a server or a
 * proxy could read as more than one segment, even after decoding twice: the empty string, `.` and
 * `..` (also in Unicode look-alikes), `/ \ ? # %` and control characters.
 *
 * Throws `InputError` `id_invalid` for `property`; its advice asks for `expected`.
 */
export function pathSegment(property: string, value: string, expected = "an id or a name"): string {
  const bad = (why: string) =>
    new InputError("id_invalid", property, `"${property}" ${why}. Pass ${expected} as the service shows it.`);
  if (typeof value !== "string" || value === "") {
    throw bad("is empty");
  }
  if (Buffer.byteLength(value) > pathSegmentBytesMax) {
    throw bad(`is longer than ${pathSegmentBytesMax} bytes`);
  }
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(value)) {
    throw bad("has a control character or invalid Unicode");
  }
  const compatible = value.normalize("NFKC");
  if (/[/\\?#%]/.test(compatible)) {
    throw bad("has one of the characters / \\ ? # %");
  }
  if (/^\.+$/.test(compatible)) {
    throw bad("consists of dots");
  }
  return encodeURIComponent(value);
}

/**
 * Refuses a call with the API key in its path or query, because someone mistook the key for an id
 * or a name. Proxies and servers log URLs, and messages show them. Throws `InputError`
 * `secret_in_address`, which does not show the key.
 */
export function refuseKeyInPath({ path, query }: Call, apiKey: string): void {
  const property = holdsKey(decodeURIComponent(path), apiKey)
    ? "id"
    : [...(query ?? [])].find(([, value]) => holdsKey(value, apiKey))?.[0];
  if (property === undefined) {
    return;
  }
  throw new InputError(
    "secret_in_address",
    property,
    `"${property}" contains the API key, so nothing was sent. ` +
      "Pass an id or a name, and rotate the key if it was written into a program.",
  );
}
