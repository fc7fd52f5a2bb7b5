/**
 * Contract between a program and the provider process, so that neither side loads the other: the
 * text that loads this package, and members for values that Pulumi does not pass on.
 */

import type { ResourceKind } from "../providers/kinds.js";

/**
 * Hidden input of every resource of this package in the state, for values that Pulumi does not pass
 * on to dynamic providers. `check` makes the input. Never in a diff, because the engine ignores
 * changes, and never secret. JSON text, as `mapFromText` explains.
 */
export const hiddenInput = "__browserInfra";

/**
 * Input by which the program passes the values of {@link hiddenInput}, also as JSON text. Removed by
 * `check`, so no state contains the input. A different name, because the engine replaces an input
 * whose changes it ignores by the input in the state.
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
 * Short, because the engine stores the text twice, in the inputs and the outputs of each resource,
 * and sends the text five times in every update.
 * Frozen from 0.1.0 on: a golden test holds the SHA-256 of the text. State files carry this text as
 * long as they exist. So a new text never changes the entry `dynamic/v1`.
 */
export function loaderText(kind: ResourceKind): string {
  const text = `// Loads the package of the program.
const { dirname, join } = require("path");
const from = (dir) => require("module").createRequire(join(dir, "_")).resolve;
const find = (dir) => from(dir)("pulumi-browser-infra/dynamic/v1");
function first(list, read) {
  for (const each of list ?? []) try {
    return read(each);
  } catch (e) {
    if (/^ERR_(?!INVALID_PACKAGE_CONFIG)/.test(e.code)) throw e;
  }
}
exports.handler = () => {
  const up = new Set([process.cwd()]);
  for (const dir of up) up.add(dirname(dir));
  const all = new Set(up);
  const found = first(all, (dir) => {
    first([join(dir, "package.json")], (file) => {
      const json = require(file);
      for (const kind in json) if (/ependencies$/.test(kind)) for (const name in json[kind])
        first(from(dir).paths(name), (d) => all.add(require("fs").realpathSync(join(d, name))));
    });
    return find(dir);
  }) ?? first(up, (dir) => find(join(dir, "node_modules/.pnpm")));
  if (found) return require(found).open(${JSON.stringify(kind)});
  throw Object.assign(new Error('The package "pulumi-browser-infra" is not installed for the program in ' +
    process.cwd() + '. Run "npm install pulumi-browser-infra" there.'), { stack: "" });
};
`;
  // The state needs no indentation.
  return text.replace(/\n +/g, "\n");
}
