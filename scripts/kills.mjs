/**
 * `npm run test:kills`: kills deployments at random moments with the real engine, 200 times or
 * `--count N`, as test/engine/kills/random-kills.test.ts plans it from `--seed N`. Ends with a
 * table of the kills after which everything was right. The exit code is 0 only when that is all of
 * them; the first wrong end stops the run.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { formatDuration } from "./setup/process/progress.mjs";
import { runInForeground } from "./setup/process/run-command.mjs";
import { cloneStateFolder, projectFolder } from "./setup/project.mjs";
import { runMain, SetUpError } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";
import { isolateTests } from "./test/isolation.mjs";

/**
 * One line of the report: a kill after which everything was right.
 *
 * @typedef {object} Kill
 * @property {string} target
 * @property {string} at
 * @property {string} next
 */

/** @type {Record<string, string>} */
const moments = {
  answered: "after the answer, before the state",
  "before-reading": "before a request was read",
  "before-commit": "before a commit",
  "after-commit": "after a commit",
  "while-answering": "in the middle of an answer",
  time: "at any time",
};

/** @type {Record<string, string>} */
const nextPrograms = { same: "the same", reverted: "the one before", changed: "another one" };

await runMain(async () => {
  const { count, seed } = readArguments();
  const {
    node,
    nodeVersion,
    env: found,
    pulumi,
    pulumiVersion,
    toolsDir,
  } = await setUp({
    needs: { engine: true },
  });
  const { env } = isolateTests(found, { pulumi, toolsDir });
  const report = join(cloneStateFolder, "kills.jsonl");
  rmSync(report, { force: true });
  console.log(`${count} kills, seed ${seed}; Pulumi ${pulumiVersion}, Node ${nodeVersion}.`);
  const started = Date.now();
  const code = await runInForeground(
    node,
    [
      join(projectFolder, "node_modules/jest/bin/jest.js"),
      "test/engine/kills/random-kills.test.ts",
      "--selectProjects=engine",
      "--ci",
    ],
    {
      cwd: projectFolder,
      env: {
        ...env,
        BROWSER_INFRA_TEST_KILLS: String(count),
        BROWSER_INFRA_TEST_SEED: String(seed),
        BROWSER_INFRA_TEST_REPORT: report,
      },
    },
  );

  /** @type {Kill[]} */
  const kills = existsSync(report)
    ? readFileSync(report, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  if (kills.length > 0) {
    console.log("\nKills after which everything was right, by moment and by the next program:");
    console.table(counts(kills, ({ at, target }) => [moments[at] ?? at, `${target} killed`]));
    console.table(counts(kills, ({ next, target }) => [nextPrograms[next] ?? next, `${target} killed`]));
  }
  const took = formatDuration(Date.now() - started);
  console.log(`${kills.length} of ${count} kills ended right, seed ${seed}, after ${took}.`);
  return code === 0 && kills.length < count ? 1 : code;
});

/** The number of kills and their seed. Without one, the clock gives it. */
function readArguments() {
  /** @type {{ count?: string, seed?: string }} */
  let values;
  try {
    ({ values } = parseArgs({ options: { count: { type: "string" }, seed: { type: "string" } } }));
  } catch (error) {
    throw new SetUpError(`${error instanceof Error ? error.message : error} Known: --count N, --seed N.`);
  }
  const count = Number(values.count ?? 200);
  const seed = Number(values.seed ?? Math.floor(Date.now() / 1000));
  if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
    throw new SetUpError("--count must be a whole number of at least 1, and --seed a whole number.");
  }
  return { count, seed };
}

/**
 * Counts by row and column.
 *
 * @param {readonly Kill[]} kills
 * @param {(kill: Kill) => [row: string, column: string]} placeOf
 */
function counts(kills, placeOf) {
  /** @type {Record<string, Record<string, number>>} */
  const table = {};
  for (const kill of kills) {
    const [row, column] = placeOf(kill);
    const cells = table[row] ?? {};
    cells[column] = (cells[column] ?? 0) + 1;
    table[row] = cells;
  }
  return table;
}
