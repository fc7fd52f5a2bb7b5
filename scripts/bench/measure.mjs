import { existsSync } from "node:fs";
import { runCommand } from "../setup/process/run-command.mjs";
import { projectFolder } from "../setup/project.mjs";

/**
 * What every part of the bench gets.
 *
 * @typedef {object} Bench
 * @property {string} node path of Node.
 * @property {string} pulumi path of the Pulumi CLI.
 * @property {NodeJS.ProcessEnv} env
 * @property {string} folder for everything the bench writes.
 * @property {boolean} isQuick
 * @property {(text: string) => void} say
 */

/**
 * The figures of one run, by name.
 *
 * @typedef {Readonly<Record<string, number>>} Figures
 */

/** How long a process may take before the bench gives up on it. */
const secondsMax = 300;

/**
 * Runs a command to its end.
 *
 * @param {string[]} command the program and its arguments.
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ ms: number, stdout: string }>} `ms`: from its start to its end. Rejects when
 *   it fails, with `CommandFailed`.
 */
export async function timed([program = "", ...args], { cwd = projectFolder, env = process.env } = {}) {
  const startedAt = performance.now();
  const stdout = await runCommand(program, args, { cwd, env, secondsMax });
  return { ms: performance.now() - startedAt, stdout };
}

/**
 * Runs every candidate once in each round, so that whatever else the machine does meets all of
 * them. The first round only warms the file cache up and is not counted.
 *
 * @template {string} Name
 * @param {number} rounds
 * @param {Readonly<Record<Name, () => Promise<Figures>>>} candidates each resolves to its figures:
 *   `{ ms }`, `{ ms, peakMb }`.
 * @returns {Promise<Record<Name, Figures[]>>} the figures of each candidate, one for each round.
 */
export async function interleaved(rounds, candidates) {
  const names = /** @type {Name[]} */ (Object.keys(candidates));
  const runs = /** @type {Record<Name, Figures[]>} */ ({});
  for (const name of names) {
    runs[name] = [];
  }
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      const figures = await candidates[name]();
      if (round >= 0) {
        runs[name].push(figures);
      }
    }
  }
  return runs;
}

/**
 * Median, least and greatest of one figure of the runs.
 *
 * @param {readonly Figures[]} runs
 * @param {string} figure
 */
export function spreadOf(runs, figure) {
  const values = runs.map((run) => figureOf(run, figure)).sort((a, b) => a - b);
  const middle = (values.length - 1) / 2;
  /** @param {number} index */
  const at = (index) => values[index] ?? Number.NaN;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    least: at(0),
    greatest: at(values.length - 1),
    runs: values.length,
  };
}

/**
 * @param {Figures | undefined} run
 * @param {string} figure
 */
function figureOf(run, figure) {
  return run?.[figure] ?? Number.NaN;
}

/**
 * The median of the ratios (or differences) of two candidates within each round: steadier than that
 * of their medians.
 *
 * @param {readonly Figures[]} runs
 * @param {readonly Figures[]} others
 * @param {string} figure
 * @param {(value: number, other: number) => number} compare
 */
export function paired(runs, others, figure, compare) {
  return spreadOf(
    runs.map((run, round) => ({ value: compare(figureOf(run, figure), figureOf(others[round], figure)) })),
    "value",
  );
}

/**
 * The command bound to the first `cores` cores, if the system can do that.
 *
 * @param {number} cores
 * @param {string[]} command
 */
export function onCores(cores, command) {
  const taskset = "/usr/bin/taskset";
  return existsSync(taskset)
    ? [taskset, "-c", Array.from({ length: cores }, (_, core) => core).join(","), ...command]
    : command;
}
