import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfFiles } from "./digest.mjs";
import { npmNoise, requireNpm } from "./npm.mjs";
import { withLock } from "./process/lock.mjs";
import { showProgress } from "./process/progress.mjs";
import { CommandFailed, runCommand } from "./process/run-command.mjs";
import { cloneStateFolder, projectFolder } from "./project.mjs";
import { SetUpError } from "./set-up-error.mjs";

/** In node_modules, so that removing that folder also removes the stamp. */
const stamp = join(projectFolder, "node_modules", ".browser-infra-lock");
const secondsMax = 900;

/**
 * Installs the packages of package-lock.json, unless exactly these are installed already.
 *
 * @param {NodeJS.ProcessEnv} env with the right Node first on PATH, so that it meets the packages'
 *   `engines`.
 */
export async function setUpDependencies(env) {
  // Some packages come as a binary per platform, and a clone may be shared with a container.
  const wanted = `${digestOfFiles(projectFolder, ["package-lock.json"])} ${process.platform}-${process.arch}\n`;
  const found = existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined;
  if (found === wanted) {
    return;
  }

  const npm = requireNpm();
  await withLock(cloneStateFolder, async () => {
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) {
      return;
    }
    try {
      await showProgress(
        {
          what: "Installing the npm packages of package-lock.json",
          why: found ? "it has changed since the last time" : "this set-up has not installed them yet",
          usually: "10 to 40 s",
        },
        (onLine) => {
          // From scratch: npm does not notice a package that an interrupt left half unpacked. The
          // stamp goes first, because removing the folder takes a while.
          rmSync(stamp, { force: true });
          rmSync(join(projectFolder, "node_modules"), { recursive: true, force: true, maxRetries: 3 });
          return runCommand(
            npm,
            [
              // Not "npm ci": it refuses a lock file that lacks the binaries of other platforms,
              // and npm writes such a file when the registry does not have them. With --no-save,
              // npm follows the lock file and leaves it unchanged.
              "install",
              "--no-save",
              // Development packages too, even with NODE_ENV=production: the build needs them.
              "--include=dev",
              // No package here needs its install script.
              "--ignore-scripts",
              "--no-fund",
              "--no-audit",
              "--loglevel=http",
            ],
            { cwd: projectFolder, env, onLine, noise: npmNoise, secondsMax },
          );
        },
      );
    } catch (error) {
      if (!(error instanceof CommandFailed)) {
        throw error;
      }
      throw new SetUpError(
        `Installing the npm packages failed: ${error.reason}. ` +
          'Check that npm reaches its registry ("npm ping") and run the same command again; it repeats this step.',
      );
    }
    writeFileSync(stamp, wanted);
  });
}
