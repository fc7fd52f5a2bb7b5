import { findOnPath } from "./process/search-path.mjs";
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
