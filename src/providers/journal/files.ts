import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder in the program's folder for what the next deployment needs if this one is interrupted. */
export const journalFolder = ".browser-infra";

/** The files of the journal's folder. It exists as long as there is a file in it. */
export class JournalFiles {
  readonly #folder: string;

  constructor(programFolder: string) {
    this.#folder = join(programFolder, journalFolder);
  }

  /**
   * Writes a file completely or not at all. Only the owner may read it (mode 0600): what is deployed
   * is somebody's work.
   */
  write(file: string, contents: Uint8Array | string): void {
    const path = join(this.#folder, file);
    for (let triesLeft = 3; ; triesLeft -= 1) {
      try {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
        // Renamed into place, so that a killed process leaves a complete file or none.
        writeFileSync(`${path}.part`, contents, { mode: 0o600 });
        renameSync(`${path}.part`, path);
        return;
      } catch (error) {
        // The process of another provider may have removed the empty folder in between.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || triesLeft === 1) {
          throw error;
        }
      }
    }
  }

  /** The contents of a file; undefined when there is none that can be read. */
  read(file: string): Buffer<ArrayBuffer> | undefined {
    try {
      return readFileSync(join(this.#folder, file));
    } catch {
      return undefined;
    }
  }

  /** Names of all files. */
  list(): readonly string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      // Nothing is under way, and nothing was interrupted.
      return [];
    }
  }

  /** Removes a file, and the folder with the last one. */
  remove(file: string): void {
    rmSync(join(this.#folder, file), { force: true });
    try {
      rmdirSync(this.#folder);
    } catch {
      // It does not exist, or something else is in it.
    }
  }
}
