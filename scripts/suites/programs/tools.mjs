import { existsSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { npmInstall } from "../../setup/npm.mjs";
import { withPartialFolder } from "../../setup/process/partial-folder.mjs";
import { cloneStateFolder } from "../../setup/project.mjs";

/** Same folder and names as for the runtimes of test/archive/same-bytes. */
const toolsFolder = join(cloneStateFolder, "runtimes");

/**
 * Installations in progress, by folder: concurrent programs can need the same tool.
 *
 * @type {Map<string, Promise<void>>}
 */
const installs = new Map();

/**
 * npm package with a program, installed once for this clone.
 *
 * @param {string} name
 * @param {string} version exact.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} the package's folder.
 */
export async function installTool(name, version, env) {
  const home = join(toolsFolder, `${name}@${version}`.replace(/[@/]+/g, "-").replace(/^-/, ""));
  const unpacked = join(home, "node_modules", name);
  if (!existsSync(unpacked)) {
    const install =
      installs.get(home) ??
      withPartialFolder(toolsFolder, async (folder) => {
        writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
        await npmInstall([`${name}@${version}`], { folder, env });
        renameSync(folder, home);
      });
    installs.set(home, install);
    await install;
  }
  return unpacked;
}

/**
 * Node of the given version, installed unless already running.
 *
 * @param {string} version
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} folder of the binary.
 */
export async function nodeFolder(version, env) {
  if (version === process.versions.node) {
    return dirname(process.execPath);
  }
  const folder = await installTool(`node-${process.platform}-${process.arch}`, version, env);
  return join(folder, "bin");
}
