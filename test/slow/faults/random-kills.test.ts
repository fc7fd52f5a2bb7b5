import { appendFileSync } from "node:fs";
import {
  changed,
  firstProgram,
  momentOf,
  type PlannedKill,
  planKills,
  writesBetween,
} from "../../stacks/kills/random-plan.js";
import { type Program, Scene } from "../../stacks/kills/scene.js";

/** Number of kills in one run of the tests, and their seed; these settings change both. */
const kills = Number(process.env.BROWSER_INFRA_TEST_KILLS ?? 1);
const seed = Number(process.env.BROWSER_INFRA_TEST_SEED ?? 20_261_122);
/** A file for a line about each kill, as `npm run test:all -- kills` reads it. */
const reportFile = process.env.BROWSER_INFRA_TEST_REPORT;

/** Kills of one stack, one after the other. */
const killsPerStack = 10;
/** Some moments do not come, for instance the second write of a deployment that sends one. */
const plannedPerKill = 5;
/** Several stacks are used at once, and each kill takes some five commands. Milliseconds. */
const stackMsMax = killsPerStack * 120_000;

const stacks = Array.from({ length: Math.ceil(kills / killsPerStack) }, (_, index) => ({
  stackSeed: seed + index,
  count: Math.min(killsPerStack, kills - index * killsPerStack),
}));

let hasFailed = false;

describe("deployments that are killed at random, with the real engine", () => {
  test.concurrent.each(stacks)(
    "leave in the service what the program declares after one more deployment ($count kills, seed $stackSeed)",
    ({ stackSeed, count }) => Scene.play((scene) => killRepeatedly(scene, stackSeed, count)),
    stackMsMax,
  );
});

async function killRepeatedly(scene: Scene, stackSeed: number, count: number): Promise<void> {
  const log: string[] = [];
  try {
    let deployed: Program = {};
    let usualMs = 4_000;
    let left = count;
    for (const planned of planKills(stackSeed, count * plannedPerKill)) {
      // What comes after the first wrong end only costs time.
      if (left === 0 || hasFailed) {
        break;
      }
      const isFirst = log.length === 0;
      const program = isFirst ? firstProgram : changed(deployed, planned.changes);
      const writes = writesBetween(deployed, program);
      if (writes === 0) {
        continue;
      }
      scene.declare(program);
      const moment = momentOf(planned, writes, usualMs);
      log.push(`deploys ${JSON.stringify(program)}, kill of ${planned.target} at ${JSON.stringify(moment)}`);
      const startedMs = performance.now();
      const { isKilled, exitCode, output } = await scene.kill(planned.target, moment);
      if (!isKilled) {
        if (exitCode !== 0) {
          throw new Error(`A deployment that was not killed ended with ${exitCode}:\n${output}`);
        }
        log.push("  was not killed");
        usualMs = performance.now() - startedMs;
        deployed = program;
        continue;
      }
      const next = programAfter(planned, deployed, program);
      scene.declare(next);
      const { preview, refresh } = planned;
      log.push(`  was killed; deploys ${JSON.stringify({ preview, refresh, ...next })}`);
      await scene.converge({ preview, refresh });
      deployed = next;
      left -= 1;
      report(planned);
    }
    if (!hasFailed) {
      expect(left).toBe(0);
      log.push("destroys everything");
      await scene.destroy();
    }
  } catch (error) {
    hasFailed = true;
    (error as Error).message +=
      `\nWhat the stack did:\n${log.join("\n")}\n` +
      `To repeat it: npm run test:all -- kills --seed ${stackSeed} --count ${count}`;
    throw error;
  }
}

function programAfter({ next }: PlannedKill, before: Program, killed: Program): Program {
  if (next === "reverted") {
    // Before the first deployment there was nothing.
    return before.extensions === undefined ? killed : before;
  }
  return next === "same" ? killed : changed(killed, next);
}

function report({ target, moment, next }: PlannedKill): void {
  if (reportFile !== undefined) {
    const line = { target, at: moment.at, next: typeof next === "string" ? next : "changed" };
    appendFileSync(reportFile, `${JSON.stringify(line)}\n`);
  }
}
