import { findOnPath } from "./search-path.mjs";
import { SetUpError } from "./set-up-error.mjs";

/** npm's request log: good for a moving line, no explanation of a failure. Nor is the place of the log file. */
export const npmNoise = /^npm (http|notice|warn)|A complete log of this run/;

/** Absolute path of npm. Fails with `SetUpError` when PATH has none. */
export function requireNpm() {
  const npm = findOnPath("npm");
  if (!npm) {
    throw new SetUpError("There is no npm on PATH. Install npm 10 or newer and run the same command again.");
  }
  return npm;
}
