import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed, runCommand } from "../setup/process/run-command.mjs";
import { cloneStateFolder } from "../setup/project.mjs";
import { buildGoProgram } from "../setup/pulumi-cli/go-build.mjs";
import { cliTags, goModules } from "../setup/pulumi-cli/programs.mjs";
import { quietPulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";

/**
 * Languages with a generator, as Pulumi writes them. Those for .NET and Java are not published in a
 * form that can be built here; `pulumi package add` makes such an SDK on the user's machine.
 */
const languages = ["nodejs", "python", "go"];
const secondsMax = 120;

/**
 * Writes the SDKs of a schema. Each replaces the folder of its language. The CLI's language hosts
 * write them, where they can; the published ones that a CLI built from source has cannot, and then
 * a program over the CLI's own generators does it. Both call the same functions. Rejects with
 * `CommandFailed`.
 *
 * @param {object} order
 * @param {string} order.schema path of the schema.
 * @param {string} order.folder
 * @param {import("../setup.mjs").ToolsWithEngine} order.tools
 * @returns {Promise<readonly string[]>} the languages.
 */
export async function generateSdks({ schema, folder, tools }) {
  mkdirSync(folder, { recursive: true });
  const env = { ...tools.env, ...quietPulumi };
  /** @type {string[]} */
  const left = [];
  for (const language of languages) {
    try {
      await runCommand(
        tools.pulumi,
        ["package", "gen-sdk", schema, "--language", language, "--out", folder],
        { cwd: folder, env, secondsMax },
      );
    } catch (error) {
      if (!(error instanceof CommandFailed)) {
        throw error;
      }
      left.push(language);
    }
  }
  if (left.length > 0) {
    const why = "the language hosts of this Pulumi CLI cannot generate them";
    await buildGoProgram(generator, { folder: cloneStateFolder, why, env });
    const program = join(cloneStateFolder, generator.file);
    await runCommand(program, [schema, folder, ...left], { cwd: folder, env, secondsMax });
  }
  return languages;
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
