import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfFiles } from "./digest.mjs";
import { putInPlace, withPartialFolder } from "./process/partial-folder.mjs";
import { runInForeground } from "./process/run-command.mjs";
import { cloneStateFolder, projectFolder, readPackageJson } from "./project.mjs";
import { SetUpError } from "./set-up-error.mjs";

const inputs = [
  "src",
  ...["bundle.mjs", "notices.mjs", "wrapper"].map((name) => join("scripts/plugin", name)),
  ...["schema.json", "tsconfig.json", "tsconfig.build.json", "package.json", "package-lock.json"],
];
/** Files of src that the compiler excludes: the emulator serves them unchanged. */
const served = /\.(html|css|mjs)$/;
/** Not in dist: everything in dist is published. */
const stamp = join(cloneStateFolder, "build-stamp");

/**
 * Compiles src into dist and bundles the plugin, unless both were made from exactly these sources.
 *
 * @param {string} node path of the Node that runs the compiler.
 * @param {NodeJS.ProcessEnv} env
 */
export async function setUpBuild(node, env) {
  const { main, bin } = readPackageJson();
  const commands = Object.values(bin);
  const made = [main, "plugin/plugin.cjs", ...commands].map((path) => join(projectFolder, path));
  const wanted = digestOfFiles(projectFolder, inputs);
  const isBuilt = () =>
    existsSync(stamp) && readFileSync(stamp, "utf8") === wanted && made.every((path) => existsSync(path));
  if (isBuilt()) {
    return;
  }
  console.error("Compiling src into dist and plugin, because one is missing or was made from other sources.");
  await withPartialFolder(cloneStateFolder, async (folder) => {
    const dist = join(folder, "dist");
    const compiler = "node_modules/typescript/bin/tsc";
    await run("Compiling src", [compiler, "-p", "tsconfig.build.json", "--outDir", dist, "--noEmitOnError"]);
    await run("Bundling the plugin", ["scripts/plugin/bundle.mjs", join(folder, "plugin")]);
    const sources = readdirSync(join(projectFolder, "src"), { recursive: true, encoding: "utf8" });
    for (const file of sources.filter((name) => served.test(name))) {
      cpSync(join(projectFolder, "src", file), join(dist, file));
    }
    for (const command of commands) {
      chmodSync(join(folder, command), 0o755);
    }
    // A parallel set-up may have been faster.
    if (!isBuilt()) {
      rmSync(stamp, { force: true });
      putInPlace(dist, join(projectFolder, "dist"));
      putInPlace(join(folder, "plugin"), join(projectFolder, "plugin"));
      writeFileSync(stamp, wanted);
    }
  });

  /**
   * @param {string} what in words, for an error.
   * @param {string[]} args
   */
  async function run(what, args) {
    if ((await runInForeground(node, args, { cwd: projectFolder, env })) !== 0) {
      throw new SetUpError(`${what} failed. Fix the sources and run the same command again.`);
    }
  }
}
