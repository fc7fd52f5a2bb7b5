/**
 * `node scripts/publish/check-release.mjs v1.2.3`: whether the working directory may be published
 * under the tag. Lists everything missing and ends with 1. First step of the release workflow;
 * docs/maintainers/releasing.md has the whole list.
 */
import { readFileSync } from "node:fs";

const [tag = ""] = process.argv.slice(2);
/** Hosts that stand for an address still to be chosen. */
const placeholder = /\bexample\.(com|org|net|invalid)\b/;

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const locked = JSON.parse(readFileSync("package-lock.json", "utf8"));
const changelog = readFileSync("CHANGELOG.md", "utf8");
const schema = JSON.parse(readFileSync("schema.json", "utf8"));
const [newest = ""] = changelog.match(/^## .*$/m) ?? [];

/** @type {readonly (readonly [boolean, string])[]} */
const requirements = [
  [tag === `v${manifest.version}`, `The tag is "${tag}", and package.json has version ${manifest.version}.`],
  [locked.version === manifest.version, "package-lock.json has another version. Run npm install."],
  [
    newest.startsWith(`## ${manifest.version} (`) && /\(\d{4}-\d{2}-\d{2}\)$/.test(newest),
    `CHANGELOG.md must begin with "## ${manifest.version} (YYYY-MM-DD)".`,
  ],
  [
    ![manifest.homepage, manifest.repository?.url, manifest.bugs?.url].some((url) => placeholder.test(url)),
    '"homepage", "repository" and "bugs" in package.json are placeholders.',
  ],
  [
    !placeholder.test(/^Write to .*$/m.exec(readFileSync("SECURITY.md", "utf8"))?.[0] ?? ""),
    "The address for vulnerabilities in SECURITY.md is a placeholder.",
  ],
  [
    !manifest.pluginDownloadURL.includes("/example/"),
    '"pluginDownloadURL" in package.json is a placeholder.',
  ],
  [
    schema.version === manifest.version && schema.pluginDownloadURL === manifest.pluginDownloadURL,
    "schema.json has another version or download address. Run npm run generate:schema.",
  ],
  [manifest.private !== true, 'package.json says "private".'],
];

const missing = requirements.filter(([met]) => !met).map(([, problem]) => problem);
for (const problem of missing) {
  console.error(problem);
}
if (missing.length === 0) {
  console.log(`${manifest.name} ${manifest.version} may be published.`);
}
process.exitCode = missing.length > 0 ? 1 : 0;
