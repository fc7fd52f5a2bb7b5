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
  /** Outcome of the run. Default: the run continues. */
  readonly outcome?: "kill" | "kill after the answer" | "cancel" | "lose the state";
  /** Whether the run finds out what happened, and succeeds. */
  readonly isFound?: boolean;
}

/** The ends of a write: what becomes of its answer, of the run and of the state. */
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
  "answered, the state not written": { outcome: "lose the state" },
};

/** The ends in which the bridges can differ: an error with outputs, a process that is gone. */
const endsOfBridges = ["canceled after the commit", "killed between answer and state"];

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
 * How often a row runs through a bridge. With as many as `npm run test:all -- lost-replies` asks
 * for, every cell does.
 */
export const runs = Number(process.env.BROWSER_INFRA_TEST_RUNS ?? 1);

/**
 * Every write of a kind with every end, each followed by every next program, as tests. No run has a
 * memory but the state and the service, as on a fresh checkout. Each cell converges with the next
 * `up`, or a message names the command that repairs, which the test runs.
 */
export function testInterruptions(stage: () => Stage, driver: DriverName, sample: Sample, row: AddRow): void {
  for (const [what, write] of Object.entries(writesOf(sample))) {
    for (const [how, end] of Object.entries(ends)) {
      if (driver !== "in process" && runs === 1 && !endsOfBridges.includes(how)) {
        continue;
      }
      for (const [next, program] of nextsOf(write)) {
        row(`${what}: ${how}, then ${next}`, async () => {
          stage().begin(sample);
          const failure = await strike(stage(), write, end);
          await recover(stage(), program, end, failure);
        });
      }
    }
  }
}

/** Deploys the program before, and then the one whose write is struck. Returns why that failed. */
async function strike(stage: Stage, write: Write, end: End): Promise<string | undefined> {
  const { method, nth = 1, before, after, isForced = false } = write;
  const { at, action, outcome, isFound } = end;
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
  return failure;
}

/**
 * The next deployment converges, or a message names the repair, which is carried out. Then everything
 * is as declared, and after a destroy as before. Of a kill, and of a state that was not written, the
 * engine itself names the URN: in its list of pending operations, or as an error.
 */
async function recover(
  stage: Stage,
  program: Program,
  { outcome }: End,
  struck: string | undefined,
): Promise<void> {
  const isNamedByEngine = outcome === "lose the state" || outcome?.startsWith("kill") === true;
  const isSaid = !isNamedByEngine && struck?.includes("--refresh") === true;
  stage.declare(program);
  let failure = await stage.up();
  if (!isNamedByEngine && !isSaid) {
    expect(failure).toBeUndefined();
    await stage.expectDeclared();
    expect(await stage.destroy()).toBeUndefined();
    stage.expectNothing();
    return;
  }
  // A refresh, the commands of messages, and what the engine has named.
  for (let tried = 0; failure !== undefined || stage.differences().length > 0; tried += 1) {
    expect({ tried, failure }).not.toMatchObject({ tried: 4 });
    if (failure !== undefined) {
      obey(stage, failure);
    } else if (tried > 0) {
      repairAll(stage, isNamedByEngine);
    }
    failure = await stage.up({ refresh: true });
  }
  await stage.expectDeclared();
  expect(await stage.destroy()).toBeUndefined();
  stage.declare({});
  for (const id of stage.differences()) {
    // A previous value that was lost was in a message, or the engine has named the operation.
    expect(isNamedByEngine || stage.hasReported(id)).toBe(true);
    stage.repair(id);
  }
  stage.expectNothing();
}

/** Does what an error of a deployment says, before the next deployment with a refresh. */
function obey(stage: Stage, failure: string): void {
  const [, toDelete] = /"browser-infra [a-z-]+ delete (\S+?)(?: --project \S+)?"/.exec(failure) ?? [];
  const [, toImport] = /import .*by its id, (\S+?)[.,:]/.exec(failure) ?? [];
  const [, toAdopt] = /add adopt: "([^"]+)"/.exec(failure) ?? [];
  const holder = toDelete ?? toImport ?? toAdopt;
  if (holder === undefined) {
    expect(failure).toMatch(/"pulumi (?:up --)?refresh/);
  } else {
    expect(failure).toMatch(/is taken by|already exists/);
    stage.repair(holder);
  }
}

/** Repairs what a deployment has named with its command, or the engine as a pending operation. */
function repairAll(stage: Stage, isNamedByEngine: boolean): void {
  for (const id of stage.differences()) {
    expect(isNamedByEngine || stage.hasReported(id)).toBe(true);
    stage.repair(id);
  }
}
