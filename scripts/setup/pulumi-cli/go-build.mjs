import { join } from "node:path";
import { CommandFailed, runCommand } from "../process/run-command.mjs";
import { findOnPath } from "../process/search-path.mjs";
import { projectFolder, toolsFolder } from "../project.mjs";
import { isAtLeast } from "../version.mjs";
import { goMinimum } from "./go-modules.mjs";

/**
 * A program of a published Go module, pinned by the go.mod and go.sum of this repository.
 *
 * @typedef {object} GoProgram
 * @property {string} module folder of the go.mod, relative to the project.
 * @property {string} package
 * @property {string[]} args more arguments of `go build`.
 * @property {string} output path of the program.
 * @property {NodeJS.ProcessEnv} env
 * @property {import("../process/run-command.mjs").OnLine} onLine
 */

const secondsMax = 3600;
/** What a build prints when nothing is wrong: downloads, and the packages compiled so far. */
const goNoise = /^(go: downloading .*|[^\s:#]+)$/;

/**
 * Path of the Go on PATH. Rejects with `CommandFailed`: no Go, or a Go that is too old.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export async function requireGo(env) {
  const go = findOnPath("go", env);
  if (!go) {
    throw new CommandFailed("there is no go on PATH", []);
  }
  const answer = await runCommand(go, ["version"], { cwd: toolsFolder, env, secondsMax: 30 });
  const version = /\bgo(\d[\d.]*)/.exec(answer)?.[1] ?? "of unknown version";
  if (!isAtLeast(version, goMinimum())) {
    throw new CommandFailed(`the go on PATH is ${version}, older than ${goMinimum()}`, []);
  }
  return go;
}

/**
 * Builds a program. Rejects with `CommandFailed`, for instance without a module proxy.
 *
 * @param {string} go path of Go.
 * @param {GoProgram} program
 */
export async function buildGoProgram(go, { module, package: path, args, output, env, onLine }) {
  await runCommand(go, ["build", "-v", "-mod=readonly", "-buildvcs=false", ...args, "-o", output, path], {
    cwd: join(projectFolder, module),
    env: goEnvironment(env),
    onLine,
    noise: goNoise,
    secondsMax,
  });
}

/**
 * The folder of Go's module cache that has the sources of a module. Only after a build that used
 * it.
 *
 * @param {string} go path of Go.
 * @param {{ module: string, path: string, env: NodeJS.ProcessEnv }} of `path` names the module
 *   whose folder is wanted, `module` the folder of the go.mod that requires it.
 */
export async function folderOfGoModule(go, { module, path, env }) {
  const folder = await runCommand(go, ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", path], {
    cwd: join(projectFolder, module),
    env: goEnvironment(env),
    secondsMax,
  });
  return folder.trim();
}

/**
 * Without cgo a build needs no C compiler, and the result runs with any C library. A go.work above
 * the clone is not ours.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function goEnvironment(env) {
  return { ...env, CGO_ENABLED: "0", GOWORK: "off" };
}
