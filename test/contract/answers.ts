import type { FaultAction, FaultPoint } from "../../src/emulator/index.js";
import type { DriverName } from "../model/drivers/driver.js";
import type { Sample } from "./samples.js";
import { main, type Program, type Stage } from "./stage.js";
import type { AddRow } from "./steps.js";
import { type Write, writesOf } from "./writes.js";

/** How a write ends. */
interface End {
  readonly at?: FaultPoint;
  readonly action?: FaultAction;
  /** What the run does then: by default it continues. */
  readonly outcome?: "kill" | "kill after the answer" | "cancel" | "lose the state";
  /** The run finds out what happened, and succeeds. */
  readonly isFound?: boolean;
  /** What was created and no state knows may stay, if a run reports it. */
  readonly mayReport?: boolean;
}

/** The end in which bridges differ most. */
const unwritten = "answered, the state not written";

/** In how many ways the answer to a write is lost, or what it says. */
const ends: Readonly<Record<string, End>> = {
  "refused by the service": {
    at: "before-commit",
    action: { answer: { status: 400, body: { code: "refused", message: "refused by a fault" } } },
  },
  "lost before the request is read": { at: "before-reading", action: "reset" },
  "lost after the commit": { at: "after-commit", action: "reset", isFound: true },
  "answered 500 after the commit": {
    at: "after-commit",
    action: { answer: { status: 500 } },
    isFound: true,
  },
  "answered in part": { at: "while-answering", action: { truncateAfterBytes: 0 }, isFound: true },
  "canceled before the request is read": { at: "before-reading", action: "hang", outcome: "cancel" },
  "canceled after the commit": { at: "after-commit", action: "hang", outcome: "cancel" },
  "killed before the answer": { at: "after-commit", action: "hang", outcome: "kill" },
  "killed between answer and state": { outcome: "kill after the answer" },
  [unwritten]: { outcome: "lose the state", mayReport: true },
};

/** The ends in which the bridges can differ. */
const endsOfBridges = ["killed between answer and state", unwritten];

type Next = "the same program" | "the one before" | "another one" | "one without the resource";

/** The programs that may follow a write. */
function nextsOf({ before, after, changed }: Write): ReadonlyMap<Next, Program> {
  const program = (inputs: Write["after"]): Program => (inputs === undefined ? {} : { [main]: inputs });
  const nexts = new Map<Next, Program>([
    ["the same program", program(after)],
    ["another one", program(changed)],
  ]);
  if (before !== after) {
    nexts.set("the one before", program(before));
  }
  if (before !== undefined && after !== undefined) {
    nexts.set("one without the resource", {});
  }
  return nexts;
}

/**
 * In how many of all ways each write ends through a bridge. With as many as `npm run
 * test:all -- lost-replies` asks for, in all of them.
 */
export const runs = Number(process.env.BROWSER_INFRA_TEST_RUNS ?? 1);

/**
 * Every write of a kind with every end, each followed by every next program, as tests. Through a
 * bridge, each write meets the ends in which bridges can differ, and of the programs a few.
 */
export function testAnswers(stage: () => Stage, driver: DriverName, sample: Sample, row: AddRow): void {
  Object.entries(writesOf(sample)).forEach(([what, write], index) => {
    const ways = Object.keys(ends).flatMap((end) =>
      [...nextsOf(write)].map(([next, program]) => ({ end, next, program })),
    );
    const cells =
      driver === "in process"
        ? ways
        : runs === 1
          ? // Half of them, others for each write.
            ways.filter(({ end }, way) => end === unwritten && (way + index) % 2 === 0)
          : some(
              ways.filter(({ end }) => endsOfBridges.includes(end)),
              index,
            );
    for (const { end, next, program } of cells) {
      row(`${what}: ${end}, then ${next}`, async () => {
        stage().begin(sample);
        await strike(stage(), write, ends[end] as End);
        await recover(stage(), program, ends[end] as End);
        if (driver === "in process") {
          await stage().expectNoNotes();
        }
      });
    }
  });
}

/** A few of all ways, others for each write. */
function some<Way>(ways: readonly Way[], index: number): Way[] {
  const step = Math.max(1, ways.length / runs);
  return Array.from({ length: Math.min(runs, ways.length) }, (_, run) => {
    return ways[Math.floor(index + run * step) % ways.length] as Way;
  });
}

/** Deploys the program before, and then the one whose write is struck. */
async function strike(stage: Stage, write: Write, { at, action, outcome, isFound }: End): Promise<void> {
  const { method, nth = 1, before, after, isForced = false } = write;
  const { engine, emulator } = stage;
  await stage.succeed(before === undefined ? {} : { [main]: before });
  stage.reported = [];
  const which = { method, nth };
  const call = () => {
    if (outcome === "kill after the answer") {
      engine.killAfterCall();
    } else if (outcome === "kill" || outcome === "cancel") {
      engine.end(outcome);
    }
  };
  // A refused write is not carried out, but the kind may send another with the same method.
  const reached =
    at === "before-commit" ||
    emulator.faults.add({ ...which, at: at === "before-reading" ? at : "after-commit", action: { call } });
  if (at !== undefined && action !== undefined) {
    emulator.faults.add({ ...which, at, action });
  }
  stage.declare(after === undefined ? {} : { [main]: after });
  const failure = await stage.up({
    losesState: outcome === "lose the state",
    ...(isForced ? { replace: main } : {}),
  });
  if (reached === true) {
    // What made room for it may have been created again, so the fault may strike that as well.
    expect(failure).toMatch(/refused by a fault/);
  } else {
    expect({ hits: reached.hits, failure }).toMatchObject({
      hits: 1,
      ...(isFound === true ? { failure: undefined } : {}),
    });
  }
  emulator.faults.clear();
}

/**
 * The next preview refuses nothing. After the next deployment, everything is as declared, and after
 * a destroy it is as before.
 */
async function recover(stage: Stage, program: Program, { mayReport = false }: End): Promise<void> {
  stage.declare(program);
  expect((await stage.engine.previewed()).failures).toEqual([]);
  const failure = await stage.up();
  if (failure !== undefined) {
    // What is gone may have had contents, so it is not created again unasked.
    expect(failure).toMatch(/is gone.*"pulumi (?:up --)?refresh/);
    expect(await stage.up({ refresh: true })).toBeUndefined();
  }
  await stage.expectDeclared({ mayReport });
  expect(await stage.destroy()).toBeUndefined();
  stage.expectNothing({ mayReport });
}
