/**
 * `npm test`: sets up, then type check, lint and every test. `npm test -- <jest arguments>` runs a choice of the tests and neither of the
 * other two. The last line of output is `N passed, N failed`; the exit code is 0 only when nothing failed and a test ran.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import jestConfig from "../jest.config.js";
import { cloneStateFolder, projectFolder } from "./setup/project.mjs";
import { CommandFailed, runCommand, runInForeground } from "./setup/run-command.mjs";
import { printError, runMain } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";
import { biomeColors } from "./test/biome-colors.mjs";
import { isolateTests } from "./test/isolation.mjs";
import { countTests, summaryLine } from "./test/report.mjs";

const jestArguments = process.argv.slice(2);
const withoutEngine = process.env.BROWSER_INFRA_TEST_WITHOUT_ENGINE === "1";
const counts = { passed: 0, failed: 0, skipped: [] };

await runMain(async () => {
  try {
    await runTests();
  } catch (error) {
    counts.failed += 1;
    printError(error);
  }
  // With arguments, the choice is the user's own, and a list of what was not chosen would only push the results away.
  if (counts.skipped.length > 0 && jestArguments.length === 0) {
    const why = withoutEngine
      ? "; those that need the Pulumi engine because BROWSER_INFRA_TEST_WITHOUT_ENGINE=1"
      : "";
    console.log(
      `\nSKIPPED ${counts.skipped.length === 1 ? "1 test" : `${counts.skipped.length} tests`}${why}:`,
    );
    for (const name of counts.skipped) {
      console.log(`  ${name}`);
    }
  }
  console.log(summaryLine(counts));
  return counts.failed > 0 ? 1 : 0;
});

async function runTests() {
  const { node, env: found, pulumi, toolsDir } = await setUp({ needs: { engine: !withoutEngine } });
  const { env, removed } = isolateTests(found, { pulumi, toolsDir });
  if (removed.length > 0) {
    console.log(`Not passed on to the tests, which must not reach a real service: ${removed.join(", ")}.`);
  }
  const run = (program, ...args) =>
    runInForeground(node, [join(projectFolder, "node_modules", program), ...args], {
      cwd: projectFolder,
      env,
    });

  if (jestArguments.length === 0) {
    count("Type check", await run("typescript/bin/tsc", "--noEmit", "-p", "."));
    count("Lint", await run("@biomejs/biome/bin/biome", "ci", biomeColors, "."));
  }

  const engineProject = jestConfig.projects.find(({ displayName }) => displayName === "engine");
  const report = join(cloneStateFolder, "jest-result.json");
  rmSync(report, { force: true });
  const code = await run(
    "jest/bin/jest.js",
    // A snapshot is written on purpose (-u), never because it was missing.
    "--ci",
    "--json",
    `--outputFile=${report}`,
    ...jestArguments,
    ...(withoutEngine && engineProject ? ["--ignoreProjects", "engine"] : []),
  );
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
  if (withoutEngine && engineProject && jestArguments.length === 0) {
    counts.skipped.push(...(await listEngineTests(engineProject, node, env)));
  }
}

function count(what, code) {
  if (code === 0) {
    counts.passed += 1;
  } else {
    counts.failed += 1;
  }
  console.log(`${what}: ${code === 0 ? "passed" : "FAILED"}`);
}

/**
 * Names of the tests that are not run. jest itself reads them: a pattern that matches no name makes it load every file and run nothing.
 * The project's global set-up and tear-down are left out: they prepare for tests that do run.
 */
async function listEngineTests({ globalSetup, globalTeardown, ...project }, node, env) {
  const report = join(cloneStateFolder, "jest-skipped.json");
  rmSync(report, { force: true });
  try {
    const jest = join(projectFolder, "node_modules", "jest", "bin", "jest.js");
    const config = JSON.stringify({ ...project, rootDir: projectFolder });
    await runCommand(
      node,
      [jest, `--config=${config}`, "--json", `--outputFile=${report}`, "--testNamePattern=(?!)"],
      { cwd: projectFolder, env, secondsMax: 120 },
    );
  } catch (error) {
    if (!(error instanceof CommandFailed)) {
      throw error;
    }
    counts.failed += 1;
    console.log(["The engine tests, although not run, cannot be loaded:", ...error.lines].join("\n"));
  }
  return countTests(report).skipped;
}
