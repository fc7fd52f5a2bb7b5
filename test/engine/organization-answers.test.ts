import { join } from "node:path";
import type { FaultAction, FaultPoint } from "../../src/emulator/index.js";
import { type KillTarget, tellingCalls } from "./kills/killed-deployment.js";
import { organizationWrites, type Write } from "./kills/organization-writes.js";
import { Scene } from "./kills/scene.js";

/**
 * In how many ways each write ends; by default only a few do. With as many as `npm run
 * test:lost-replies` asks for, every write ends in all of them.
 */
const runs = Number(process.env.BROWSER_INFRA_TEST_RUNS ?? 1);

/** Several run at once, and each runs the command some eight times. Milliseconds. */
const testMsMax = 180_000;

/** How a write ends: its answer is lost, or the deployment is killed after it. */
const ends: Readonly<Record<string, readonly [FaultPoint, FaultAction] | KillTarget>> = {
  "reset before the request is read": ["before-reading", "reset"],
  "reset after the commit": ["after-commit", "reset"],
  "answered 500 after the commit": ["after-commit", { answer: { status: 500 } }],
  "answered in part": ["while-answering", { truncateAfterBytes: 0 }],
  "answered before the engine is killed": "engine",
  "answered before every process is killed": "everything",
};

/** The program that is deployed next. */
const nexts = ["the same program", "the one before", "another one"] as const;

const ways = Object.keys(ends).flatMap((end) => nexts.map((next) => ({ end, next })));

/** A write, how it ends, and what is deployed next. */
interface Cell {
  readonly write: string;
  readonly end: string;
  readonly next: (typeof nexts)[number];
}

/** Each kind of resource, each end and each next program come up. */
const few: readonly Cell[] = [
  {
    write: "the creation of a project with a fixed name",
    end: "answered 500 after the commit",
    next: "the one before",
  },
  { write: "a project's new name", end: "answered before the engine is killed", next: "another one" },
  { write: "a project's first limits", end: "answered in part", next: "the one before" },
  {
    write: "a project's previous limits",
    end: "answered before every process is killed",
    next: "the same program",
  },
  { write: "an API key's creation", end: "reset before the request is read", next: "another one" },
  {
    write: "an API key's rotation",
    end: "answered before every process is killed",
    next: "the one before",
  },
  {
    write: "the creation of a browser pool with a fixed name",
    end: "reset after the commit",
    next: "the same program",
  },
  {
    write: "a browser pool's new settings",
    end: "answered before the engine is killed",
    next: "the one before",
  },
];

/** Steps without a common divisor with the number of ways, so that all of them come up. */
const [stepOfWrites, stepOfRuns] = [7, 5];

const cells: readonly Cell[] =
  runs === 1
    ? few
    : Object.keys(organizationWrites).flatMap((write, index) =>
        Array.from({ length: Math.min(runs, ways.length) }, (_, run) => {
          const way = (index * stepOfWrites + run * stepOfRuns) % ways.length;
          return { write, ...(ways[way] as (typeof ways)[number]) };
        }),
      );

/** A look for a lost answer takes seconds, but not in a test. */
const shell = {
  NODE_OPTIONS: `${tellingCalls.NODE_OPTIONS} --require ${join(__dirname, "../model/short-waits.cjs")}`,
};

describe("a write to the organization, with the real engine", () => {
  test.concurrent.each(cells)(
    "leaves what the next deployment declares: $write, $end (then $next)",
    (cell) => Scene.play((scene) => playWrite(scene, organizationWrites[cell.write] as Write, cell), shell),
    testMsMax,
  );
});

async function playWrite(scene: Scene, write: Write, { end, next }: Cell): Promise<void> {
  scene.declare(write.before);
  await scene.succeed("up", "--yes", "--skip-preview");
  scene.declare(write.after);
  const how = ends[end] as (typeof ends)[string];
  if (typeof how === "string") {
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
  };
  scene.declare(following[next]);
  await scene.converge();
  if (next === "the same program" && write.rotations !== undefined) {
    expect(scene.previousKeys("agents")).toHaveLength(write.rotations);
  }
  await scene.destroy();
}
