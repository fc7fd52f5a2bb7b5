import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Folder in the program's folder, where a deployment keeps what the next one needs if this one is interrupted. Empty folders go,
 * so that it is there only while something is under way, or after something was interrupted.
 */
export const recoveryFolder = ".browser-infra";

/** Whose file it is: the resource, which names its stack, and the service it is deployed to. */
export interface RecoveryOwner {
  readonly urn: string | undefined;
  readonly baseUrl: string;
}

/** Where a file of a resource lies, relative to the program's folder, which is the working directory of the provider process. */
export function recoveryFile({ urn, baseUrl }: RecoveryOwner, ending: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([urn ?? null, baseUrl]))
    .digest("hex")
    .slice(0, 16);
  const logicalName = (urn?.split("::").at(-1) ?? "extension").replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60);
  return join(recoveryFolder, `${logicalName}-${digest}.${ending}`);
}

/** Writes a file that only its owner may read (mode 0600): what is deployed is somebody's work. */
export function writeRecoveryFile(file: string, contents: Uint8Array | string): void {
  for (let triesLeft = 3; ; triesLeft -= 1) {
    try {
      mkdirSync(recoveryFolder, { recursive: true, mode: 0o700 });
      // Renamed into place, so that a killed process leaves a whole file or none.
      writeFileSync(`${file}.part`, contents, { mode: 0o600 });
      renameSync(`${file}.part`, file);
      return;
    } catch (error) {
      // The process of another provider may have removed the folder as empty in between.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || triesLeft === 1) {
        throw error;
      }
    }
  }
}

/** What a file says that `writeRecoveryFile` wrote as JSON; undefined when there is none that can be read. */
export function readRecoveryJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Removes files that are there or not, and the folder with the last of them. */
export function removeRecoveryFiles(...files: readonly string[]): void {
  for (const file of files) {
    rmSync(file, { force: true });
  }
  try {
    rmdirSync(recoveryFolder);
  } catch {
    // It is not there, or something else lies in it.
  }
}
