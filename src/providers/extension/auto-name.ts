import { createHash } from "node:crypto";

/** Longest logical part. With the hyphen and seven digits it stays within the service's 255. */
const logicalPartLengthMax = 247;

/**
 * `<logical name>-<7 hexadecimal digits>`. The digits are a digest of the URN, the archive's
 * SHA-256 and the project. So the name is the same in preview and update, different content always
 * has a different name, and an upload whose response was lost is found again by its name.
 * Characters that the service does not allow in names become hyphens.
 */
export function autoName(from: {
  readonly urn: string;
  readonly checksum: string;
  readonly projectId: string | undefined;
}): string {
  const logicalPart = logicalName(from.urn)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, logicalPartLengthMax);
  const digest = createHash("sha256")
    .update(`${from.urn}\0${from.checksum}\0${from.projectId ?? ""}`)
    .digest("hex");
  return `${logicalPart}-${digest.slice(0, 7)}`;
}

/**
 * The last part of a URN `urn:pulumi:<stack>::<project>::<type>::<name>`; a name may contain "::".
 */
function logicalName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
