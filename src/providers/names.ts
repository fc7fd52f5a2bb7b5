/** Names that the provider gives objects: automatic names, and one-time names of requests. */
import { createHash, randomBytes } from "node:crypto";
import { containsSecret } from "../text/redact.js";

/** Maximum length of the logical part. With hyphen and seven digits, within the service's 255. */
const logicalPartLengthMax = 247;

/**
 * Automatic name: `<logical name>-<7 hexadecimal digits of a digest>`. The digest is of the URN and
 * of `differsBy`, such as a checksum. The name is the same in preview and update, and after a lost
 * response, the new object is found by name. Characters that the service does not allow in every kind
 * of name become hyphens.
 */
export function autoName(urn: string, ...differsBy: readonly (string | undefined)[]): string {
  const digest = createHash("sha256")
    .update([urn, ...differsBy].map((part) => part ?? "").join("\0"))
    .digest("hex");
  return `${logicalPartOf(urn)}-${digest.slice(0, 7)}`;
}

/** Whether a name has the form of an automatic name of a resource. The digest is not compared. */
export function isAutoNameOf(urn: string, name: string): boolean {
  const logicalPart = logicalPartOf(urn);
  return name.startsWith(`${logicalPart}-`) && /^[0-9a-f]{7}$/.test(name.slice(logicalPart.length + 1));
}

/** Logical name in `urn:pulumi:<stack>::<project>::<type>::<name>`, possibly with `::`. */
export function logicalNameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** Constant part of the automatic names of a resource. */
function logicalPartOf(urn: string): string {
  return logicalNameOf(urn)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, logicalPartLengthMax);
}

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
  return containsSecret(named) ? digits : named;
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
