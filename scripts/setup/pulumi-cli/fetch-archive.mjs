/**
 * Runs the installer of Pulumi's Automation API, in a separate process because the Node that starts
 * the set-up may be too old for `@pulumi/pulumi`.
 *
 * Usage: node install.mjs <root folder> <version>; puts the programs into `<root
 * folder>/bin`.
 */
import { createRequire } from "node:module";
import { messageOf } from "../set-up-error.mjs";

const require = createRequire(import.meta.url);
const { PulumiCommand } = require("@pulumi/pulumi/automation");
const { SemVer } = require("semver");

const [root = "", version = ""] = process.argv.slice(2);
try {
  await PulumiCommand.install({ root, version: new SemVer(version) });
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
