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
 * Type checks of src, test and examples, of the scripts, and of the emulator's login page.
 *
 * @type {readonly Program[]}
 */
export const typeChecks = [
  ["typescript/bin/tsc", "--noEmit", "-p", "."],
  ["typescript/bin/tsc", "--noEmit", "-p", "scripts"],
  ["typescript/bin/tsc", "--noEmit", "-p", "src/emulator/logins/page"],
];

/**
 * Biome: format and rules. knip: files, exports and dependencies that nothing uses.
 *
 * @type {readonly Program[]}
 */
export const lints = [["@biomejs/biome/bin/biome", "ci", biomeColors, "."], ["knip/bin/knip.js"]];
