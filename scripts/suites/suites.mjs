import { rmSync } from "node:fs";
import { join } from "node:path";
import jestConfig from "../../jest.config.js";
import { ownPlatform } from "../plugin/nodes.mjs";
import { installSdks } from "../sdks/install.mjs";
import { installJava } from "../sdks/java.mjs";
import { CommandFailed, runInForeground } from "../setup/process/run-command.mjs";
import { cloneStateFolder, projectFolder } from "../setup/project.mjs";
import { readTests } from "../test/report.mjs";
import { testExamples } from "./examples.mjs";
import { testInit } from "./init.mjs";
import { testPrograms } from "./programs/suite.mjs";

/** @typedef {import("./cases.mjs").Place} Place */
/** @typedef {import("./cases.mjs").Result} Result */

/**
 * `hosts`: languages of the suite's programs, besides JavaScript.
 *
 * @typedef {object} Suite
 * @property {readonly import("../setup.mjs").Language[]} hosts
 * @property {(place: Place) => Promise<readonly Result[]>} run rejects with `CommandFailed` or
 *   `SetUpError` if no case can be tried.
 */

/** The suites of `npm run test:all`. @type {Readonly<Record<string, Suite>>} */
export const suites = {
  walks: {
    hosts: ["yaml"],
    run: (place) =>
      runJest("(model|slow)/.*walk(.slow)?.test.ts", place, {
        settings: { SEQUENCES: place.count ?? 200, SEED: place.seed },
      }),
  },
  contract: {
    hosts: [],
    run: (place) =>
      runJest("contract/[^/]+.test.ts", place, {
        // Number of ways to end each write, out of the ways in which bridges can differ.
        settings: { RUNS: place.count ?? 2 },
        // "<kind> keeps the contract…".
        whatOf: (name) => /^\w+/.exec(name)?.[0] ?? name,
      }),
  },
  interruptions: {
    hosts: ["yaml"],
    run: (place) =>
      runJest("slow/faults/(plugin|dynamic)-interruptions.test.ts", place, {
        // Every next program.
        settings: { RUNS: 1 },
        // "…: <operation>, <end>, then <the next program>".
        whatOf: (name) => /(\w+, [^,]+), then/.exec(name)?.[1] ?? name,
      }),
  },
  languages: {
    hosts: ["yaml", "python", "go", "converter"],
    async run(place) {
      const settings = { SDKS: await installSdks(place.tools) };
      return runJest("slow/examples/.*languages.test.ts", place, { settings });
    },
  },
  java: {
    hosts: [],
    async run(place) {
      const settings = { JAVA: await installJava(place.tools) };
      return runJest("slow/examples/schema-languages.test.ts", place, { settings });
    },
  },
  slow: {
    hosts: ["yaml"],
    // And the files of which `npm test` runs a sample.
    run: (place) =>
      runJest("(slow/(?!.*(walk|languages).test.ts)|.*[.]slow[.]|contract/[^/]+.test)", place, {
        settings: { WHOLE: 1 },
      }),
  },
  package: { hosts: ["yaml"], run: testPackage },
  programs: { hosts: [], run: testPrograms },
  init: { hosts: ["yaml", "python", "go"], run: testInit },
  examples: { hosts: ["yaml", "python", "go"], run: testExamples },
};

/**
 * Makes the executable for this machine, and sends the engine's requests. Installs the emulator's own
 * package, which needs npm's registry.
 *
 * @param {Place} place
 */
async function testPackage(place) {
  const make = ["scripts/plugin/package.mjs", "--platform", ownPlatform];
  const options = { cwd: projectFolder, env: place.tools.env };
  if ((await runInForeground(place.tools.node, make, options)) !== 0) {
    throw new CommandFailed("The executable could not be made");
  }
  return runJest("repository/release/", place, { settings: { RELEASE: join(projectFolder, "release") } });
}

/**
 * Runs test files of the engine's project.
 *
 * @param {string} tests pattern of paths below test.
 * @param {Place} place
 * @param {object} options
 * @param {Readonly<Record<string, string | number>>} options.settings by the part after
 *   `BROWSER_INFRA_TEST_` in the name.
 * @param {(name: string) => string} [options.whatOf] report line of a test, by full name.
 *   Default: a single line.
 * @returns {Promise<readonly Result[]>}
 */
async function runJest(tests, { tools, env }, { settings, whatOf = () => "tests" }) {
  const report = join(cloneStateFolder, "test-all.json");
  rmSync(report, { force: true });
  // Separate configuration: test/repository/release is in no project.
  const { projects, ...general } = jestConfig;
  const engine = projects.find(({ displayName }) => displayName === "engine");
  const config = { ...general, ...engine, testMatch: ["<rootDir>/test/**/*.test.ts"] };
  const program = join(projectFolder, "node_modules/jest/bin/jest.js");
  const args = ["--ci", "--json", `--outputFile=${report}`, `--testPathPatterns=test/${tests}`];
  const code = await runInForeground(
    tools.node,
    [program, `--config=${JSON.stringify({ ...config, rootDir: projectFolder })}`, ...args],
    {
      cwd: projectFolder,
      env: {
        ...env,
        ...Object.fromEntries(
          Object.entries(settings).map(([name, value]) => [`BROWSER_INFRA_TEST_${name}`, String(value)]),
        ),
      },
    },
  );
  const results = readTests(report)
    .filter(({ status }) => status === "passed" || status === "failed")
    .map(({ fullName, status }) => ({ what: whatOf(fullName), passed: status === "passed" }));
  const isExplained = code === 0 || results.some(({ passed }) => !passed);
  return isExplained ? results : [...results, { what: "jest itself", passed: false }];
}
