import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../project.mjs";

/**
 * A program of Pulumi. The vendor's release archive contains all programs; each program can also be
 * built from its published Go module.
 *
 * @typedef {object} Program
 * @property {string} what name in words.
 * @property {string} file file name.
 * @property {string} module folder of the pinning go.mod, relative to the project.
 * @property {string} package
 * @property {string[]} args of `go build`.
 * @property {{ file: string, module: string, path: string }} [companion] a file required beside
 *   the program, with the module and the path in the module.
 * @property {string} usually duration of a build.
 */

/** Go modules that the set-up builds. This project is tested with exactly these versions. */
export const goModules = {
  cli: "scripts/setup/pulumi",
  /** Newest published module with these hosts, which needs an older SDK than the CLI. */
  hosts: "scripts/setup/language-hosts",
};

/**
 * Version of the CLI that the set-up downloads or builds, without a `v`: the version required in
 * go.mod.
 */
export const pinnedPulumi = lineOfGoMod(/github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/);

/** Oldest Go that can build the CLI: the `go` line of go.mod. */
export const goMinimum = lineOfGoMod(/^go (\S+)$/m);

/**
 * Flags that make the build of the CLI, and so Go's build cache, the same for all of its programs.
 */
export const cliTags = ["-tags", "osusergo,grpcnotrace"];
const sdk = "github.com/pulumi/pulumi/sdk/v3";
const small = "-ldflags=-s -w";
const fewMinutes = "1 to 2 minutes the first time on two cores, seconds from Go's build cache";

/** The CLI, and the hosts that run the Pulumi programs of a language. */
export const programs = {
  /** @type {Program} */
  cli: {
    what: `the Pulumi CLI ${pinnedPulumi}`,
    file: "pulumi",
    module: goModules.cli,
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    args: [...cliTags, `${small} -X ${sdk}/go/common/version.Version=v${pinnedPulumi}`],
    usually: "3 to 8 minutes on two cores the first time, under a minute from Go's build cache",
  },
  // Its companion starts the process of dynamic providers.
  nodejs: host("Node.js", "nodejs/cmd/pulumi-language-nodejs", "nodejs/dist/pulumi-resource-pulumi-nodejs"),
  /** @type {Program} */
  yaml: {
    what: "Pulumi's language host for YAML",
    file: "pulumi-language-yaml",
    module: goModules.cli,
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    // Without -trimpath, error messages in the state would contain folders of the build machine.
    args: ["-trimpath", ...cliTags, small],
    usually: fewMinutes,
  },
  /** @type {Program} */
  converter: {
    what: "Pulumi's converter of programs in YAML",
    file: "pulumi-converter-yaml",
    module: goModules.cli,
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-converter-yaml",
    args: ["-trimpath", ...cliTags, small],
    usually: fewMinutes,
  },
  python: host("Python", "python/cmd/pulumi-language-python", "python/cmd/pulumi-language-python-exec"),
  go: host("Go", "go/pulumi-language-go"),
};

/**
 * Language host of Pulumi's SDK.
 *
 * @param {string} language
 * @param {string} path of the package in the SDK.
 * @param {string} [companion] path of the companion in the SDK.
 * @returns {Program}
 */
function host(language, path, companion) {
  const nameOf = (/** @type {string} */ file) => file.slice(file.lastIndexOf("/") + 1);
  return {
    what: `Pulumi's language host for ${language}`,
    file: nameOf(path),
    module: goModules.hosts,
    package: `${sdk}/${path}`,
    args: ["-trimpath", small],
    ...(companion && { companion: { file: nameOf(companion), module: sdk, path: companion } }),
    usually: fewMinutes,
  };
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
