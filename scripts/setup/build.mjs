import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { digestOfFiles } from "./digest.mjs";
import { withLock } from "./process/lock.mjs";
import { withPartialFolder } from "./process/partial-folder.mjs";
import { showProgress } from "./process/progress.mjs";
import { CommandFailed, runCommand } from "./process/run-command.mjs";
import { cloneStateFolder, projectFolder, readPackageJson } from "./project.mjs";
import { SetUpError } from "./set-up-error.mjs";

/** @typedef {import("./process/run-command.mjs").OnLine} OnLine */

const bundler = ["bundle.mjs", "notices.mjs", "wrapper"].map((name) => join("scripts", "plugin", name));
const inputs = [
  "src",
  ...bundler,
  "schema.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "package.json",
  "package-lock.json",
];
const dist = join(projectFolder, "dist");
const plugin = join(projectFolder, "plugin");
const source = join(projectFolder, "src");
/** Files of src that the compiler leaves out: the emulator serves them unchanged. */
const served = /\.(html|css|js)$/;
/** Not in dist: everything in dist is published. */
const stamp = join(cloneStateFolder, "build-stamp");
const secondsMax = 300;

/**
 * Compiles src into dist and bundles the plugin from it, unless both were made from exactly these
 * sources.
 *
 * @param {string} node path of the Node that runs the compiler.
 * @param {NodeJS.ProcessEnv} env
 */
export async function setUpBuild(node, env) {
  const { main, bin } = readPackageJson();
  const commands = Object.values(bin ?? {}).map((path) => join(projectFolder, path));
  const wanted = digestOfFiles(projectFolder, inputs);
  const isBuilt = () =>
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === wanted &&
    [join(projectFolder, main), join(plugin, "plugin.cjs"), ...commands].every((path) => existsSync(path));
  if (isBuilt()) {
    return;
  }

  await withLock(cloneStateFolder, async () => {
    if (isBuilt()) {
      return;
    }
    await withPartialFolder(cloneStateFolder, async (folder) => {
      const made = join(folder, "dist");
      await showProgress(
        {
          what: "Compiling src into dist and plugin",
          why: "one is missing or was made from other sources",
          usually: "3 to 11 s",
        },
        async (onLine) => {
          await compile(node, env, made, onLine);
          await bundle(node, env, join(folder, "plugin"), onLine);
        },
      );
      for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
        if (served.test(file)) {
          cpSync(join(source, file), join(made, file));
        }
      }
      rmSync(stamp, { force: true });
      for (const target of [dist, plugin]) {
        // The old one moves away first: a rename replaces an empty folder only.
        const name = basename(target);
        if (existsSync(target)) {
          renameSync(target, join(folder, `${name}-before`));
        }
        renameSync(join(folder, name), target);
      }
      for (const command of commands) {
        makeExecutable(command);
      }
      writeFileSync(stamp, wanted);
    });
  });
}

/**
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 * @param {string} outDir
 * @param {OnLine} onLine
 */
function compile(node, env, outDir, onLine) {
  const compiler = join("node_modules", "typescript", "bin", "tsc");
  const args = [compiler, "-p", "tsconfig.build.json", "--outDir", outDir, "--noEmitOnError"];
  return run("Compiling src", node, args, { env, onLine });
}

/**
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder
 * @param {OnLine} onLine
 */
function bundle(node, env, folder, onLine) {
  return run("Bundling the plugin", node, ["scripts/plugin/bundle.mjs", folder], { env, onLine });
}

/**
 * @param {string} what in words, for an error.
 * @param {string} node
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, onLine: OnLine }} options
 */
async function run(what, node, args, { env, onLine }) {
  try {
    await runCommand(node, args, { cwd: projectFolder, env, onLine, secondsMax });
  } catch (error) {
    if (!(error instanceof CommandFailed)) {
      throw error;
    }
    const cause = error.lines.length > 0 ? `:\n${error.lines.join("\n")}\n` : ` (${error.message}). `;
    throw new SetUpError(`${what} failed${cause}Fix the sources and run the same command again.`);
  }
}

/** @param {string} path */
function makeExecutable(path) {
  if (!existsSync(path)) {
    throw new SetUpError(
      `package.json names the command ${path.slice(projectFolder.length + 1)}, but the build makes no such file. ` +
        'Fix "bin" in package.json, or add the source of the command.',
    );
  }
  chmodSync(path, 0o755);
}
