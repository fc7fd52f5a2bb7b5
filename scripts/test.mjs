/**
 * `npm test`: the set-up, then type check, lint and every test. `npm test -- <jest arguments>` runs
 * only the chosen tests. The last line of output is `N passed, N failed`. The exit code is 0 only
 * if nothing failed and at least one test ran.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runInForeground } from "./setup/process/run-command.mjs";
import { cloneStateFolder, projectFolder } from "./setup/project.mjs";
import { printError, runMain } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";
import { lints, typeChecks } from "./test/checks.mjs";
import { isolateTests } from "./test/isolation.mjs";
import { countTests, summaryLine } from "./test/report.mjs";

const jestArguments = process.argv.slice(2);
const withoutEngine = process.env.BROWSER_INFRA_TEST_WITHOUT_ENGINE === "1";
/** @type {import("./test/report.mjs").TestCounts} */
const counts = { passed: 0, failed: 0, skipped: [] };
/** @type {string[]} */
const failedChecks = [];

await runMain(async () => {
  try {
    await runTests();
  } catch (error) {
    counts.failed += 1;
    printError(error);
  }
  // With arguments, the user has chosen the tests. A list of the others would only push the results
  // off the screen.
  if (counts.skipped.length > 0 && jestArguments.length === 0) {
    console.log(`\nSKIPPED ${counts.skipped.length === 1 ? "1 test" : `${counts.skipped.length} tests`}:`);
    for (const name of counts.skipped) {
      console.log(`  ${name}`);
    }
  }
  if (withoutEngine) {
    console.log("\nLEFT OUT every test that needs the Pulumi engine: BROWSER_INFRA_TEST_WITHOUT_ENGINE=1.");
  }
  // The output of the checks is far above, before the output of thousands of tests.
  for (const what of failedChecks) {
    console.log(`\n${what} failed. To see why: npm run check`);
  }
  console.log(summaryLine(counts));
  return counts.failed > 0 ? 1 : 0;
});

async function runTests() {
  const tools = await setUp({ needs: { engine: !withoutEngine, hosts: ["yaml"] } });
  const { node } = tools;
  const { env, removed } = isolateTests(tools.env, tools);
  if (removed.length > 0) {
    console.log(`Hidden from the tests, which must not reach a real service: ${removed.join(", ")}.`);
  }
  /** @param {import("./test/checks.mjs").Program} program */
  const run = ([program, ...args]) =>
    runInForeground(node, [join(projectFolder, program), ...args], {
      cwd: projectFolder,
      env,
    });

  if (jestArguments.length === 0) {
    // Side by side: each chain of programs uses one core.
    await Promise.all(
      [
        { what: "Type check", programs: typeChecks },
        { what: "Lint", programs: lints },
      ].map(async ({ what, programs }) => {
        let worst = 0;
        for (const program of programs) {
          worst = Math.max(worst, await run(program));
        }
        count(what, worst);
      }),
    );
  }

  const report = join(cloneStateFolder, "jest-result.json");
  rmSync(report, { force: true });
  const code = await run([
    "node_modules/jest/bin/jest.js",
    // jest writes a missing snapshot only on demand (-u).
    "--ci",
    "--json",
    `--outputFile=${report}`,
    ...jestArguments,
    ...(withoutEngine ? ["--ignoreProjects", "engine"] : []),
  ]);
  const jest = countTests(report);
  counts.passed += jest.passed;
  counts.failed += jest.failed;
  counts.skipped.push(...jest.skipped);
  if (jest.passed + jest.failed === 0) {
    counts.failed += 1;
    console.log("No test ran. That counts as a failure.");
  } else if (code !== 0 && jest.failed === 0) {
    counts.failed += 1;
    console.log(
      `jest ended with exit code ${code} although no test failed. That counts as a failure; its output above says why.`,
    );
  }
}

/**
 * @param {string} what
 * @param {number} code exit code.
 */
function count(what, code) {
  if (code === 0) {
    counts.passed += 1;
  } else {
    counts.failed += 1;
    failedChecks.push(what);
  }
  console.log(`${what}: ${code === 0 ? "passed" : "FAILED"}`);
}
