import { spawn } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmulator } from "./emulator-process.mjs";
import { heading, say } from "./story.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = join(root, ".tools", "demo");
const program = join(folder, "examples", "quickstart");
const pidFile = join(folder, "emulator.pid");

/**
 * A copy of examples/quickstart with a stack of its own, and an emulator for it. The copy lies inside the repository, so
 * that "pulumi-browser-infra" is the package just built. Nothing outside of .tools/demo is written.
 */
export async function createDemo({ env, node, pulumi }) {
  endEmulatorLeftRunning();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "state"), { recursive: true });
  cpSync(join(root, "examples", "quickstart"), program, { recursive: true });
  cpSync(join(root, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));

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
  const run = (args, stdio) => runPulumi(args, { cwd: folder, env: environment, stdio });
  await run(["stack", "init", "demo"], "ignore");

  return {
    /** Runs the CLI on the demo's stack, its output as it is. Fails when it does. */
    async pulumi(...args) {
      say(`$ pulumi ${args.join(" ")}`);
      const exitCode = await run(args, "inherit");
      if (exitCode !== 0) {
        throw new Error(`"pulumi ${args.join(" ")}" ended with exit code ${exitCode}.`);
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

    /** The extensions in the service, asked for without Pulumi. */
    async extensions() {
      return (await emulator.request("GET", "/extensions")).json();
    },

    async deleteBehindOurBack(id) {
      await emulator.request("DELETE", `/extensions/${id}`);
    },

    /** Number of resources of ours in the stack's state file. */
    resourcesInState() {
      const file = join(folder, "state", ".pulumi", "stacks", "browser-infra-quickstart", "demo.json");
      const { resources = [] } = JSON.parse(readFileSync(file, "utf8")).checkpoint.latest;
      return resources.filter(({ type }) => !type.startsWith("pulumi:")).length;
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

function runPulumi(args, options) {
  return new Promise((resolveExit, reject) => {
    const child = spawn("pulumi", args, options);
    child.once("error", reject);
    child.once("close", (exitCode) => resolveExit(exitCode));
  });
}

/** An earlier "--keep" may have left its emulator behind: this run starts from nothing. */
function endEmulatorLeftRunning() {
  try {
    process.kill(Number(readFileSync(pidFile, "utf8")), "SIGTERM");
  } catch {
    // None was left, or it has ended since.
  }
}
