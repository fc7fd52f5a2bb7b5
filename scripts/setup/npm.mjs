import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { putInPlace, withPartialFolder } from "./process/partial-folder.mjs";
import { showProgress } from "./process/progress.mjs";
import { CommandFailed, runCommand } from "./process/run-command.mjs";
import { findOnPath, requireOnPath } from "./process/search-path.mjs";
import { projectFolder, toolsFolder } from "./project.mjs";
import { SetUpError } from "./set-up-error.mjs";

/** npm's request log and the path of the log file: progress, without the cause of a failure. */
export const npmNoise = /^npm (http|notice|warn)|A complete log of this run/;
const secondsMax = 900;

/** Absolute path of npm. Fails with `SetUpError` when PATH has none. */
export function requireNpm() {
  const npm = findOnPath("npm");
  if (!npm) {
    throw new SetUpError("There is no npm on PATH. Install npm 10 or newer and run the same command again.");
  }
  return npm;
}

/**
 * `npm install` without install scripts. Rejects with `CommandFailed`.
 *
 * @param {readonly string[]} args
 * @param {object} options
 * @param {string} options.folder with a package.json.
 * @param {NodeJS.ProcessEnv} options.env
 * @param {import("./process/run-command.mjs").OnLine} [options.onLine]
 */
export async function npmInstall(args, { folder, env, onLine }) {
  const level = onLine ? "--loglevel=http" : "--loglevel=error";
  const quiet = ["--ignore-scripts", "--no-fund", "--no-audit", level];
  const run = { cwd: folder, env, noise: npmNoise, secondsMax, onLine };
  await runCommand(requireNpm(), ["install", ...quiet, ...args], run);
}

/**
 * Packs a package, by default this one, like npm before publishing. Rejects with `CommandFailed`.
 *
 * @param {string} folder target, without any tarball.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [what] folder of the package.
 * @returns {Promise<string>} path of the tarball.
 */
export function packPackage(folder, env, what = projectFolder) {
  return pack(what, { folder, env });
}

/**
 * Package of npm with only Node's binary for a platform. Needs no install script, unlike the
 * package `node`, whose script fetches these packages. `integrity` is npm's `dist.integrity`.
 *
 * @typedef {{ name: string, version: string, integrity: string }} NodePackage
 */

/**
 * Node for a platform, in the tools folder, perhaps from an earlier set-up. npm does not install a
 * package of a different platform, but packs such a package. Only the pinned package is unpacked.
 * Rejects with `CommandFailed`.
 *
 * @param {NodePackage} entry
 * @param {object} options
 * @param {string} options.why in words, for the progress.
 * @param {NodeJS.ProcessEnv} options.env
 * @returns {Promise<string>} the package's folder.
 */
export async function fetchNode({ name, version, integrity }, { why, env }) {
  const home = join(toolsFolder, `${name}-${version}`);
  const binary = (/** @type {string} */ folder) =>
    join(folder, "bin", name.includes("-win-") ? "node.exe" : "node");
  if (existsSync(binary(home))) {
    return home;
  }
  const step = {
    what: `Getting Node ${version} (${name}) into the tools folder`,
    why,
    usually: "10 to 30 s",
  };
  await showProgress(step, (onLine) =>
    withPartialFolder(toolsFolder, async (folder) => {
      const tarball = await pack(`${name}@${version}`, { folder, env, onLine });
      const received = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
      if (received !== integrity) {
        throw new CommandFailed(
          `${name}@${version} of the registry is not the one this project pins (integrity ${received})`,
        );
      }
      await runCommand(requireOnPath("tar", env), ["-xzf", tarball], { cwd: folder, env, secondsMax });
      chmodSync(binary(join(folder, "package")), 0o755);
      putInPlace(join(folder, "package"), home);
    }),
  );
  return home;
}

/**
 * @param {string} what a folder, or a package of the registry.
 * @param {{ folder: string, env: NodeJS.ProcessEnv, onLine?:
 *   import("./process/run-command.mjs").OnLine }} options
 * @returns {Promise<string>} path of the only tarball in the folder.
 */
async function pack(what, { folder, env, onLine }) {
  const run = { cwd: folder, env, noise: npmNoise, secondsMax, onLine };
  await runCommand(requireNpm(), ["pack", what, "--ignore-scripts", "--loglevel=http"], run);
  const [tarball = ""] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  return join(folder, tarball);
}
