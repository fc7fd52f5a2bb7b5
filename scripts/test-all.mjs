/**
 * `npm run test:all`: suites that take too long for `npm test`; `-- <suite> …` runs only some.
 *
 *   --count N   repetitions of contract and walks
 *   --seed N    of walks; default: from the clock
 *   --only A,B  cases of examples, init and programs
 *
 * Ends with a table of the results, also in `.tools/test-all.md`, and `N passed, N
 * failed`. The exit code is 0 only if nothing failed and every suite ran something.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CommandFailed } from "./setup/process/run-command.mjs";
import { cloneStateFolder } from "./setup/project.mjs";
import { messageOf, runMain, SetUpError } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";
import { suites } from "./suites/suites.mjs";
import { isolateTests } from "./test/isolation.mjs";

/** @typedef {import("./suites/cases.mjs").Result} Result */

const report = join(cloneStateFolder, "test-all.md");

await runMain(async () => {
  const { names, ...options } = readArguments();
  const hosts = [...new Set(names.flatMap((name) => suites[name]?.hosts ?? []))];
  const tools = await setUp({ needs: { hosts } });
  const { env } = isolateTests(tools.env, tools);
  const title = `${new Date().toISOString().slice(0, 10)}: seed ${options.seed}, Pulumi ${tools.pulumiVersion}, Node ${tools.nodeVersion}`;
  const lines = ["| suite | what | passed | seconds |", "| --- | --- | --- | --- |"];
  let passed = 0;
  let failed = 0;
  for (const name of names) {
    console.log(`\n${name}`);
    const started = Date.now();
    const results = await resultsOf(name, { tools, env, ...options });
    const seconds = Math.round((Date.now() - started) / 1000);
    const good = results.filter((result) => result.passed).length;
    passed += good;
    failed += results.length - good;
    lines.push(`| ${name} | all | ${good} of ${results.length} | ${seconds} |`);
    for (const what of new Set(results.map((result) => result.what))) {
      const ofThese = results.filter((result) => result.what === what);
      const count = ofThese.filter((result) => result.passed).length;
      lines.push(`| | ${what} | ${count} of ${ofThese.length} | |`);
    }
    writeFileSync(report, `${title}\n\n${lines.join("\n")}\n`);
  }
  console.log(`\n${title}\n\n${lines.join("\n")}\n\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

/**
 * Results of a suite. A suite that cannot run, or runs nothing, has failed.
 *
 * @param {string} name
 * @param {import("./suites/cases.mjs").Place} place
 * @returns {Promise<readonly Result[]>}
 */
async function resultsOf(name, place) {
  try {
    const results = (await suites[name]?.run(place)) ?? [];
    return results.length > 0 ? results : [{ what: "nothing ran", passed: false }];
  } catch (error) {
    if (!(error instanceof CommandFailed || error instanceof SetUpError)) {
      throw error;
    }
    const lines = error instanceof CommandFailed ? error.lines : [];
    console.log([error.message, ...lines].join("\n  "));
    return [{ what: "could not run", passed: false }];
  }
}

/** The suites, with the options of the command line. */
function readArguments() {
  let read;
  try {
    const options = /** @type {const} */ ({
      count: { type: "string" },
      seed: { type: "string" },
      only: { type: "string" },
    });
    read = parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new SetUpError(`${messageOf(error)} Known: --count N, --seed N, --only A,B.`);
  }
  const { values, positionals } = read;
  const unknown = positionals.filter((name) => !Object.hasOwn(suites, name));
  if (unknown.length > 0) {
    const known = Object.keys(suites).join(", ");
    throw new SetUpError(`There is no suite ${unknown.join(", ")}. There are: ${known}.`);
  }
  const count = values.count === undefined ? undefined : Number(values.count);
  const seed = Number(values.seed ?? Math.floor(Date.now() / 1000));
  if ((count !== undefined && !(Number.isInteger(count) && count >= 1)) || !Number.isInteger(seed)) {
    throw new SetUpError("--count must be a whole number of at least 1, and --seed a whole number.");
  }
  const names = positionals.length > 0 ? positionals : Object.keys(suites);
  return { names, count, seed, only: values.only?.split(",") ?? [] };
}
