/**
 * A program of node_modules and its arguments; the path is relative to node_modules.
 *
 * @typedef {[path: string, ...args: string[]]} Program
 */

/**
 * Without it, `biome ci` prints colours everywhere, and the log of a pipeline fills with escape
 * sequences.
 */
export const biomeColors = `--colors=${process.stdout.isTTY ? "force" : "off"}`;

/**
 * Type checks of src, test and examples, and of the scripts.
 *
 * @type {readonly Program[]}
 */
export const typeChecks = [
  ["typescript/bin/tsc", "--noEmit", "-p", "."],
  ["typescript/bin/tsc", "--noEmit", "-p", "scripts"],
];

/** @type {Program} */
export const lint = ["@biomejs/biome/bin/biome", "ci", biomeColors, "."];
