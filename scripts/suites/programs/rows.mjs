/**
 * A kind of program with a kind of install: a line of the table in docs/programs/compatibility.md.
 *
 * @typedef {object} Row
 * @property {string} name value of `--only`, and first column of the table.
 * @property {import("./kinds.mjs").KindName} kind files and start of the program.
 * @property {import("./layouts.mjs").LayoutName} layout package manager and place.
 * @property {string} [node] version of Node; default: `versions.node`.
 * @property {string} [sdk] version of `@pulumi/pulumi`; default: the newest, as in the tests.
 * @property {string} [typescript] default: `versions.typescript`.
 * @property {RegExp} [refused] message of the first `pulumi up` where a row cannot work.
 */

/** Default versions of a row, and the package managers. Exact versions. */
export const versions = {
  node: "24.21.0",
  typescript: "5.9.3",
  tsNode: "10.9.2",
  tsx: "4.23.15",
  nodeTypes: "22.20.5",
  pnpm: "10.34.8",
  yarn: "4.18.1",
};

/** Oldest SDK that package.json allows. */
const oldestSdk = "3.216.0";

/** @type {readonly Row[]} */
export const rows = [
  { name: "typescript", kind: "typescript", layout: "npm" },
  { name: "typescript-esm", kind: "typescript-esm", layout: "npm" },
  { name: "javascript", kind: "javascript", layout: "npm" },
  { name: "javascript-esm", kind: "javascript-esm", layout: "npm" },
  { name: "tsx", kind: "tsx", layout: "npm" },
  { name: "type-stripping", kind: "type-stripping", layout: "npm" },
  { name: "prebuilt", kind: "prebuilt", layout: "npm" },
  { name: "npm-nested", kind: "library", layout: "npm-nested" },
  { name: "pnpm", kind: "typescript", layout: "pnpm" },
  { name: "pnpm-library", kind: "library", layout: "pnpm" },
  { name: "pnpm-unhoisted", kind: "library", layout: "pnpm-unhoisted" },
  { name: "pnpm-virtual-store", kind: "library", layout: "pnpm-virtual-store" },
  { name: "yarn", kind: "typescript", layout: "yarn" },
  { name: "yarn-library", kind: "library", layout: "yarn" },
  { name: "node-22", kind: "typescript", layout: "npm", node: "22.19.0" },
  { name: "node-26", kind: "typescript", layout: "npm", node: "26.10.0" },
  { name: "oldest-sdk", kind: "typescript", layout: "npm", sdk: oldestSdk },
  { name: "automation", kind: "automation", layout: "npm" },
  { name: "automation-env-vars", kind: "automation-env-vars", layout: "npm" },
  { name: "automation-temporary", kind: "automation-temporary", layout: "npm" },
  {
    name: "automation-no-main",
    kind: "automation-no-main",
    layout: "npm",
    refused: /Cannot find module '@pulumi\/pulumi\/cmd\/dynamic-provider'/,
  },
  {
    name: "yarn-pnp",
    kind: "javascript",
    layout: "yarn-pnp",
    refused: /It looks like the Pulumi SDK has not been installed/,
  },
];
