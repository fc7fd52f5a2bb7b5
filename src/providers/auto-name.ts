import { createHash } from "node:crypto";

/** Longest logical part. With the hyphen and seven digits it stays within the service's 255. */
const logicalPartLengthMax = 247;

/**
 * `<logical name>-<7 hexadecimal digits of a digest>`, of the URN and of what else the name must
 * differ by, such as a checksum. So the name is the same in preview and update, and what was
 * created by a request whose answer was lost is found again by its name. Characters that the
 * service does not allow in every kind of name become hyphens.
 */
export function autoName(urn: string, ...differsBy: readonly (string | undefined)[]): string {
  const digest = createHash("sha256")
    .update([urn, ...differsBy].map((part) => part ?? "").join("\0"))
    .digest("hex");
  return `${logicalPartOf(urn)}-${digest.slice(0, 7)}`;
}

/** Whether a resource may have given this automatic name. What else it was made from is ignored. */
export function isAutoNameOf(urn: string, name: string): boolean {
  const logicalPart = logicalPartOf(urn);
  return name.startsWith(`${logicalPart}-`) && /^[0-9a-f]{7}$/.test(name.slice(logicalPart.length + 1));
}

/** The part of a resource's automatic names that never changes. */
function logicalPartOf(urn: string): string {
  // Of `urn:pulumi:<stack>::<project>::<type>::<name>`; a name may contain "::".
  const logicalName = urn.split("::").slice(3).join("::");
  return logicalName.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, logicalPartLengthMax);
}
