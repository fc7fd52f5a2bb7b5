import { spawn } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { offlinePulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";
import { startEmulator } from "./emulator-process.mjs";
import { heading, say } from "./story.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = join(root, ".tools", "demo");
const pidFile = join(folder, "emulator.pid");

/**
 * Result of `createDemo`, for the stories.
 *
 * @typedef {Awaited<ReturnType<typeof createDemo>>} Demo
 */

/**
 * Copy of an example, with a stack and an emulator. The copy is inside the repository, so that
 * "pulumi-browser-infra" is the package just built. Writes only to .tools/demo, except V8's cache
 * beside the folder.
 *
 * @param {{ env: NodeJS.ProcessEnv, node: string, pulumi: string }} tools
 * @param {string} example name of the folder.
 */
export async function createDemo({ env, node, pulumi }, example) {
  const program = join(folder, "examples", example);
  endEmulatorLeftRunning();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "state"), { recursive: true });
  cpSync(join(root, "examples", example), program, { recursive: true });

  // The emulator must outlive this script if the person wants to continue, and Ctrl-C is for
  // Pulumi.
  const emulator = await startEmulator(node, join(folder, "emulator"), { survivesInterrupt: true });
  writeFileSync(pidFile, String(emulator.pid));
  // A person who continues by hand must export these too.
  const settings = {
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "demo",
    PULUMI_HOME: join(folder, "pulumi-home"),
    BROWSER_INFRA_BASE_URL: emulator.url,
    BROWSER_INFRA_API_KEY: emulator.apiKey,
  };
  const environment = {
    ...env,
    ...settings,
    ...offlinePulumi,
    // From the second command on, Pulumi's SDK loads faster.
    NODE_COMPILE_CACHE: join(root, ".tools", "compile-cache"),
    // Pulumi would check the types of our example at each command: a third of the demo's time.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  };
  /**
   * @param {string[]} args
   * @param {"ignore" | "inherit"} stdio
   */
  const run = (args, stdio) => runPulumi(args, { cwd: program, env: environment, stdio });
  try {
    await run(["stack", "init", "demo"], "ignore");
  } catch (error) {
    // This process cannot end while the emulator runs.
    await emulator.stop();
    throw error;
  }
  /** @returns {Promise<{ id: string, name: string }[]>} */
  const extensions = () => emulator.request("GET", "/extensions");

  return {
    /**
     * Runs the CLI on the demo's stack and shows the output. Rejects on failure.
     *
     * @param {string[]} args
     */
    async pulumi(...args) {
      say(`$ pulumi ${args.join(" ")}`);
      const exitCode = await run(args, "inherit");
      if (exitCode !== 0) {
        throw new SetUpError(`"pulumi ${args.join(" ")}" ended with exit code ${exitCode}.`);
      }
    },

    /**
     * Runs the CLI and requires a failure. Resolves to the exit code.
     *
     * @param {string[]} args
     */
    async pulumiExpectingFailure(...args) {
      say(`$ pulumi ${args.join(" ")}`);
      const exitCode = await run(args, "inherit");
      if (exitCode === 0) {
        throw new Error(`"pulumi ${args.join(" ")}" found no changes, but there are some.`);
      }
      return exitCode;
    },

    /**
     * Appends to a file of the program.
     *
     * @param {string} file
     * @param {string} text
     */
    edit(file, text) {
      appendFileSync(join(program, file), text);
    },

    request: emulator.request,

    /** Path of the browser of this machine; null without one. */
    browser: emulator.browser,

    /** The extensions of the service, read without Pulumi. */
    extensions,

    /** Prints that service and stack are empty. Rejects otherwise. */
    async expectNothingLeft() {
      const counts = [(await extensions()).length, resourcesInState()];
      say(`In the service: ${counts[0]} extensions. In the stack: ${counts[1]} resources.`);
      if (counts.some((count) => count > 0)) {
        throw new Error("The destroy left something behind.");
      }
    },

    explainHowToGoOn() {
      heading("The emulator and the stack are still there");
      say("In this shell:");
      console.log(`export PATH="${dirname(node)}:${dirname(pulumi)}:$PATH"`);
      for (const [name, value] of Object.entries(settings)) {
        console.log(`export ${name}="${value}"`);
      }
      console.log(`cd "${program}"`);
      say("Then edit extension/content.js there and run:");
      console.log("pulumi up");
      say("When you have seen enough:");
      console.log(`pulumi destroy --yes; kill ${emulator.pid}`);
      emulator.leaveRunning();
    },

    async cleanUp() {
      await emulator.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Number of our resources in the state file of the only stack. */
function resourcesInState() {
  const stacks = join(folder, "state", ".pulumi", "stacks");
  const [project = ""] = readdirSync(stacks);
  const state = readFileSync(join(stacks, project, "demo.json"), "utf8");
  /** @type {{ resources?: { type: string }[] }} */
  const { resources = [] } = JSON.parse(state).checkpoint.latest;
  return resources.filter(({ type }) => !type.startsWith("pulumi:")).length;
}

/**
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<number | null>} exit code.
 */
async function runPulumi(args, options) {
  // Ctrl-C also reaches the CLI, which ends in an orderly way. Afterwards, this process cleans up.
  const stay = () => {};
  process.on("SIGINT", stay);
  try {
    return await new Promise((resolveExit, reject) => {
      const child = spawn("pulumi", args, options);
      child.once("error", reject);
      child.once("close", (exitCode) => resolveExit(exitCode));
    });
  } finally {
    process.off("SIGINT", stay);
  }
}

/** An earlier "--keep" may have left an emulator running; this run starts from scratch. */
function endEmulatorLeftRunning() {
  try {
    process.kill(Number(readFileSync(pidFile, "utf8")), "SIGTERM");
  } catch {
    // None was running, or the emulator has ended since.
  }
}
