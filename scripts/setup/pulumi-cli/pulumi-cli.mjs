import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { digestOfFiles } from "../digest.mjs";
import { CommandFailed, reasonOf, runCommand } from "../process/run-command.mjs";
import { isExecutable, requireOnPath } from "../process/search-path.mjs";
import { cloneStateFolder, projectFolder, toolsFolder } from "../project.mjs";
import { SetUpError } from "../set-up-error.mjs";
import { isAtLeast } from "../version.mjs";
import { downloadPulumi } from "./archive.mjs";
import { buildGoProgram } from "./go-build.mjs";
import { goMinimum, goModules, pinnedPulumi, programs } from "./programs.mjs";

/** @typedef {import("./programs.mjs").Program} Program */

/**
 * Oldest CLI on PATH that the set-up uses. The package itself also works with older versions. The
 * tests also run `pulumi import --file` with a file format that needs 3.254.0.
 */
const pulumiMinimum = "3.254.0";

/** Environment in which the CLI contacts no server except the backend, and installs nothing. */
export const offlinePulumi = {
  PULUMI_SKIP_UPDATE_CHECK: "true",
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
};

/**
 * Environment in which `pulumi version` contacts no server and writes nothing outside the clone.
 */
export const quietPulumi = {
  PULUMI_HOME: join(cloneStateFolder, "pulumi-home"),
  PULUMI_SKIP_UPDATE_CHECK: "true",
};

/**
 * Pulumi CLI that runs programs in JavaScript and in the given languages: from PATH, from an
 * earlier set-up, from the vendor, or built from the published Go modules. Rejects with
 * `SetUpError`.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly import("../../setup.mjs").Language[]} languages
 * @returns {Promise<{ path: string, version: string }>} `version` without a `v`.
 */
export async function setUpPulumi(env, languages) {
  const wanted = [programs.cli, programs.nodejs, ...languages.map((language) => programs[language])];
  /** @type {string[]} */
  const reasons = [];
  try {
    return await findPulumi(env, wanted);
  } catch (error) {
    reasons.push(`PATH: ${reasonOf(error)}`);
  }
  const pins = Object.values(goModules).flatMap((module) => [join(module, "go.mod"), join(module, "go.sum")]);
  const label = digestOfFiles(projectFolder, pins).slice(0, 8);
  const folder = join(toolsFolder, `pulumi-${pinnedPulumi}-${process.platform}-${process.arch}-${label}`);
  const missing = () =>
    wanted.filter((program) => filesOf(program).some((file) => !isExecutable(join(folder, file))));
  // A CLI in the folder was built from source, and the missing programs are built too.
  if (missing().includes(programs.cli)) {
    try {
      await downloadPulumi(folder, env);
    } catch (error) {
      reasons.push(`the vendor's release archive: ${reasonOf(error)}`);
      console.error(`  ${reasonOf(error)}\n  Next: a build from the published Go module.`);
    }
  }
  mkdirSync(folder, { recursive: true });
  for (const program of missing()) {
    try {
      const why = "there is no release archive with it here, and Go is installed";
      await buildGoProgram(program, { folder, why, env });
    } catch (error) {
      reasons.push(`a build from the published Go module: ${reasonOf(error)}`);
      throw new SetUpError(
        [
          `${program.what} is missing, and every way to get it failed:`,
          ...reasons.map((reason, index) => `  ${index + 1}. ${reason}`),
          "Check that this machine reaches the vendor's site or Go's module proxy (\"go env GOPROXY\") and that Go " +
            `${goMinimum} or newer is installed, or put Pulumi ${pulumiMinimum} or newer with ` +
            `${wanted.map(({ file }) => file).join(" and ")} on PATH (https://www.pulumi.com/docs/install), ` +
            "and run the same command again. " +
            'Without a CLI, BROWSER_INFRA_TEST_WITHOUT_ENGINE=1 lets "npm test" run the tests that do not need one.',
        ].join("\n"),
      );
    }
  }
  return { path: join(folder, programs.cli.file), version: pinnedPulumi };
}

/** @param {Program} program */
function filesOf({ file, companion }) {
  return companion ? [file, companion.file] : [file];
}

/**
 * The CLI on PATH, if new enough and with all programs. Rejects with `CommandFailed`.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly Program[]} wanted
 */
async function findPulumi(env, wanted) {
  const path = requireOnPath(programs.cli.file, env);
  const run = { cwd: dirname(path), env: { ...env, ...quietPulumi }, secondsMax: 30 };
  const version = (await runCommand(path, ["version"], run)).trim().replace(/^v/, "");
  if (!isAtLeast(version, pulumiMinimum)) {
    throw new CommandFailed(`its pulumi is ${version}, older than ${pulumiMinimum}`);
  }
  for (const file of wanted.flatMap(filesOf)) {
    requireOnPath(file, env);
  }
  return { path, version };
}
