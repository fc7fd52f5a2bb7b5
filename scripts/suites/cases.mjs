import { formatDuration } from "../setup/process/progress.mjs";
import { CommandFailed } from "../setup/process/run-command.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";

/**
 * Result of a case. `what`: the line of the report that counts the case.
 *
 * @typedef {{ readonly what: string, readonly passed: boolean }} Result
 */

/**
 * Environment of a suite.
 *
 * @typedef {object} Place
 * @property {import("../setup.mjs").Tools} tools
 * @property {NodeJS.ProcessEnv} env of tests: without the settings of this shell.
 * @property {number | undefined} count
 * @property {number} seed
 * @property {readonly string[]} only names of cases; none: all of them.
 */

/**
 * Cases to run. Throws `SetUpError` if a case does not exist.
 *
 * @param {readonly string[]} all
 * @param {Place["only"]} only
 */
export function chosen(all, only) {
  const unknown = only.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    throw new SetUpError(`There is no ${unknown.join(", ")}. Use some of: ${all.join(", ")}.`);
  }
  return only.length > 0 ? only : all;
}

/**
 * Runs a case and prints the outcome.
 *
 * @param {string} what
 * @param {() => Promise<unknown>} run rejects with `CommandFailed` when the case fails.
 * @returns {Promise<Result>}
 */
export async function attempt(what, run) {
  const started = Date.now();
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CommandFailed)) {
      throw error;
    }
    console.log([`${what}: FAILED. ${error.message}`, ...error.lines].join("\n  "));
    return { what, passed: false };
  }
  console.log(`${what}: passed after ${formatDuration(Date.now() - started)}`);
  return { what, passed: true };
}

/**
 * Runs cases two at a time: a case mostly waits for processes that use one core.
 *
 * @template Case
 * @param {readonly Case[]} cases
 * @param {(one: Case) => Promise<Result>} run
 * @returns {Promise<readonly Result[]>}
 */
export async function inTwoLanes(cases, run) {
  /** @type {Result[]} */
  const results = [];
  const queue = cases.values();
  const lane = async () => {
    for (const one of queue) {
      results.push(await run(one));
    }
  };
  await Promise.all([lane(), lane()]);
  return results;
}
