import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SetUpError } from "./set-up-error.mjs";

/** Top folder of this clone. */
export const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Where one clone keeps what belongs to it alone: stamps, the last test report. Ignored by git. */
export const cloneStateFolder = join(projectFolder, ".tools");

/**
 * Where Node and the Pulumi CLI are put: `.tools` of the clone, or the folder that BROWSER_INFRA_TOOLS names,
 * which several clones may use at the same time. A relative path starts at the working directory.
 */
export const toolsFolder = process.env.BROWSER_INFRA_TOOLS
  ? resolve(process.env.BROWSER_INFRA_TOOLS)
  : cloneStateFolder;

/** The parsed package.json of this clone. */
export function readPackageJson() {
  return JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
}

/** Makes both folders. Fails with `SetUpError` where one cannot be written. */
export function makeFolders() {
  for (const folder of [cloneStateFolder, toolsFolder]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
    } catch (error) {
      throw new SetUpError(
        `The set-up cannot write its folder ${folder}: ${error.code ?? error.message}. ` +
          "Make it writable, or set BROWSER_INFRA_TOOLS to a folder that is.",
      );
    }
  }
}
