import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed, runCommand } from "../setup/process/run-command.mjs";
import { cloneStateFolder, projectFolder } from "../setup/project.mjs";
import { buildGoProgram } from "../setup/pulumi-cli/go-build.mjs";
import { cliTags, goModules } from "../setup/pulumi-cli/programs.mjs";
import { quietPulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";

/**
 * Languages whose SDK is packed. `pulumi package add` makes an SDK for .NET or Java on the user's
 * machine.
 */
const languages = ["python", "go"];
const schema = join(projectFolder, "schema.json");
/** Folder of the SDKs in the package. */
export const sdkFolder = join(projectFolder, "sdk");
const secondsMax = 120;

/**
 * Writes the SDKs. A new SDK replaces the folder of the language. The generators are the CLI's
 * language hosts, if capable. The published hosts of a CLI built from source are not; a program
 * over the CLI's own generators replaces these hosts. Both call the same functions. Rejects with
 * `CommandFailed`.
 *
 * @param {import("../setup.mjs").Tools} tools
 */
export async function generateSdks(tools) {
  mkdirSync(sdkFolder, { recursive: true });
  const run = { cwd: projectFolder, env: { ...tools.env, ...quietPulumi }, secondsMax };
  /** @type {string[]} */
  const left = [];
  for (const language of languages) {
    const args = ["package", "gen-sdk", schema, "--language", language, "--out", sdkFolder];
    try {
      await runCommand(tools.pulumi, args, run);
    } catch (error) {
      if (!(error instanceof CommandFailed)) {
        throw error;
      }
      left.push(language);
    }
  }
  if (left.length > 0) {
    const why = "the language hosts of this Pulumi CLI cannot generate them";
    await buildGoProgram(generator, { folder: cloneStateFolder, why, env: run.env });
    await runCommand(join(cloneStateFolder, generator.file), [schema, sdkFolder, ...left], run);
  }
}

/**
 * A program over the CLI's own generators.
 *
 * @type {import("../setup/pulumi-cli/programs.mjs").Program}
 */
const generator = {
  what: "the generator of SDKs",
  file: "sdk-generator",
  module: goModules.cli,
  package: "./sdk-generator",
  args: [...cliTags, "-ldflags=-s -w"],
  usually: "1 to 6 minutes the first time, seconds from Go's build cache",
};
