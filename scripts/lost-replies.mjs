/**
 * `npm run test:lost-replies`: loses the reply to an upload or a deletion of an extension in every
 * way that test/engine/lost-replies.test.ts knows, with the real engine, 20 times each or as often
 * as BROWSER_INFRA_TEST_RUNS says, and the reply to every other write in every way that
 * test/engine/organization-answers.test.ts knows. Ends with a line for each way. The exit code is 0
 * only when the service had what the program declares after each.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runInForeground } from "./setup/process/run-command.mjs";
import { cloneStateFolder, projectFolder } from "./setup/project.mjs";
import { runMain } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";
import { isolateTests } from "./test/isolation.mjs";

await runMain(async () => {
  const { node, env: found, pulumi, toolsDir } = await setUp({ needs: { engine: true } });
  const { env } = isolateTests({ BROWSER_INFRA_TEST_RUNS: "20", ...found }, { pulumi, toolsDir });
  const report = join(cloneStateFolder, "lost-replies.json");
  rmSync(report, { force: true });
  const code = await runInForeground(
    node,
    [
      join(projectFolder, "node_modules/jest/bin/jest.js"),
      "test/engine/(lost-replies|organization-answers).test.ts",
      "--selectProjects=engine",
      "--ci",
      "--json",
      `--outputFile=${report}`,
    ],
    { cwd: projectFolder, env },
  );

  if (!existsSync(report)) {
    // jest itself has failed and has said why.
    return code || 1;
  }
  /** @type {import("./test/report.mjs").JestReport} */
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  /** @type {Map<string, { passed: number, all: number }>} */
  const counts = new Map();
  for (const { title, status } of results) {
    // "…: <write>, <fault> (run <n>)", or "(then <the next program>)" for what is no extension
    const [, fault = title, run = ""] = /, ([^,]+) \((\w+) [^)]+\)$/.exec(title) ?? [];
    const way = `${run === "run" ? "extension" : "project, limits, API key or browser pool"}, ${fault}`;
    const count = counts.get(way) ?? { passed: 0, all: 0 };
    count.all += 1;
    count.passed += status === "passed" ? 1 : 0;
    counts.set(way, count);
  }
  console.log();
  for (const [way, { passed, all }] of counts) {
    console.log(`${passed} of ${all}: ${way}`);
  }
  return code;
});
