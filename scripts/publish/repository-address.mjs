/**
 * `node scripts/publish/repository-address.mjs`: writes the address of the repository, as `repository`
 * in package.json says, into every file that cannot read package.json: links of pages, imports of
 * programs in Go, schema.json. An argument, `https://github.com/<account>/pulumi-browser-infra`, sets
 * a new address in package.json first. `--check` only lists the files with another address, and ends
 * with 1. Works in the current folder, on the files that git knows.
 */
import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: "boolean" } },
});
const [wanted] = positionals;
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const { name } = manifest;

if (
  wanted !== undefined &&
  !(URL.canParse(wanted) && new RegExp(`^https://[^/]+(/[\\w.-]+)*/${name}$`).test(wanted))
) {
  console.error(
    `"${wanted}" is no address of the repository. Give one such as https://github.com/acme/${name}.`,
  );
  process.exit(2);
}
const address = wanted ?? manifest.repository.url.replace(/^git\+|\.git$/g, "");
const place = address.replace("https://", "");
/** Account whose releases have the plugin. A repository elsewhere keeps the present one. */
const owner = /^github\.com\/([^/]+)\//.exec(place)?.[1] ?? manifest.pluginDownloadURL.split("/").at(-2);

/**
 * Replacements of an older address: at the host of the repository, at GitHub's hosts for releases and
 * raw files, and the owners of the code.
 *
 * @type {readonly (readonly [RegExp, string])[]}
 */
const replacements = [
  [
    new RegExp(
      `(?<![\\w.-])(?!api\\.github\\.com|raw\\.)(?:[a-z0-9-]+\\.)+[a-z]{2,}(?:/(?!package/)[\\w.-]+)*/${name}` +
        `(?=/(?:blob|sdk|issues)\\b|#readme|\\.git\\b|["'\`\\s)])`,
      "g",
    ),
    place,
  ],
  [new RegExp(`(?<=api\\.github\\.com/|raw\\.githubusercontent\\.com/)[\\w.-]+(?=/${name}\\b)`, "g"), owner],
  [/(?<=@)[\w-]+(?=\/maintainers\b)/g, owner],
];

const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0").filter(Boolean);
let outdated = 0;
for (const file of files.filter((each) => lstatSync(each).isFile() && !/\.(png|zip|wasm)$/.test(each))) {
  const before = readFileSync(file, "utf8");
  const after = replacements.reduce((text, [older, newer]) => text.replace(older, newer), before);
  if (after !== before) {
    outdated += 1;
    console.log(file);
    if (!values.check) {
      writeFileSync(file, after);
    }
  }
}
console.log(
  values.check
    ? `${outdated} files have another address than ${address}, or another owner than ${owner}.`
    : `${outdated} files written. Now run npm run generate:schema, and npm run generate:examples.`,
);
process.exitCode = values.check && outdated > 0 ? 1 : 0;
