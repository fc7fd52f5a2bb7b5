/**
 * Contract between a program and the provider process, so that neither side loads the other: the
 * text that loads this package, and members for values that Pulumi does not pass on.
 */

import type { ResourceKind } from "../kinds.js";

/**
 * Hidden input of every resource of this package in the state, for values that Pulumi does not pass
 * on to dynamic providers. `check` makes the input. Never in a diff, because the engine ignores
 * changes, and never secret: a secret member would make the whole object secret.
 */
export const hiddenInput = "__browserInfra";

/**
 * Input by which the program passes the values of {@link hiddenInput}. Removed by `check`, so no
 * state contains the input. A different name, because the engine replaces an input whose changes it
 * ignores by the input in the state.
 */
export const programInput = "__browserInfraProgram";

/**
 * Members of {@link hiddenInput}. The program gives `urn`, which Pulumi's base class would
 * overwrite at the top level, and `timeouts`, the option `customTimeouts`, which Pulumi does not
 * pass on to dynamic providers. `isUpdate`: the program runs in an update and not in a preview.
 * `deletesFirst`: a replacement deletes the old object first. `check` removes `isUpdate` and
 * `deletesFirst`, so no state contains either. `check` adds `memo` for the next check.
 */
export const hiddenMembers = {
  urn: "urn",
  timeouts: "timeouts",
  isUpdate: "isUpdate",
  deletesFirst: "deletesFirst",
  memo: "memo",
} as const;

/**
 * Member of a `Provider` with the arguments, for the functions of this package, which run in the
 * program. A registered symbol: the provider may come from a different copy of this package.
 */
export const providerArguments = Symbol.for("pulumi-browser-infra/provider-arguments");

/** Pulumi's name of the input with the text of a module for the provider process. */
export const loaderInput = "__provider";

/**
 * Builds the text of `__provider`, stored by the engine in every resource: a CommonJS module that
 * loads this package from the program's own `node_modules`. So no state file contains provider code
 * that goes out of date.
 *
 * If the program has the package only through a library, the text searches from the folder of every
 * dependency of the program, then of every further dependency, as the program's own imports do. The
 * search covers npm's nested installs and every layout of pnpm. Last, the text searches pnpm's
 * folder for the packages of packages, for a program with imports that package.json does not name.
 *
 * Frozen: a golden test holds the SHA-256 of the text. State files carry this text as long as they
 * exist, and also the earlier texts listed in the test. So a new text never changes the entry
 * `dynamic/v1`.
 */
export function loaderText(kind: ResourceKind): string {
  return `// Loads the installed package "pulumi-browser-infra". This text is the same in every program.
const { readFileSync, realpathSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const entry = "pulumi-browser-infra/dynamic/v1";
function requireIn(folder) {
  return createRequire(join(folder, "program.js"));
}
function findFrom(folder) {
  try {
    return requireIn(folder).resolve(entry);
  } catch (error) {
    if (!["MODULE_NOT_FOUND", "ERR_INVALID_PACKAGE_CONFIG"].includes(error.code)) throw error;
  }
}
function firstOf(places, read) {
  for (const place of places) {
    try {
      return read(place);
    } catch {}
  }
}
function find() {
  const program = process.cwd();
  const above = [program];
  for (const folder of above) if (dirname(folder) !== folder) above.push(dirname(folder));
  const folders = new Set([program]);
  for (const folder of folders) {
    const found = findFrom(folder);
    if (found) return found;
    const read = (home) => JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    const manifest = firstOf(folder === program ? above : [folder], read) ?? {};
    const names = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
    if (folder === program) Object.assign(names, manifest.devDependencies);
    for (const name of Object.keys(names)) {
      const places = requireIn(folder).resolve.paths(name) ?? [];
      const home = firstOf(places, (place) => realpathSync(join(place, name)));
      if (home) folders.add(home);
    }
  }
  for (const folder of above) {
    const found = findFrom(join(folder, "node_modules", ".pnpm"));
    if (found) return found;
  }
  const missing = new Error('The package "pulumi-browser-infra" is not installed for the program in ' + program +
    ', and its resources cannot be managed without it, not even refreshed or destroyed. Run "npm install pulumi-browser-infra" there.');
  missing.stack = "";
  throw missing;
}
exports.handler = () => require(find()).open(${JSON.stringify(kind)});
`;
}
