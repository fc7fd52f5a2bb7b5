import { randomBytes } from "node:crypto";
import { isSecretKey } from "../../../text/redact.js";

/** Room for the digits of a one-time name, in bytes: never more than the characters it may have. */
const nameBytesMax = 255 - 17;

/**
 * A name that no other request has, of 255 bytes at most. It begins with the one that the object is
 * to get, unless both together look like a secret key, as `sk_production` and the digits do.
 */
export function oneTimeName(name: string): string {
  const digits = randomBytes(8).toString("hex");
  const named = `${startOf(name)}-${digits}`;
  return isSecretKey(named) ? digits : named;
}

/** Whether a request for an object called `name` may have made one with this name. */
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
