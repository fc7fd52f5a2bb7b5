import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readRecoveryJson, recoveryFolder, removeRecoveryFiles, writeRecoveryFile } from "./journal.js";
import { isPropertyMap, type PropertyValue, textOf } from "./properties.js";

/** A rename of an API key whose end no run has seen. */
export interface RenameNote {
  readonly keyId: string;
  readonly baseUrl: string;
  /** The resource that renames it. */
  readonly urn: string | undefined;
  /** Every name that the resource may have given it. */
  readonly names: readonly string[];
  /** The name it had before the resource came. */
  readonly previousName: string;
}

/**
 * A note of each rename under way, in a file. A process that is killed between the service's commit and its own answer leaves a key
 * whose previous name no state knows: the next run would find our own name, and take it for the previous one.
 */
export const renameNotes = {
  /** Notes a rename that is about to be sent. */
  write(note: RenameNote): void {
    writeRecoveryFile(fileOf(note.keyId, note.baseUrl), JSON.stringify(note));
  },

  /** The rename of a key whose end is not known. */
  find(keyId: string, baseUrl: string): RenameNote | undefined {
    return noteIn(fileOf(keyId, baseUrl));
  },

  /** Renames of other keys than `keyId` that the resource has left. */
  leftBy(urn: string | undefined, baseUrl: string, keyId: string): readonly RenameNote[] {
    return noteFiles()
      .map(noteIn)
      .filter((note) => note !== undefined)
      .filter((note) => note.urn === urn && note.baseUrl === baseUrl && note.keyId !== keyId);
  },

  /** How the rename ended is known. */
  discard(keyId: string, baseUrl: string): void {
    removeRecoveryFiles(fileOf(keyId, baseUrl));
  },
};

const filePrefix = "api-key-name-";

/** By key and not by resource: the note is about the key, whichever resource names it in the next run. */
function fileOf(keyId: string, baseUrl: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([keyId, baseUrl]))
    .digest("hex");
  return join(recoveryFolder, `${filePrefix}${digest.slice(0, 16)}.json`);
}

function noteFiles(): readonly string[] {
  try {
    return readdirSync(recoveryFolder)
      .filter((file) => file.startsWith(filePrefix) && file.endsWith(".json"))
      .map((file) => join(recoveryFolder, file));
  } catch {
    // Nothing is under way, and nothing was interrupted.
    return [];
  }
}

function noteIn(file: string): RenameNote | undefined {
  const noted = readRecoveryJson(file) as PropertyValue | undefined;
  if (!isPropertyMap(noted)) {
    return undefined;
  }
  const [keyId, baseUrl, previousName] = ["keyId", "baseUrl", "previousName"].map((member) =>
    textOf(noted, member),
  );
  const names = Array.isArray(noted.names) ? noted.names.filter((name) => typeof name === "string") : [];
  return keyId === undefined || baseUrl === undefined || previousName === undefined
    ? undefined
    : { keyId, baseUrl, urn: textOf(noted, "urn"), names, previousName };
}
