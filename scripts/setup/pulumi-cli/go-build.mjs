import { chmodSync, copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { withPartialFolder } from "../process/partial-folder.mjs";
import { showProgress } from "../process/progress.mjs";
import { CommandFailed, runCommand } from "../process/run-command.mjs";
import { findOnPath } from "../process/search-path.mjs";
import { projectFolder, toolsFolder } from "../project.mjs";
import { isAtLeast } from "../version.mjs";
import { goMinimum } from "./programs.mjs";

const secondsMax = 3600;
/** Output of a build without problems: downloads, and the packages compiled so far. */
const goNoise = /^(go: downloading .*|[^\s:#]+)$/;

/**
 * Builds a program of a published Go module, pinned by the go.mod and go.sum of this repository,
 * and puts program and companion into a folder. Nothing else there changes. Rejects with
 * `CommandFailed`: no Go, a Go that is too old, no module proxy.
 *
 * @param {import("./programs.mjs").Program} program
 * @param {object} options
 * @param {string} options.folder
 * @param {string} options.why in words, for the progress.
 * @param {NodeJS.ProcessEnv} options.env
 */
export async function buildGoProgram(program, { folder, why, env }) {
  const { what, file, module, package: path, args, companion, usually } = program;
  const go = await requireGo(env);
  // Without cgo a build needs no C compiler, and the result runs with any C library. A go.work
  // above the clone is not ours.
  const goEnv = { ...env, CGO_ENABLED: "0", GOWORK: "off" };
  const run = { cwd: join(projectFolder, module), env: goEnv, noise: goNoise, secondsMax };
  await withPartialFolder(folder, async (partial) => {
    const made = join(partial, file);
    await showProgress(
      { what: `Building ${what} from its published Go module`, why, usually },
      async (onLine) => {
        const flags = ["-v", "-mod=readonly", "-buildvcs=false", ...args];
        await runCommand(go, ["build", ...flags, "-o", made, path], { ...run, onLine });
      },
    );
    if (companion) {
      // The build has fetched the sources.
      const list = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", companion.module];
      const sources = (await runCommand(go, list, run)).trim();
      const copy = join(partial, companion.file);
      copyFileSync(join(sources, companion.path), copy);
      chmodSync(copy, 0o755);
      renameSync(copy, join(folder, companion.file));
    }
    renameSync(made, join(folder, file));
  });
}

/**
 * Path of Go on PATH. Rejects with `CommandFailed`: no Go, or a Go that is too old.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export async function requireGo(env) {
  const go = findOnPath("go", env);
  if (!go) {
    throw new CommandFailed("there is no go on PATH");
  }
  const answer = await runCommand(go, ["version"], { cwd: toolsFolder, env, secondsMax: 30 });
  const version = /\bgo(\d[\d.]*)/.exec(answer)?.[1] ?? "of unknown version";
  if (!isAtLeast(version, goMinimum)) {
    throw new CommandFailed(`the go on PATH is ${version}, older than ${goMinimum}`);
  }
  return go;
}
