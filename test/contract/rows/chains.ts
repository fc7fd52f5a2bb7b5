import type { FaultPoint } from "../../../src/emulator/index.js";
import type { Properties } from "../../bridges/wire-messages.js";
import type { DriverName } from "../model/drivers/driver.js";
import { runs } from "./interruptions.js";
import type { Sample } from "./samples.js";
import { main, type Program, type Stage } from "./stage.js";
import type { AddRow } from "./steps.js";

/** Whether the interrupted write reaches the service. */
const arrivals = { arrives: "after-commit", "never arrives": "before-reading" } as const;
type Arrival = keyof typeof arrivals;

/** Request for a refresh in an error, without one in the deployment. */
const repair = '"pulumi up --refresh"';

const betweens = ["", ", a refresh", ", an export and import"] as const;

/** Deployment that is interrupted first. */
interface First {
  readonly before: Program;
  readonly after: Program;
  /** Number of the interrupted write of the deployment. */
  readonly nth: number;
}

interface Cell {
  readonly first: First;
  readonly firstArrival: Arrival;
  readonly between: (typeof betweens)[number];
  readonly second: Program;
  readonly secondArrival: Arrival;
  /** Whether every deployment looks first, as with `refresh: always` in Pulumi.yaml. */
  readonly looks: boolean;
}

const program = (inputs: Properties | undefined): Program => (inputs === undefined ? {} : { [main]: inputs });

/** Deployments of a kind, by description. */
function firstsOf({ first, changed, moved, rotated }: Sample): ReadonlyMap<string, First> {
  const after = (inputs: Properties | undefined, nth = 1): First => {
    return { before: program(first), after: program(inputs), nth };
  };
  return new Map<string, First>([
    ["creation", { before: {}, after: program(first), nth: 1 }],
    ["deletion", after(undefined)],
    ...(changed === undefined ? [] : [["change", after(changed)] as const]),
    ...(rotated === undefined ? [] : [["rotation", after(rotated)] as const]),
    ...(moved === undefined ? [] : [["replacement", after(moved)] as const]),
    ...(moved === undefined ? [] : [["second half of a replacement", after(moved, 2)] as const]),
  ]);
}

/**
 * Tests chains: two interrupted deployments in a row, of any programs, with a refresh or an export and import of
 * the state between. The next deployment ends right, or tells the repair itself. The bridges can only differ in
 * what they store of an interrupted write.
 */
export function testChains(stage: () => Stage, driver: DriverName, sample: Sample, row: AddRow): void {
  const { first: declared, third, changed, moved } = sample;
  for (const [what, first] of firstsOf(sample)) {
    const seconds = new Map<string, Program>([
      ["the same program", first.after],
      ["the former program", first.before],
      ["a changed program", program(changed ?? third)],
      ["a program that moves", program(moved ?? third)],
      ["a program without the resource", {}],
      ["the first program", program(declared)],
    ]);
    const distinct = [...seconds].filter(
      ([, each], index, all) => all.findIndex(([, other]) => isSame(each, other)) === index,
    );
    for (const [then, second] of distinct) {
      for (const looks of [true, false]) {
        for (const between of looks ? betweens.filter((each) => !each.includes("refresh")) : betweens) {
          for (const firstArrival of Object.keys(arrivals) as Arrival[]) {
            for (const secondArrival of Object.keys(arrivals) as Arrival[]) {
              const isLikeInProcess =
                !looks || firstArrival === "never arrives" || secondArrival === "never arrives";
              if (driver !== "in process" && runs < 3 && isLikeInProcess) {
                continue;
              }
              const always = looks ? "refresh always: " : "";
              const title = `${always}a ${what} that ${firstArrival}${between}, then ${then} that ${secondArrival}`;
              const cell = { first, firstArrival, between, second, secondArrival, looks };
              row(
                title,
                () => play(stage(), sample, cell),
                `${always}a ${what}, then a further interruption`,
              );
            }
          }
        }
      }
    }
  }
}

async function play(stage: Stage, sample: Sample, cell: Cell): Promise<void> {
  const { first, between, second, looks } = cell;
  stage.begin(sample);
  await stage.succeed(first.before);
  const failures = [await interrupt(stage, first.after, cell, cell.firstArrival, first.nth)];
  if (between.includes("refresh")) {
    expect(await stage.refresh()).toBeUndefined();
  } else if (between !== "") {
    stage.engine.exportAndImport();
  }
  failures.push(await interrupt(stage, second, cell, cell.secondArrival));
  stage.reported = [];
  let failure = await stage.up({ refresh: looks });
  if (!looks && failures.join().includes("--refresh")) {
    // The state can record no deletion, and the error of the deletion has requested the look.
    failure = await stage.up({ refresh: true });
  }
  for (const id of failure === undefined ? stage.differences() : []) {
    expect({ id, isTold: stage.hasReported(id), reported: stage.reported }).toMatchObject({ isTold: true });
    stage.repair(id);
  }
  expect(failure).toBeUndefined();
  await stage.expectDeclared();
  expect(await stage.destroy({ refresh: looks })).toBeUndefined();
  stage.expectNothing();
}

/** Deploys a program, with Ctrl-C during the nth write. A deployment with fewer writes succeeds. */
async function interrupt(stage: Stage, next: Program, { looks }: Cell, arrival: Arrival, nth = 1) {
  const { emulator, engine } = stage;
  const at: FaultPoint = arrivals[arrival];
  let writes = 0;
  for (const method of ["POST", "PATCH", "DELETE"]) {
    const call = () => {
      writes += 1;
      if (writes === nth) {
        emulator.faults.add({ method, at, action: "hang" });
        engine.end("cancel");
      }
    };
    emulator.faults.add({ method, at, times: Number.POSITIVE_INFINITY, action: { call } });
  }
  stage.declare(next);
  const failure = await stage.up({ refresh: looks });
  emulator.faults.clear();
  if (writes < nth && failure !== undefined) {
    // The error of an earlier deletion has asked for the same.
    expect({ looks, failure }).toMatchObject({ looks: false, failure: expect.stringContaining(repair) });
  }
  return failure;
}

function isSame(one: Program, other: Program): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
