import { spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SetUpError } from "../setup/set-up-error.mjs";
import { startEmulator } from "./emulator-process.mjs";
import { heading, say } from "./story.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = join(root, ".tools", "demo");
const pidFile = join(folder, "emulator.pid");

/**
 * A copy of one of the examples with a stack of its own, and an emulator for it. The copy lies inside the repository, so
 * that "pulumi-browser-infra" is the package just built. Nothing outside of .tools/demo is written.
 */
export async function createDemo({ env, node, pulumi }, example) {
  const program = join(folder, "examples", example);
  endEmulatorLeftRunning();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "state"), { recursive: true });
  cpSync(join(root, "examples", example), program, { recursive: true });
  cpSync(join(root, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
  // The clone's own Pulumi.yaml is that of the quickstart.
  const projectFolder = existsSync(join(program, "Pulumi.yaml")) ? program : folder;

  const emulator = await startEmulator(node, join(root, "dist", "cli", "main.js"), join(folder, "emulator"));
  writeFileSync(pidFile, String(emulator.pid));
  // What a person who goes on by hand has to export as well.
  const settings = {
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "demo",
    PULUMI_HOME: join(folder, "pulumi-home"),
    BROWSER_INFRA_BASE_URL: emulator.url,
    BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
  };
  const environment = {
    ...env,
    ...settings,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
  };
  const run = (args, stdio) => runPulumi(args, { cwd: projectFolder, env: environment, stdio });
  try {
    await run(["stack", "init", "demo"], "ignore");
  } catch (error) {
    // Left running, it would keep this process from ending.
    await emulator.stop();
    throw error;
  }
  const extensions = () => emulator.request("GET", "/extensions");

  return {
    /** Runs the CLI on the demo's stack, its output as it is. Fails when it does. */
    async pulumi(...args) {
      say(`$ pulumi ${args.join(" ")}`);
      const exitCode = await run(args, "inherit");
      if (exitCode !== 0) {
        throw new SetUpError(`"pulumi ${args.join(" ")}" ended with exit code ${exitCode}.`);
      }
    },

    /** Runs the CLI where it has something to complain of; the exit code it ends with. */
    async pulumiExpectingFailure(...args) {
      say(`$ pulumi ${args.join(" ")}`);
      const exitCode = await run(args, "inherit");
      if (exitCode === 0) {
        throw new Error(`"pulumi ${args.join(" ")}" found nothing, but there was something to find.`);
      }
      return exitCode;
    },

    /** Appends to a file of the program. */
    edit(file, text) {
      appendFileSync(join(program, file), text);
    },

    request: emulator.request,

    /** The extensions in the service, asked for without Pulumi. */
    extensions,

    /** Says that neither the service nor the stack holds anything any more. Fails when one does. */
    async expectNothingLeft() {
      const counts = [(await extensions()).length, resourcesInState()];
      say(`In the service: ${counts[0]} extensions. In the stack: ${counts[1]} resources.`);
      if (counts.some((count) => count > 0)) {
        throw new Error("Something is left that should be gone.");
      }
    },

    explainHowToGoOn() {
      heading("The emulator and the stack are still there");
      say("In this shell:");
      console.log(`export PATH="${dirname(node)}:${dirname(pulumi)}:$PATH"`);
      for (const [name, value] of Object.entries(settings)) {
        console.log(`export ${name}="${value}"`);
      }
      console.log(`cd "${folder}"`);
      say("Then edit examples/quickstart/extension/content.js there and run:");
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

/** Number of resources of ours in the state file of the one stack. */
function resourcesInState() {
  const stacks = join(folder, "state", ".pulumi", "stacks");
  const [project] = readdirSync(stacks);
  const state = readFileSync(join(stacks, project, "demo.json"), "utf8");
  const { resources = [] } = JSON.parse(state).checkpoint.latest;
  return resources.filter(({ type }) => !type.startsWith("pulumi:")).length;
}

async function runPulumi(args, options) {
  // Ctrl-C reaches the CLI as well, which ends in order; what is left is then cleaned up here.
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

/** An earlier "--keep" may have left its emulator behind: this run starts from nothing. */
function endEmulatorLeftRunning() {
  try {
    process.kill(Number(readFileSync(pidFile, "utf8")), "SIGTERM");
  } catch {
    // None was left, or it has ended since.
  }
}
