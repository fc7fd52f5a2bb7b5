import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError, LocalError } from "../../errors.js";
import { listed } from "../../text/words.js";
import { displayText } from "../terminal/text.js";

/**
 * Writes files into a folder, and makes the folder if there is none. What else is in the folder
 * stays. Throws `InputError` `folder_unusable` before it writes anything when a file or a folder
 * is in the way, and `LocalError` `output_failed` when the disk or a permission stops it.
 *
 * @param files their contents by path.
 */
export function writeFiles(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  const shown = displayText(folder);
  try {
    const entries = [...new Set(Array.from(files.keys(), (path) => path.replace(/[\\/].*/, "")))].sort();
    const inTheWay = entries.filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }));
    if (inTheWay.length > 0) {
      throw new InputError(
        "folder_unusable",
        "folder",
        `"${shown}" already has ${listed(inTheWay)}. Nothing was written. Move that away, or name another folder.`,
      );
    }
    for (const [path, contents] of files) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, contents, { flag: "wx" });
    }
  } catch (error) {
    if (error instanceof InputError) {
      throw error;
    }
    const { code } = error as NodeJS.ErrnoException;
    throw new LocalError(
      "output_failed",
      `Writing the program into "${shown}" failed (${code}). Check the disk and the permissions, or name another folder.`,
      { cause: error },
    );
  }
}
