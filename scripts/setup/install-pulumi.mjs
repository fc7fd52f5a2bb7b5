/**
 * Runs the installer of Pulumi's Automation API. A process of its own, because the set-up is started by a Node that may be too old for
 * `@pulumi/pulumi`. Called as: node install-pulumi.mjs <root folder> <version>; puts the programs into `<root folder>/bin`.
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { PulumiCommand } = require("@pulumi/pulumi/automation");
const { SemVer } = require("semver");

const [root, version] = process.argv.slice(2);
try {
  await PulumiCommand.install({ root, version: new SemVer(version) });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
