import { randomBytes } from "node:crypto";
import { isSecretKey } from "../../../text/redact.js";

/**
 * Longest start of a one-time name, in bytes: 255 minus a hyphen and 16 digits. The service counts
 * characters, and a string never has more characters than bytes.
 */
const nameBytesMax = 255 - 17;

/**
 * Builds a unique name of at most 255 bytes: the start of `name`, a hyphen and 16 random
 * hexadecimal digits. If the whole looks like a secret key, as `sk_production` with digits does,
 * the name consists of the digits alone.
 */
export function oneTimeName(name: string): string {
  const digits = randomBytes(8).toString("hex");
  const named = `${startOf(name)}-${digits}`;
  return isSecretKey(named) ? digits : named;
}

/** Whether `found` is `name`, or a one-time name with the start of `name`. */
export function isNameFor(name: string, found: string | null): boolean {
  const start = `${startOf(name)}-`;
  return (
    found === name || (found?.startsWith(start) === true && /^[0-9a-f]{16}$/.test(found.slice(start.length)))
  );
}

function startOf(name: string): string {
  let start = "";
  for (const character of name) {
    if (Buffer.byteLength(start + character) > nameBytesMax) {
      break;
    }
    start += character;
  }
  return start;
}
