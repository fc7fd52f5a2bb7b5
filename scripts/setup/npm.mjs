import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./process/run-command.mjs";
import { findOnPath } from "./process/search-path.mjs";
import { projectFolder } from "./project.mjs";
import { SetUpError } from "./set-up-error.mjs";

/** npm's request log and the path of its log file: they show progress and explain no failure. */
export const npmNoise = /^npm (http|notice|warn)|A complete log of this run/;

/** Absolute path of npm. Fails with `SetUpError` when PATH has none. */
export function requireNpm() {
  const npm = findOnPath("npm");
  if (!npm) {
    throw new SetUpError("There is no npm on PATH. Install npm 10 or newer and run the same command again.");
  }
  return npm;
}

/**
 * Packs this package, as npm publishes it. Rejects with `CommandFailed`.
 *
 * @param {string} folder where to, without another tarball in it.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} path of the tarball.
 */
export async function packPackage(folder, env) {
  const args = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
  await runCommand(requireNpm(), args, { cwd: projectFolder, env, noise: npmNoise });
  const [tarball = ""] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  return join(folder, tarball);
}
