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
 * Short, because the engine stores the text twice, in the inputs and the outputs of each resource.
 * Frozen from 0.1.0 on: a golden test holds the SHA-256 of the text. State files carry this text as
 * long as they exist. So a new text never changes the entry `dynamic/v1`.
 */
export function loaderText(kind: ResourceKind): string {
  const text = `// Loads the installed package pulumi-browser-infra.
const fs = require("fs"), { dirname, join } = require("path");
const from = (dir) => require("module").createRequire(join(dir, "_")).resolve;
function find(dir) {
  try {
    return from(dir)("pulumi-browser-infra/dynamic/v1");
  } catch (e) {
    if (!/^(MODULE_NOT_FOUND|ERR_INVALID_PACKAGE_CONFIG)$/.test(e.code)) throw e;
  }
}
function first(list, read) {
  for (const each of list) try {
    return read(each);
  } catch {}
}
exports.handler = () => {
  const cwd = process.cwd(), up = [cwd], all = new Set(up);
  for (const dir of up) if (dirname(dir) !== dir) up.push(dirname(dir));
  let found;
  for (const dir of all) {
    if (found = find(dir)) break;
    const own = dir === cwd;
    const json = first(own ? up : [dir], (d) => JSON.parse(fs.readFileSync(join(d, "package.json"))));
    const of = (kind) => json?.[kind + "ependencies"];
    for (const name in { ...of("d"), ...of("optionalD"), ...of("peerD"), ...(own && of("devD")) }) {
      const home = first(from(dir).paths(name) ?? [], (d) => fs.realpathSync(join(d, name)));
      if (home) all.add(home);
    }
  }
  for (const dir of up) found ??= find(join(dir, "node_modules/.pnpm"));
  if (found) return require(found).open(${JSON.stringify(kind)});
  const e = new Error('The package "pulumi-browser-infra" is not installed for the program in ' + cwd +
    ', and no command can manage its resources without it. Run "npm install pulumi-browser-infra" there.');
  e.stack = "";
  throw e;
};
`;
  // The state needs no indentation.
  return text.replace(/\n +/g, "\n");
}
