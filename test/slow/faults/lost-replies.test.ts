import { join } from "node:path";
import type { FaultAction, FaultPoint } from "../../../src/emulator/index.js";
import { type KillTarget, tellingCalls } from "../../stacks/kills/killed-deployment.js";
import { Scene } from "../../stacks/kills/scene.js";
import { stays, type Write, writes } from "../../stacks/kills/writes.js";

/** In how many ways each write ends. From as many as there are on, in all of them. */
const runs = Number(process.env.BROWSER_INFRA_TEST_RUNS ?? 1);

/** Several run at once, and each runs the command some eight times. Milliseconds. */
const testMsMax = 180_000;

/**
 * How a write ends: its answer is lost, or the deployment is killed after it, or it completes
 * but its state is not written.
 */
const ends: Readonly<Record<string, readonly [FaultPoint, FaultAction] | KillTarget | "no state">> = {
  "reset before the request is read": ["before-reading", "reset"],
  "reset after the commit": ["after-commit", "reset"],
  "answered 500 after the commit": ["after-commit", { answer: { status: 500 } }],
  "answered in part": ["while-answering", { truncateAfterBytes: 0 }],
  "answered before the engine is killed": "engine",
  "answered before every process is killed": "everything",
  "answered but not written to the state": "no state",
};

/** The program that is deployed next. */
const nexts = ["the same program", "the one before", "another one", "one without the resource"] as const;

/**
 * Without its answer or its process, a write is met by three programs; without its state, by all.
 */
const ways = Object.entries(ends).flatMap(([end, how]) =>
  nexts.slice(0, how === "no state" ? 4 : 3).map((next) => ({ end, next })),
);

/** Steps without a common divisor with the number of ways, so that all of them come up. */
const [stepOfWrites, stepOfRuns] = [7, 5];

const cells = Object.keys(writes).flatMap((write, index) =>
  Array.from({ length: Math.min(runs, ways.length) }, (_, run) => {
    const way = (index * stepOfWrites + run * stepOfRuns) % ways.length;
    return { write, ...(ways[way] as (typeof ways)[number]) };
  }),
);

/** A look for a lost answer takes seconds, but not in a test. */
const shell = {
  NODE_OPTIONS: `${tellingCalls.NODE_OPTIONS} --require ${join(__dirname, "../../model/short-waits.cjs")}`,
};

describe("a write, with the real engine", () => {
  test.concurrent.each(cells)(
    "leaves what the next deployment declares: $write, $end (then $next)",
    ({ write, ...way }) => Scene.play((scene) => playWrite(scene, writes[write] as Write, way), shell),
    testMsMax,
  );
});

async function playWrite(scene: Scene, write: Write, { end, next }: (typeof ways)[number]): Promise<void> {
  scene.declare(write.before);
  await scene.succeed("up", "--yes", "--skip-preview");
  scene.declare(write.after);
  const how = ends[end] as (typeof ends)[string];
  if (how === "no state") {
    const { exitCode, output } = await scene.stack.losingState("up", "--yes", "--skip-preview");
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
  } else if (typeof how === "string") {
    await scene.killAfterAnswer(write.method, how);
  } else {
    const [at, action] = how;
    const struck = scene.emulator.faults.add({ method: write.method, at, action });
    const { output } = await scene.stack.run("up", "--yes", "--skip-preview");
    expect(`${struck.hits} ${output}`).toMatch(/^1 /);
  }

  const following = {
    "the same program": write.after,
    "the one before": write.before,
    "another one": write.changed,
    "one without the resource": stays,
  };
  scene.declare(following[next]);
  await scene.converge({ obeys: how === "no state" });
  if (next === "the same program" && write.rotations !== undefined) {
    expect(scene.previousKeys("agents")).toHaveLength(write.rotations);
  }
  await scene.destroy();
}
