import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf, SetUpError } from "./set-up-error.mjs";

/** Top folder of this clone. */
export const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Folder of data that belongs to this clone alone: stamps, the last test report. Git ignores the
 * folder.
 */
export const cloneStateFolder = join(projectFolder, ".tools");

/**
 * Folder in which the set-up puts Node and the Pulumi CLI: `.tools` of the clone, or the folder in
 * BROWSER_INFRA_TOOLS, which several clones may use at the same time. A relative path starts at the
 * working directory.
 */
export const toolsFolder = process.env.BROWSER_INFRA_TOOLS
  ? resolve(process.env.BROWSER_INFRA_TOOLS)
  : cloneStateFolder;

/**
 * Parsed package.json of this clone.
 *
 * @returns {{ engines: { node: string }, main: string, bin: Record<string, string> }}
 */
export function readPackageJson() {
  return JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
}

/** Makes both folders. Throws `SetUpError` if a folder is not writable. */
export function makeFolders() {
  for (const folder of [cloneStateFolder, toolsFolder]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
    } catch (error) {
      throw new SetUpError(
        `The set-up cannot write its folder: ${messageOf(error)}. Make it writable, or set BROWSER_INFRA_TOOLS to a writable folder.`,
      );
    }
  }
}
