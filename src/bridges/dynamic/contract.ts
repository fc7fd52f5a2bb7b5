/**
 * What a program and the provider process agree on, without either of them loading the other: type
 * tokens, the text that loads this package, and members for what Pulumi does not pass on.
 */

import type { ResourceKind } from "../kinds.js";

/** The type token of a kind as a dynamic resource, for policies, aliases and import files. */
export function resourceType(kind: ResourceKind): string {
  return `pulumi-nodejs:dynamic/browser-infra:${kind}`;
}

/** The type token of a kind that the provider plugin manages, for policies and aliases. */
export function pluginType(kind: ResourceKind): string {
  return `browser-infra:index:${kind}`;
}

/**
 * The one hidden input of every resource of this package, in which the program passes on what
 * Pulumi does not tell dynamic providers. Visible in the state file, hidden from diffs, never
 * secret: a secret in it would make the whole object secret.
 */
export const hiddenInput = "__browserInfra";

/**
 * What {@link hiddenInput} holds. The program gives `urn`, which Pulumi's base class would
 * overwrite at the top level, and `timeouts`, the option `customTimeouts`, which Pulumi does not
 * pass on to dynamic providers. `isUpdate` tells that the program runs in an update and not in a
 * preview, and `deletesFirst` that a replacement deletes the old object first; `check` takes these
 * two away again, so no state has them. `check` adds `memo`, which the next check reads.
 */
export const hiddenMembers = {
  urn: "urn",
  timeouts: "timeouts",
  isUpdate: "isUpdate",
  deletesFirst: "deletesFirst",
  memo: "memo",
} as const;

/**
 * Member under which a `Provider` keeps its arguments for the functions of this package, which run
 * in the program. A registered symbol: the provider may come from another copy of this package.
 */
export const providerArguments = Symbol.for("pulumi-browser-infra/provider-arguments");

/** Pulumi's name of the input in which its provider process expects the text of a module. */
export const loaderInput = "__provider";

/**
 * The text the engine keeps as every resource's `__provider`: a CommonJS module that loads this
 * package from the program's own `node_modules`. So no provider code is stored in a state file and
 * goes out of date.
 *
 * Where the program has the package only through a library, the text looks from the folder of each
 * of the program's dependencies, then of theirs, as the program's own imports do. That finds it
 * under npm's nested installs and in every layout of pnpm. Last, it looks in pnpm's folder for the
 * packages of packages, for a program whose package.json does not name what it imports.
 *
 * Frozen: a golden test holds its SHA-256. State files carry this text as long as they exist, also
 * the earlier texts that the test lists, so a new text never changes the entry `dynamic/v1`.
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
