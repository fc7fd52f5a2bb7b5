import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../project.mjs";

/**
 * Folders of the Go modules that the set-up builds, relative to the project. This project is tested
 * with exactly their versions.
 */
export const goModules = {
  cli: "scripts/setup/pulumi",
  nodejsPythonGo: "scripts/setup/language-hosts/nodejs-python-go",
  yaml: "scripts/setup/language-hosts/yaml",
};

/**
 * Version of the CLI that the set-up downloads or builds, without a `v`: the one its go.mod
 * requires.
 */
export function pinnedPulumi() {
  return lineOfGoMod(/github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/);
}

/** Oldest Go that can build the CLI: the `go` line of its go.mod. */
export function goMinimum() {
  return lineOfGoMod(/^go (\S+)$/m);
}

/** @param {RegExp} pattern with one group. */
function lineOfGoMod(pattern) {
  const path = join(projectFolder, goModules.cli, "go.mod");
  const version = pattern.exec(readFileSync(path, "utf8"))?.[1];
  if (version === undefined) {
    throw new Error(`${path} has no line ${pattern}.`);
  }
  return version;
}
