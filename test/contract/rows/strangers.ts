import type { DriverName } from "../model/drivers/driver.js";
import type { Sample } from "./samples.js";
import { main, type Stage } from "./stage.js";
import type { AddRow } from "./steps.js";

/** Time, by the service's clock, at which an operator makes an object with the name of the program. */
const times = ["before the sending", "in the same second", "after the giving up"] as const;
type Time = (typeof times)[number];

/** Settings of the operator's object. */
const settings = ["exactly as declared", "as declared, and used", "with other settings"] as const;
type Settings = (typeof settings)[number];

/** Run that meets the operator's object. */
const nexts = [
  "the same run",
  "the same program",
  "a different program",
  "a program without the resource",
  "a destroy",
] as const;
type Next = (typeof nexts)[number];

/** Distance of a time that no precision of a clock can explain. */
const farMs = 5_000;

interface Cell {
  readonly time: Time;
  readonly settings: Settings;
  readonly next: Next;
}

/**
 * Tests that an operator's object stays as it is: a creation does not reach the service, and the operator makes an
 * object with the same name. The object counts as the result of the creation only by the documented evidence.
 * Otherwise, the run that needs the name asks with `name_taken`, and a run that only deletes warns.
 */
export function testStrangers(stage: () => Stage, _driver: DriverName, sample: Sample, row: AddRow): void {
  const { evidence, differing, use } = sample.strangers;
  for (const time of times) {
    for (const each of settings) {
      for (const next of nexts) {
        const isMade = each === "with other settings" ? differing !== undefined : each !== settings[1] || use;
        if (isMade && !(next === "the same run" && time === "after the giving up")) {
          const title = `an object of others ${each}, made ${time}, met by ${next}`;
          const run = next === "a destroy" ? next : "an up";
          const story = `${evidence}: an object of others ${each}, made ${time}, met by ${run}`;
          row(title, () => meet(stage(), sample, { time, settings: each, next }), story);
        }
      }
    }
  }
}

async function meet(stage: Stage, sample: Sample, cell: Cell): Promise<void> {
  const { first, third } = sample;
  const { time, next } = cell;
  const { emulator, engine } = stage;
  stage.begin(sample);
  await stage.succeed({});
  let ids: readonly string[] = [];
  const make = async () => {
    ids = await makeStranger(stage, sample, cell);
    if (isProved(sample, cell)) {
      stage.ownership.allow(...ids);
    }
  };
  const at = { method: sample.methods.create, at: "before-reading" } as const;
  const call = async () => {
    if (time !== "after the giving up") {
      await make();
    }
    emulator.faults.add({ ...at, action: next === "the same run" ? "reset" : "hang" });
    if (next !== "the same run") {
      engine.end("cancel");
    }
  };
  emulator.faults.add({ ...at, action: { call } });
  stage.declare({ [main]: first });
  let failure = await stage.up();
  emulator.faults.clear();
  if (time === "after the giving up") {
    emulator.clock.advance(farMs);
    await make();
    emulator.clock.advance(-farMs);
  }
  const asMade = ids.map((id) => sample.found(emulator)[id]);
  if (next !== "the same run") {
    expect(failure).toBeDefined();
    stage.reported = [];
    stage.declare(
      next === "the same program"
        ? { [main]: first }
        : next === "a different program"
          ? { [main]: third }
          : {},
    );
    failure = await (next === "a destroy" ? stage.destroy() : stage.up());
  }
  if (isProved(sample, cell)) {
    expect(failure).toBeUndefined();
  } else {
    expect(ids.map((id) => sample.found(emulator)[id])).toEqual(asMade);
    expectTold(stage, sample, cell, { ids, failure });
    await stage.others.remove();
  }
  await stage.succeed();
  await stage.expectDeclared();
  expect(await stage.destroy()).toBeUndefined();
  stage.expectNothing();
}

interface Told {
  readonly ids: readonly string[];
  /** Failure of the run that met the object. */
  readonly failure: string | undefined;
}

/** Expects a question or a warning with the id, the doubt and the commands, where the object is in the way. */
function expectTold(
  stage: Stage,
  { strangers, first, third }: Sample,
  { next }: Cell,
  { ids, failure }: Told,
): void {
  const { evidence } = strangers;
  const isNamed = evidence !== "borrowed" && evidence !== "one-time name";
  // A deployment has the name of its app.
  const [name, otherName] = [first, third].map((inputs) => inputs.name ?? inputs.appName);
  const isSameName = name !== undefined && name === otherName;
  if (!isNamed) {
    // Names of keys and proxies need not be unique. The creation itself may have failed.
    expect(next === "the same run" ? undefined : failure).toBeUndefined();
  } else if (
    next === "the same run" ||
    next === "the same program" ||
    (next === "a different program" && isSameName)
  ) {
    expect(failure).toMatch(/is taken by|already exists/);
    expect(failure).toMatch(/Nothing proves that an interrupted creation of this resource made/);
    expect(failure).toMatch(/ differs|created at|a login has been made/);
    expect(failure).toMatch(/"browser-infra import |"pulumi import |add adopt: /);
    expect(failure).toMatch(/"browser-infra [a-z-]+ delete /);
    expect(ids.filter((id) => failure?.includes(id))).toEqual(ids);
  } else {
    expect(failure).toBeUndefined();
    const warnings = stage.engine.said.filter(({ isWarning }) => isWarning).map(({ message }) => message);
    expect(warnings.join()).toMatch(/"browser-infra [a-z-]+ delete /);
    expect(ids.filter((id) => warnings.join().includes(id))).toEqual(ids);
  }
}

/** Makes the operator's object at the time of the cell. Returns the ids. */
async function makeStranger(stage: Stage, sample: Sample, cell: Cell): Promise<readonly string[]> {
  const { kind = sample.kind, same = sample.first, differing, use } = sample.strangers;
  const { emulator, others } = stage;
  const offsetMs = cell.time === "before the sending" ? -farMs : 0;
  emulator.clock.advance(offsetMs);
  const properties = cell.settings === "with other settings" ? differing : same;
  const id = await others.make({ type: kind, properties: properties ?? {} });
  const ids = id === undefined ? [] : [id];
  expect(ids).toHaveLength(1);
  emulator.clock.advance(-offsetMs);
  if (cell.settings === "as declared, and used") {
    use?.(emulator, ids[0] ?? "");
  }
  return ids;
}

/** Whether the documented evidence says that the operator's object is the result of the creation. */
function isProved({ strangers: { evidence } }: Sample, { time, settings: made }: Cell): boolean {
  switch (evidence) {
    case "identity":
    case "no login":
      return made === "exactly as declared";
    case "time":
      return made === "exactly as declared" && time === "in the same second";
    default:
      return false;
  }
}
