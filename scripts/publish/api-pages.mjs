import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The pages of the API reference, below the top folder of the clone. */
export const apiFolder = "docs/api";

/** The page that names the others. TypeDoc's own would say less. */
const overview = `# API reference

Every public name, its members, defaults and limits, made from the docstrings of the source.

| Entry | What it has |
| ----- | ----------- |
| [\`pulumi-browser-infra\`](index.md) | resources, functions and errors, for a Pulumi program |
| [\`pulumi-browser-infra/plugin\`](plugin.md) | the same resources and functions, through the provider plugin |
| [\`pulumi-browser-infra/client\`](client.md) | the typed client of the service, and its records |
| [\`pulumi-browser-infra/emulator\`](emulator.md) | the service, offline, for tests |
`;

/** Ends the first page: what the pages were made from. */
const stamp = /\n<!-- Made by `npm run generate:api`: ([0-9a-f]{64}) -->\n$/;

/**
 * A digest of the public declarations in dist and of the pages: it changes when either does.
 *
 * @param {string} root top folder of the clone.
 * @returns {string} 64 hexadecimal digits.
 */
function digest(root) {
  const hash = createHash("sha256");
  for (const file of [...publicDeclarations(root), ...pagesIn(root)]) {
    const text = readFileSync(file, "utf8").replace(stamp, "");
    hash.update(`${relative(root, file)}\0${text}\0`);
  }
  return hash.digest("hex");
}

/**
 * What is wrong with the pages, in a sentence; undefined when they describe dist as it is.
 *
 * @param {string} root top folder of the clone.
 */
export function apiPagesProblem(root) {
  const remedy = 'Run "npm run generate:api" and commit docs/api.';
  const [, found] = stamp.exec(readFileSync(join(root, apiFolder, "README.md"), "utf8")) ?? [];
  return found === digest(root)
    ? undefined
    : `docs/api does not describe the public declarations as they are. ${remedy}`;
}

/**
 * Writes the first page, with a stamp that tells what all of them were made from.
 *
 * @param {string} root top folder of the clone.
 */
export function writeFirstPage(root) {
  const file = join(root, apiFolder, "README.md");
  writeFileSync(file, overview);
  writeFileSync(file, `${overview}\n<!-- Made by \`npm run generate:api\`: ${digest(root)} -->\n`);
}

/** @param {string} root */
function pagesIn(root) {
  return readdirSync(join(root, apiFolder))
    .sort()
    .map((file) => join(root, apiFolder, file));
}

/**
 * The declarations that a user's program can reach from the entries that have an API, in a fixed
 * order.
 *
 * @param {string} root
 */
function publicDeclarations(root) {
  const files = [
    "index.d.ts",
    "bridges/plugin/sdk/index.d.ts",
    "client/index.d.ts",
    "emulator/index.d.ts",
  ].map((file) => join(root, "dist", file));
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    for (const [, from = ""] of text.matchAll(/\b(?:from |import\()"(\.[^"]+)"/g)) {
      const next = join(dirname(file), from.replace(/\.js$/, ".d.ts"));
      if (!files.includes(next)) {
        files.push(next);
      }
    }
  }
  return files.sort();
}
