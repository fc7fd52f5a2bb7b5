import { createHash } from "node:crypto";

/** Maximum length of the logical part. With hyphen and seven digits, within the service's 255. */
const logicalPartLengthMax = 247;

/**
 * Automatic name: `<logical name>-<7 hexadecimal digits of a digest>`. The digest is of the URN and
 * of `differsBy`, such as a checksum. The name is the same in preview and update, and after a lost
 * answer the new object is found by name. Characters that the service does not allow in every kind
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

/** Constant part of the automatic names of a resource. */
function logicalPartOf(urn: string): string {
  // Of `urn:pulumi:<stack>::<project>::<type>::<name>`; a name may contain "::".
  const logicalName = urn.split("::").slice(3).join("::");
  return logicalName.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, logicalPartLengthMax);
}
