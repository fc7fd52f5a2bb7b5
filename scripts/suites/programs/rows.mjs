/**
 * One kind of program in one kind of install: a line of the table in docs/programs.md.
 *
 * @typedef {object} Row
 * @property {string} name what `--only` takes, and the first column of the table there.
 * @property {import("./kinds.mjs").KindName} kind how the program is written and started.
 * @property {import("./layouts.mjs").LayoutName} layout who installs it, and where.
 * @property {string} [node] version of Node; default: `versions.node`.
 * @property {string} [sdk] version of `@pulumi/pulumi`; default: the newest, which the tests use.
 * @property {string} [typescript] default: `versions.typescript`.
 * @property {RegExp} [refused] what the first `pulumi up` says where this cannot work.
 */

/** What a row has unless it says otherwise, and the package managers. Exact versions. */
export const versions = {
  node: "24.21.0",
  typescript: "5.9.3",
  tsNode: "10.9.2",
  tsx: "4.23.15",
  nodeTypes: "22.20.5",
  pnpm: "10.34.8",
  yarn: "4.18.1",
};

/** The oldest SDK that package.json allows. */
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
