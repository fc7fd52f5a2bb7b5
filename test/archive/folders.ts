import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ArchiveError } from "../../src/errors.js";
import { errorOf } from "../support/error-of.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { type FixtureFiles, manifestText, writeFiles } from "./fixtures.js";

/** Compiled package, for separate processes. "npm test" builds the package before the tests run. */
export const builtPackage = resolve(__dirname, "../../dist");

/** A folder with exactly these files. */
export function folderOf(files: FixtureFiles): string {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  return folder;
}

/** A folder with these files and the smallest manifest. */
export function extensionOf(files: FixtureFiles = []): string {
  return folderOf([["manifest.json", manifestText()], ...files]);
}

/** A `.zip` file with these bytes. */
export function zipFileOf(bytes: Uint8Array): string {
  const path = join(temporaryFolder(), "extension.zip");
  writeFileSync(path, bytes);
  return path;
}

/** Error of work on a folder or an archive. Expects an `ArchiveError`. */
export async function archiveErrorOf(work: Promise<unknown>): Promise<ArchiveError> {
  const error = await errorOf(work);
  expect(error).toBeInstanceOf(ArchiveError);
  return error as ArchiveError;
}
