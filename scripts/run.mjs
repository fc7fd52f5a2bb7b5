/**
 * `node scripts/run.mjs build | check | fix`: runs a single task, after the set-up for the task.
 */
import { join } from "node:path";
import { runInForeground } from "./setup/process/run-command.mjs";
import { projectFolder } from "./setup/project.mjs";
import { runMain, SetUpError } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";
import { biome, biomeColors, lints, typeChecks } from "./test/checks.mjs";

/** @typedef {import("./test/checks.mjs").Program} Program */

/**
 * Set-up and programs of each task. Each program runs even if an earlier program failed.
 *
 * @type {Readonly<Record<string, { needs: { engine: false, build?: boolean }, programs: readonly
 *   Program[] }>>}
 */
const tasks = {
  build: { needs: { engine: false }, programs: [] },
  check: {
    needs: { engine: false },
    programs: [...typeChecks, ...lints],
  },
  // Without the build: also formats sources that do not compile yet.
  fix: {
    needs: { engine: false, build: false },
    programs: [[biome, "check", "--write", biomeColors, "."]],
  },
};

await runMain(async () => {
  const [name = ""] = process.argv.slice(2);
  const task = tasks[name];
  if (!task) {
    throw new SetUpError(`Unknown task "${name}". Use one of: ${Object.keys(tasks).join(", ")}.`);
  }
  const { node, env } = await setUp({ needs: task.needs });
  if (name === "build") {
    console.log("dist and plugin are up to date.");
  }
  let worst = 0;
  for (const [program, ...args] of task.programs) {
    const path = join(projectFolder, program);
    worst = Math.max(worst, await runInForeground(node, [path, ...args], { cwd: projectFolder, env }));
  }
  return worst;
});
