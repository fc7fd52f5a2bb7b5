import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

/** What a process may take before the bench gives up on it. */
const secondsMax = 300;

/**
 * Runs a command to its end.
 *
 * @param {string[]} command the program and its arguments.
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ ms: number, stdout: string }>} `ms`: from its start to its end. Rejects when
 *   it fails, with what it printed.
 */
export function timed([program, ...args], { cwd, env } = {}) {
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: secondsMax * 1000,
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (text) => {
      output[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) {
        resolve({ ms: performance.now() - startedAt, stdout: output.stdout });
      } else {
        const words = (output.stderr + output.stdout).trim().slice(-2000);
        reject(new Error(`"${program} ${args.join(" ")}" ended with ${signal ?? code}: ${words}`));
      }
    });
  });
}

/**
 * Runs every candidate once in each round, so that whatever else the machine does meets all of
 * them. The first round only warms the file cache up and is not counted.
 *
 * @param {number} rounds
 * @param {Record<string, () => Promise<object>>} candidates each resolves to its figures: `{ ms }`,
 *   `{ ms, peakMb }`.
 * @returns {Promise<Record<string, object[]>>} the figures of each candidate, one for each round.
 */
export async function interleaved(rounds, candidates) {
  const runs = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(candidates)) {
      const figures = await run();
      if (round >= 0) {
        runs[name].push(figures);
      }
    }
  }
  return runs;
}

/** Median, least and greatest of one figure of the runs. */
export function spreadOf(runs, figure) {
  const values = runs.map((run) => run[figure]).sort((a, b) => a - b);
  const middle = (values.length - 1) / 2;
  return {
    median: (values[Math.floor(middle)] + values[Math.ceil(middle)]) / 2,
    least: values[0],
    greatest: values.at(-1),
    runs: values.length,
  };
}

/**
 * The median of the ratios (or differences) of two candidates within each round: steadier than that
 * of their medians.
 */
export function paired(runs, others, figure, compare) {
  return spreadOf(
    runs.map((run, round) => ({ value: compare(run[figure], others[round][figure]) })),
    "value",
  );
}

/** The command bound to the first `cores` cores, where the system can do that. */
export function onCores(cores, command) {
  const taskset = "/usr/bin/taskset";
  return existsSync(taskset)
    ? [taskset, "-c", Array.from({ length: cores }, (_, core) => core).join(","), ...command]
    : command;
}
