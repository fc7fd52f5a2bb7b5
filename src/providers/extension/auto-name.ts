import { createHash } from "node:crypto";

/** Longest logical part of an auto-name. With the hyphen and seven digits the service's 255 characters are not exceeded. */
const logicalPartLengthMax = 247;

/** What an auto-name is made of. */
export interface AutoNameParts {
  readonly urn: string;
  /** SHA-256 of the archive. */
  readonly checksum: string;
  readonly projectId: string | undefined;
}

/**
 * `<logical name>-<7 hexadecimal digits>`, the digits a digest of the URN, the checksum and the project. So it is the
 * same in preview and update, another content always has another name, and an upload whose answer was lost is found
 * again under it. Characters the service does not take in names become hyphens.
 */
export function autoName(parts: AutoNameParts): string {
  const logicalPart = logicalName(parts.urn)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, logicalPartLengthMax);
  const digest = createHash("sha256")
    .update(`${parts.urn}\0${parts.checksum}\0${parts.projectId ?? ""}`)
    .digest("hex");
  return `${logicalPart}-${digest.slice(0, 7)}`;
}

/** The last part of a URN `urn:pulumi:<stack>::<project>::<type>::<name>`; the name itself may hold "::". */
function logicalName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
