import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "./project.mjs";

/** Module folders of the build from source, relative to the project. Their versions are the ones this project is tested with. */
export const goModules = {
  cli: "scripts/setup/pulumi",
  languageHost: "scripts/setup/pulumi-language-nodejs",
};

/** Version of the CLI that the set-up gets, by download or by build, without a `v`: what its go.mod requires. */
export function pinnedPulumi() {
  return lineOfGoMod(/github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/);
}

/** Oldest Go that can build the CLI: the `go` line of its go.mod. */
export function goMinimum() {
  return lineOfGoMod(/^go (\S+)$/m);
}

function lineOfGoMod(pattern) {
  return pattern.exec(readFileSync(join(projectFolder, goModules.cli, "go.mod"), "utf8"))[1];
}
