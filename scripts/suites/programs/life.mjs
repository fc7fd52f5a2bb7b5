import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed, runCommand } from "../../setup/process/run-command.mjs";
import { cloneStateFolder } from "../../setup/project.mjs";
import { offlinePulumi } from "../../setup/pulumi-cli/pulumi-cli.mjs";
import { writeFiles } from "./layouts.mjs";

/** Longest duration of a command, in seconds. */
const secondsMax = 180;

/**
 * Running emulator of a program.
 *
 * @typedef {import("../../demo/emulator-process.mjs").EmulatorProcess} Service
 */

/**
 * Folders, environment and service of a program.
 *
 * @typedef {object} Place
 * @property {string} program folder, with installed packages.
 * @property {string} folder for the state and Pulumi's home; not inside of `program`.
 * @property {NodeJS.ProcessEnv} env with Node and Pulumi on PATH.
 * @property {string} node path of Node.
 * @property {string} compiler path of tsc, for a built program.
 * @property {Service} service
 */

/**
 * Program with a stack. Every method rejects with `CommandFailed` at the first deviation.
 *
 * @param {Place} place
 */
export function openProgram({ program, folder, env, node, compiler, service }) {
  for (const name of ["state", "home"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const settings = { BROWSER_INFRA_BASE_URL: service.url, BROWSER_INFRA_API_KEY: service.apiKey };
  const shell = {
    ...env,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "passphrase of a test",
    ...offlinePulumi,
    // Loading Pulumi's SDK, twice per command, is a fifth of the time.
    NODE_COMPILE_CACHE: join(cloneStateFolder, "engine", "compile-cache"),
  };

  /**
   * Runs a command of Pulumi, or of the program that uses the Automation API.
   *
   * @param {import("./kinds.mjs").Kind} kind
   * @param {string[]} args
   */
  function pulumi({ automation }, ...args) {
    const ours = automation === "envVars" ? { SHOP_SETTINGS: JSON.stringify(settings) } : settings;
    const run = { cwd: program, env: { ...shell, ...ours }, secondsMax };
    return automation === undefined
      ? runCommand("pulumi", ["--non-interactive", "--color=never", ...args], run)
      : runCommand(node, ["deploy.js", ...args.slice(0, 1)], run);
  }

  /** @returns {Promise<{ id: string }[]>} */
  const extensions = () => service.request("GET", "/extensions");

  async function onlyExtension() {
    const [extension, ...others] = await extensions();
    if (extension === undefined || others.length > 0) {
      throw new CommandFailed(`There are ${others.length} extensions and not 1`);
    }
    return extension.id;
  }

  /** @param {string} version of the extension. */
  function writeExtension(version) {
    const manifest = { manifest_version: 3, name: "Reader", version };
    writeFiles(program, { "extension/manifest.json": JSON.stringify(manifest) });
  }

  return {
    /**
     * Creates the stack.
     *
     * @param {import("./kinds.mjs").Kind} kind
     */
    async begin(kind) {
      if (kind.automation === undefined) {
        await pulumi(kind, "stack", "init", "dev");
      }
    },

    /**
     * Edits the extension and deploys the program. The deployment must replace the extension.
     *
     * @param {import("./kinds.mjs").Kind} kind
     * @param {string} version of the extension.
     */
    async deploy(kind, version) {
      writeExtension(version);
      if (kind.build) {
        await runCommand(node, [compiler, "-p", "."], { cwd: program, env, secondsMax });
      }
      const before = await extensions();
      await pulumi(kind, "up", "--yes", "--skip-preview");
      const id = await onlyExtension();
      if (before.some((extension) => extension.id === id)) {
        throw new CommandFailed("The edit did not replace the extension");
      }
    },

    /**
     * Deploys where a deployment must fail.
     *
     * @param {import("./kinds.mjs").Kind} kind
     * @param {RegExp} expected Pulumi's message.
     */
    async refuses(kind, expected) {
      writeExtension("1.0.0");
      const said = await failing(pulumi(kind, "up", "--yes", "--skip-preview"));
      if (said === undefined || !expected.test(said)) {
        throw new CommandFailed(`Pulumi was expected to say ${expected}, and not: ${said}`);
      }
      console.log(`  ${said.split("\n").find((line) => expected.test(line))}`);
    },

    /**
     * Deletes the extension without Pulumi. The preview must show the deletion.
     *
     * @param {import("./kinds.mjs").Kind} kind
     */
    async drift(kind) {
      await service.request("DELETE", `/extensions/${await onlyExtension()}`);
      const said = await failing(pulumi(kind, "preview", "--refresh", "--expect-no-changes"));
      if (!said?.includes("reader") || !/no changes (were )?expected/i.test(said)) {
        throw new CommandFailed(`The preview did not show that the extension is gone: ${said}`);
      }
    },

    /**
     * Destroys the stack, and requires that nothing remains.
     *
     * @param {import("./kinds.mjs").Kind} kind
     */
    async end(kind) {
      await pulumi(kind, "destroy", "--yes", "--skip-preview");
      if ((await extensions()).length > 0) {
        throw new CommandFailed("An extension is left after the destroy");
      }
    },
  };
}

/**
 * Output of a command that must fail; undefined after success.
 *
 * @param {Promise<unknown>} running
 * @returns {Promise<string | undefined>}
 */
async function failing(running) {
  try {
    await running;
    return undefined;
  } catch (error) {
    if (error instanceof CommandFailed) {
      return error.lines.join("\n");
    }
    throw error;
  }
}
