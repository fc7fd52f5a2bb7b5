/**
 * Makes a clone ready for work: Node, the npm packages, the build, the Pulumi CLI. Every other
 * script calls `setUp` first, so none needs an `npm install` before. `npm run setup` sets up
 * everything for `npm test`; with `--hosts`, the CLI also runs programs in Python and Go. Runs on
 * Node 20 without any package. docs/maintainers/set-up.md describes the steps and the written folders.
 */
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setUpBuild } from "./setup/build.mjs";
import { setUpDependencies } from "./setup/dependencies.mjs";
import { setUpNode } from "./setup/node.mjs";
import { formatDuration } from "./setup/process/progress.mjs";
import { withFirstOnPath } from "./setup/process/search-path.mjs";
import { makeFolders, toolsFolder } from "./setup/project.mjs";
import { setUpPulumi } from "./setup/pulumi-cli/pulumi-cli.mjs";
import { messageOf, runMain, SetUpError } from "./setup/set-up-error.mjs";

/**
 * A language of Pulumi programs, besides JavaScript and TypeScript, or the converter of programs in
 * YAML.
 *
 * @typedef {"yaml" | "python" | "go" | "converter"} Language
 */

/**
 * Paths and versions of the tools found or installed by the set-up.
 *
 * @typedef {object} Tools
 * @property {NodeJS.ProcessEnv} env the environment of this process with the folders of `node` and
 *   `pulumi` first on PATH.
 * @property {string} node path of Node.
 * @property {string} nodeVersion
 * @property {string} pulumi path of the Pulumi CLI, empty without the engine.
 * @property {string} pulumiVersion
 * @property {string} toolsDir the tools folder.
 */

/**
 * Sets up missing parts and prints nothing about present parts. Concurrent calls may make the same
 * part twice, and keep one. Rejects with `SetUpError`, whose message is for the user.
 *
 * @param {{ needs?: { engine?: boolean, build?: boolean, hosts?: readonly Language[] } }} [options]
 *   `engine`: the Pulumi CLI; `build`: dist. Default of both: true. `hosts`: the languages that the
 *   CLI runs besides JavaScript; default: none.
 * @returns {Promise<Tools>}
 */
export async function setUp({ needs: { engine = true, build = true, hosts = [] } = {} } = {}) {
  if (process.platform === "win32") {
    throw new SetUpError("The set-up runs on Linux and macOS. On Windows, use a clone inside WSL.");
  }
  makeFolders();
  const node = await setUpNode();
  const env = withFirstOnPath(process.env, dirname(node.path));
  await setUpDependencies(env);
  if (build) {
    await setUpBuild(node.path, env);
  }
  const found = { node: node.path, nodeVersion: node.version, toolsDir: toolsFolder };
  if (!engine) {
    return { ...found, env, pulumi: "", pulumiVersion: "" };
  }
  const { path: pulumi, version: pulumiVersion } = await setUpPulumi(env, hosts);
  const both = withFirstOnPath(process.env, dirname(node.path), dirname(pulumi));
  return { ...found, env: both, pulumi, pulumiVersion };
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const withAll = readHosts();
    const started = Date.now();
    const { nodeVersion, pulumiVersion } = await setUp({
      needs: { hosts: withAll ? ["yaml", "python", "go"] : ["yaml"] },
    });
    const took = formatDuration(Date.now() - started);
    const what = withAll ? " with its hosts for Python and Go" : "";
    console.log(
      `Ready after ${took}: Node ${nodeVersion}, the npm packages, dist, and the Pulumi CLI ${pulumiVersion}${what}.`,
    );
  });
}

/** Whether the command line requests the hosts of Python and Go. */
function readHosts() {
  try {
    return parseArgs({ options: { hosts: { type: "boolean", default: false } } }).values.hosts;
  } catch (error) {
    throw new SetUpError(`${messageOf(error)} Known: --hosts.`);
  }
}
