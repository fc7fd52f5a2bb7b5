/** The kinds of resource that the frozen entry `pulumi-browser-infra/dynamic/v1` can open. */
export type ResourceKind = "Extension" | "ApiKeyName" | "LoginFlow";

/** The type token of a kind, for policies, aliases and import files: `pulumi-nodejs:dynamic/browser-infra:Extension`. */
export function resourceType(kind: ResourceKind): string {
  return `pulumi-nodejs:dynamic/browser-infra:${kind}`;
}

/** Name of the input in which Pulumi's dynamic provider process expects the text of a module. Pulumi's own name. */
export const loaderInput = "__provider";

/**
 * The text the engine keeps as every resource's `__provider`: a CommonJS module that loads this package from the
 * program's own `node_modules`. It holds no provider code, so that code is never stored in a state file and never stale.
 *
 * Frozen: its SHA-256 is a golden test. State files carry this text for as long as they exist, so a new text means a
 * new entry `dynamic/v2`, and `dynamic/v1` stays. The second place it looks in is pnpm's folder for the packages of
 * packages, where a workspace library's dependency on this package ends up.
 */
export function loaderText(kind: ResourceKind): string {
  return `// Loads the installed package "pulumi-browser-infra". This text is the same in every version of it.
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const entry = "pulumi-browser-infra/dynamic/v1";
function find() {
  const folders = [process.cwd()];
  for (let at = process.cwd(); ; at = dirname(at)) {
    folders.push(join(at, "node_modules", ".pnpm"));
    if (dirname(at) === at) break;
  }
  for (const folder of folders) {
    try {
      return createRequire(join(folder, "program.js")).resolve(entry);
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  const missing = new Error('The package "pulumi-browser-infra" is not installed for the program in ' + process.cwd() +
    ', and its resources cannot be managed without it, not even refreshed or destroyed. Run "npm install pulumi-browser-infra" there.');
  missing.stack = "";
  throw missing;
}
exports.handler = () => require(find()).open(${JSON.stringify(kind)});
`;
}
