import type { FaultAction, FaultPoint } from "../../../src/emulator/index.js";
import type { DriverName } from "../model/drivers/driver.js";
import type { Sample } from "./samples.js";
import { main, type Program, type Stage } from "./stage.js";
import type { AddRow } from "./steps.js";
import { type Write, writesOf } from "./writes.js";

/** End of a write. */
interface End {
  readonly at?: FaultPoint;
  readonly action?: FaultAction;
  /** Outcome of the run. Default: the run continues. */
  readonly outcome?: "kill" | "kill after the response" | "cancel" | "lose the state";
  /**
   * Whether the run resolves the outcome, and succeeds. All these ends are one story: the client
   * reports the same error for each.
   */
  readonly isFound?: boolean;
}

/** Ends of a write, with the effects on the response, the run and the state. */
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
  "killed before the response": { at: "after-commit", action: "hang", outcome: "kill" },
  "killed between response and state": { outcome: "kill after the response" },
  "answered, the state not written": { outcome: "lose the state" },
};

/** Ends in which the bridges can differ: an error with outputs, a killed process. */
const endsOfBridges = ["canceled after the commit", "killed between response and state"];

type Next =
  | "the same program"
  | "the previous program"
  | "a different program"
  | "a program without the resource";

/** Programs that may follow a write. */
function nextsOf({ before, after, changed }: Write): ReadonlyMap<Next, Program> {
  const program = (inputs: Write["after"]): Program => (inputs === undefined ? {} : { [main]: inputs });
  const nexts = new Map<Next, Program>([
    ["the same program", program(after)],
    ["a different program", program(changed)],
  ]);
  if (before !== after) {
    nexts.set("the previous program", program(before));
  }
  if (before !== undefined && after !== undefined) {
    nexts.set("a program without the resource", {});
  }
  return nexts;
}

/**
 * Extent of the rows through bridges. 1: an eighth of the rows, with two ends per write. From 2, as in
 * `npm run test:all -- contract`: every row.
 */
export const runs = Number(process.env.BROWSER_INFRA_TEST_RUNS ?? 1);

/**
 * Tests every write of a kind with every end and every next program. Runs share only the state and
 * the service, as on a fresh checkout. Every cell converges with the next `up`, or a message names
 * the repair command, which the test runs.
 */
export function testInterruptions(stage: () => Stage, driver: DriverName, sample: Sample, row: AddRow): void {
  for (const [what, write] of Object.entries(writesOf(sample))) {
    for (const [how, end] of Object.entries(ends)) {
      if (driver !== "in process" && runs === 1 && !endsOfBridges.includes(how)) {
        continue;
      }
      for (const [next, program] of nextsOf(write)) {
        const play = async () => {
          stage().begin(sample);
          const failure = await strike(stage(), write, end);
          if (end.isFound === true && what === "the creation") {
            expect(stage().reported.join("\n")).toContain(sample.lostCreation ?? "");
          }
          await recover(stage(), { what, program, end, failure });
        };
        const story = end.isFound === true ? "carried out without a response" : how;
        // The next program is a part of the story's rows: kinds play different ones.
        row(`${what}: ${how}, then ${next}`, play, `${what}: ${story}`);
      }
    }
  }
  const { "the change": change } = writesOf(sample);
  const end = ends["canceled after the commit"];
  if (change?.after !== undefined && end !== undefined) {
    const program = { [main]: change.after };
    row("the change: canceled after the commit, then a refresh, then the same program", async () => {
      stage().begin(sample);
      const failure = await strike(stage(), change, end);
      expect(await stage().refresh()).toBeUndefined();
      await recover(stage(), { what: "the change", program, end, failure });
    });
  }
}

/** Deploys the previous program, then the program with the faulty write. Returns the failure. */
async function strike(stage: Stage, write: Write, end: End): Promise<string | undefined> {
  const { method, nth = 1, before, after, isForced = false } = write;
  const { at, action, outcome, isFound } = end;
  const { engine, emulator } = stage;
  await stage.succeed(before === undefined ? {} : { [main]: before });
  stage.reported = [];
  const which = { method, nth };
  const call = () => {
    if (outcome === "kill after the response") {
      engine.killAfterCall();
    } else if (outcome === "kill" || outcome === "cancel") {
      engine.end(outcome);
    }
  };
  // A refused write is not carried out, but the kind may send a further write with the same method.
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
    // An object deleted to make room may have been created again, with a second hit of the fault.
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

/** A write that has ended, and the next program. */
interface Struck {
  readonly what: string;
  readonly program: Program;
  readonly end: End;
  /** Failure of the deployment, if any. */
  readonly failure: string | undefined;
}

/**
 * Expects the next deployment to converge, or carries out the repair named by a message. Then the
 * service must match the program, and after a destroy the initial contents. After a kill, and after
 * a lost state, the engine itself names the URN: in the list of pending operations, or as an error.
 */
async function recover(
  stage: Stage,
  { what, program, end: { outcome }, failure: struck }: Struck,
): Promise<void> {
  const isNamedByEngine = outcome === "lose the state" || outcome?.startsWith("kill") === true;
  const isSaid = !isNamedByEngine && struck?.includes("--refresh") === true;
  if (isSaid) {
    // The state can record no deletion.
    expect({ what, struck }).toMatchObject({ what: expect.stringContaining("deletion") });
  }
  stage.declare(program);
  let failure = await stage.up();
  if (!isNamedByEngine && !isSaid) {
    expect(failure).toBeUndefined();
    await stage.expectDeclared();
    expect(await stage.destroy()).toBeUndefined();
    stage.expectNothing();
    return;
  }
  // Repairs: a refresh, the commands of messages, and the operations named by the engine.
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
    // A message contained the lost previous value, or the engine named the operation.
    expect(isNamedByEngine || stage.hasReported(id)).toBe(true);
    stage.repair(id);
  }
  stage.expectNothing();
}

/** Follows the advice in an error of a deployment, before the next deployment with a refresh. */
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

/** Repairs differences named by a deployment with a command, or by the engine as pending. */
function repairAll(stage: Stage, isNamedByEngine: boolean): void {
  for (const id of stage.differences()) {
    expect(isNamedByEngine || stage.hasReported(id)).toBe(true);
    stage.repair(id);
  }
}
