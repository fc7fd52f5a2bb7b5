/** `node scripts/run.mjs build | check | fix`: one task for an author, with the set-up it needs first. */
import { join } from "node:path";
import { projectFolder } from "./setup/project.mjs";
import { runInForeground } from "./setup/run-command.mjs";
import { runMain, SetUpError } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";
import { biomeColors } from "./test/biome-colors.mjs";

/** The set-up and the programs of each task; the paths are below node_modules. Each program runs although one before it failed. */
const tasks = {
  build: { needs: { engine: false }, programs: [] },
  check: {
    needs: { engine: false },
    programs: [
      ["typescript/bin/tsc", "--noEmit", "-p", "."],
      ["@biomejs/biome/bin/biome", "ci", biomeColors, "."],
    ],
  },
  // Sources that do not compile yet can be formatted.
  fix: {
    needs: { engine: false, build: false },
    programs: [["@biomejs/biome/bin/biome", "check", "--write", biomeColors, "."]],
  },
};

await runMain(async () => {
  const task = tasks[process.argv[2]];
  if (!task) {
    throw new SetUpError(`Unknown task "${process.argv[2]}". Use one of: ${Object.keys(tasks).join(", ")}.`);
  }
  const { node, env } = await setUp({ needs: task.needs });
  if (process.argv[2] === "build") {
    console.log("dist is up to date.");
  }
  let worst = 0;
  for (const [program, ...args] of task.programs) {
    const path = join(projectFolder, "node_modules", program);
    worst = Math.max(worst, await runInForeground(node, [path, ...args], { cwd: projectFolder, env }));
  }
  return worst;
});
