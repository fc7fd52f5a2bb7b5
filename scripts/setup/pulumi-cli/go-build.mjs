import { chmodSync, copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { withPartialFolder } from "../process/partial-folder.mjs";
import { showProgress } from "../process/progress.mjs";
import { runCommand } from "../process/run-command.mjs";
import { requireOnPath } from "../process/search-path.mjs";
import { projectFolder } from "../project.mjs";

const secondsMax = 3600;
/** Output of a build without problems: downloads, and the packages compiled so far. */
const goNoise = /^(go: downloading .*|[^\s:#]+)$/;

/**
 * Builds a program of a published Go module, pinned by the go.mod and go.sum of this repository,
 * and puts program and companion into a folder. Nothing else there changes. Rejects with
 * `CommandFailed`: no Go, a Go older than go.mod requires, no module proxy.
 *
 * @param {import("./programs.mjs").Program} program
 * @param {object} options
 * @param {string} options.folder
 * @param {string} options.why in words, for the progress.
 * @param {NodeJS.ProcessEnv} options.env
 */
export async function buildGoProgram(program, { folder, why, env }) {
  const { what, file, module, package: path, args, companion, usually } = program;
  const go = requireOnPath("go", env);
  // Without cgo a build needs no C compiler, and the result runs with any C library. A go.work
  // above the clone is not ours.
  const goEnv = { ...env, CGO_ENABLED: "0", GOWORK: "off" };
  const run = { cwd: join(projectFolder, module), env: goEnv, noise: goNoise, secondsMax };
  const step = { what: `Building ${what} from its published Go module`, why, usually };
  await withPartialFolder(folder, async (partial) => {
    const made = join(partial, file);
    const build = ["build", "-v", "-mod=readonly", "-buildvcs=false", ...args, "-o", made, path];
    await showProgress(step, (onLine) => runCommand(go, build, { ...run, onLine }));
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
