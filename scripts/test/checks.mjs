import { join } from "node:path";
import { cloneStateFolder } from "../setup/project.mjs";

/**
 * A program in JavaScript with arguments; the path starts at the top of the clone.
 *
 * @typedef {[path: string, ...args: string[]]} Program
 */

/** Biome's program in JavaScript, from the top of the clone. */
export const biome = "node_modules/@biomejs/biome/bin/biome";

/**
 * Without this option, `biome ci` prints colours everywhere, and the log of a pipeline fills with
 * escape sequences.
 */
export const biomeColors = `--colors=${process.stdout.isTTY ? "force" : "off"}`;

/**
 * Type check of the project in a folder. Incremental: checks only changes since the last run.
 *
 * @param {string} folder
 * @returns {Program}
 */
function typeCheck(folder) {
  const lastOne = join(cloneStateFolder, "type-checks", folder, "tsbuildinfo.json");
  const tsc = "node_modules/typescript/bin/tsc";
  return [tsc, "--noEmit", "-p", folder, "--incremental", "--tsBuildInfoFile", lastOne];
}

/**
 * Type checks of src, test and examples, of the scripts, and of the emulator's pages.
 *
 * @type {readonly Program[]}
 */
export const typeChecks = [typeCheck("."), typeCheck("scripts"), typeCheck("src/emulator/pages")];

/**
 * Biome: format and rules. knip: unused files, exports and dependencies. dependency-cruiser:
 * allowed imports of src. Then the packed package and the schema, which need dist.
 *
 * @type {readonly Program[]}
 */
export const lints = [
  [biome, "ci", biomeColors, "."],
  ["node_modules/knip/bin/knip.js"],
  [
    "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs",
    "--config",
    ".dependency-cruiser.mjs",
    "src",
  ],
  ["scripts/publish/check-package.mjs"],
  ["scripts/publish/generate-schema.mjs", "--check"],
];
