import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { digestOfFiles } from "./digest.mjs";
import { putInPlace, withPartialFolder } from "./process/partial-folder.mjs";
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
/** Files of src that the compiler excludes: the emulator serves them unchanged. */
const served = /\.(html|css|mjs)$/;
/** Not in dist: everything in dist is published. */
const stamp = join(cloneStateFolder, "build-stamp");
const secondsMax = 300;

/**
 * Compiles src into dist and bundles the plugin, unless both were made from exactly these sources.
 *
 * @param {string} node path of the Node that runs the compiler.
 * @param {NodeJS.ProcessEnv} env
 */
export async function setUpBuild(node, env) {
  const { main, bin } = readPackageJson();
  const commands = Object.values(bin ?? {});
  const wanted = digestOfFiles(projectFolder, inputs);
  const isBuilt = () =>
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === wanted &&
    [main, "plugin/plugin.cjs", ...commands].every((path) => existsSync(join(projectFolder, path)));
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
        const compiler = join("node_modules", "typescript", "bin", "tsc");
        const args = ["-p", "tsconfig.build.json", "--outDir", made, "--noEmitOnError"];
        await run("Compiling src", node, [compiler, ...args], { env, onLine });
        const bundle = ["scripts/plugin/bundle.mjs", join(folder, "plugin")];
        await run("Bundling the plugin", node, bundle, { env, onLine });
      },
    );
    for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
      if (served.test(file)) {
        cpSync(join(source, file), join(made, file));
      }
    }
    for (const command of commands) {
      makeExecutable(join(folder, command));
    }
    // A parallel set-up may have been faster.
    if (!isBuilt()) {
      rmSync(stamp, { force: true });
      putInPlace(made, dist);
      putInPlace(join(folder, "plugin"), plugin);
      writeFileSync(stamp, wanted);
    }
  });
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
      `package.json names the command ${basename(path)} of dist, but the build makes no such file. ` +
        'Fix "bin" in package.json, or add the source of the command.',
    );
  }
  chmodSync(path, 0o755);
}
