import { InputError } from "../../errors.js";

/** Longest id or name in a path, in UTF-8 bytes. Names of extensions have at most 255 characters, ids 24. */
export const pathSegmentBytesMax = 255;

/**
 * Percent-encodes an id or a name for use as one segment of a path. Refuses what a server or a proxy could read as more than
 * one segment, even after decoding twice: empty, `.` and `..` (also in Unicode look-alikes), `/ \ ? # %`, control characters.
 *
 * Throws `InputError` `id_invalid` for `property`, whose advice asks for `expected`.
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
    throw bad("has a control character or broken Unicode");
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
