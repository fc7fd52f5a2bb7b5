import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfFiles } from "./digest.mjs";
import { withLock } from "./lock.mjs";
import { npmNoise, requireNpm } from "./npm.mjs";
import { showProgress } from "./progress.mjs";
import { cloneStateFolder, projectFolder } from "./project.mjs";
import { CommandFailed, runCommand } from "./run-command.mjs";
import { SetUpError } from "./set-up-error.mjs";

/** Inside node_modules, so that whoever removes the folder, npm included, removes the stamp with it. */
const stamp = join(projectFolder, "node_modules", ".browser-infra-lock");
const secondsMax = 900;

/**
 * Installs what package-lock.json names, unless exactly that was installed here before.
 *
 * @param {NodeJS.ProcessEnv} env with the right Node first on PATH, so that the packages' `engines` fit.
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
          why: found ? "it has changed since the last time" : "they were not installed by this set-up yet",
          usually: "10 to 40 s",
        },
        (onLine) => {
          // From nothing, as npm would not notice a package that an interrupt left half unpacked. The stamp goes first: removing takes a while.
          rmSync(stamp, { force: true });
          rmSync(join(projectFolder, "node_modules"), { recursive: true, force: true, maxRetries: 3 });
          return runCommand(
            npm,
            [
              // Not "npm ci": it refuses a lock file without the binaries of other platforms, which is what npm writes where the registry
              // has none of them. With --no-save the lock file is obeyed all the same, and not written.
              "install",
              "--no-save",
              // Development packages also where NODE_ENV says production: the build needs them.
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
          'Check that npm reaches its registry ("npm ping") and run the same command again; it starts this step afresh.',
      );
    }
    writeFileSync(stamp, wanted);
  });
}
