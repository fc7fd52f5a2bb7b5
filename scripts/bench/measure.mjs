import { existsSync } from "node:fs";
import { runCommand } from "../setup/process/run-command.mjs";
import { projectFolder } from "../setup/project.mjs";

/**
 * Environment of every part of the bench.
 *
 * @typedef {object} Bench
 * @property {string} node path of Node.
 * @property {string} pulumi path of the Pulumi CLI.
 * @property {NodeJS.ProcessEnv} env
 * @property {string} folder for all output of the bench.
 * @property {boolean} isQuick
 * @property {(text: string) => void} say
 */

/**
 * Figures of a run, by name.
 *
 * @typedef {Readonly<Record<string, number>>} Figures
 */

/** Longest duration of a process. */
const secondsMax = 300;

/**
 * Runs a command to the end.
 *
 * @param {string[]} command the program and its arguments.
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ ms: number, stdout: string }>} `ms`: from start to end. Rejects on
 *   failure, with `CommandFailed`.
 */
export async function timed([program = "", ...args], { cwd = projectFolder, env = process.env } = {}) {
  const startedAt = performance.now();
  const stdout = await runCommand(program, args, { cwd, env, secondsMax });
  return { ms: performance.now() - startedAt, stdout };
}

/**
 * Runs every candidate once in each round, so that other load on the machine affects all
 * candidates. The first round only warms the file cache up and is not counted.
 *
 * @template {string} Name
 * @param {number} rounds
 * @param {Readonly<Record<Name, () => Promise<Figures>>>} candidates
 * @returns {Promise<Record<Name, Figures[]>>} the figures of each candidate, one for each round.
 */
export async function interleaved(rounds, candidates) {
  const names = /** @type {Name[]} */ (Object.keys(candidates));
  const runs = /** @type {Record<Name, Figures[]>} */ ({});
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      const figures = await candidates[name]();
      runs[name] = round < 0 ? [] : [...runs[name], figures];
    }
  }
  return runs;
}

/**
 * Median, minimum and maximum of a figure in the runs.
 *
 * @param {readonly Figures[]} runs
 * @param {string} figure
 */
export function spreadOf(runs, figure) {
  const values = runs.map((run) => run[figure] ?? Number.NaN).sort((a, b) => a - b);
  const middle = (values.length - 1) / 2;
  const at = (/** @type {number} */ index) => values[index] ?? Number.NaN;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    least: at(0),
    greatest: at(values.length - 1),
    runs: values.length,
  };
}

/**
 * Median of the ratios (or differences) of two candidates within each round: steadier than the
 * ratio of the medians.
 *
 * @param {readonly Figures[]} runs
 * @param {readonly Figures[]} others
 * @param {string} figure
 * @param {(value: number, other: number) => number} compare
 */
export function paired(runs, others, figure, compare) {
  const of = (/** @type {Figures | undefined} */ run) => run?.[figure] ?? Number.NaN;
  const compared = runs.map((run, round) => ({ value: compare(of(run), of(others[round])) }));
  return spreadOf(compared, "value").median;
}

/**
 * Binds the command to one core, if the system supports binding.
 *
 * @param {string[]} command
 */
export function onOneCore(command) {
  const taskset = "/usr/bin/taskset";
  return existsSync(taskset) ? [taskset, "-c", "0", ...command] : command;
}
