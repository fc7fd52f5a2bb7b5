import type { DriverName } from "../model/drivers/driver.js";
import type { Sample } from "./samples.js";
import { main, type Program, type Stage } from "./stage.js";
import type { AddRow } from "./steps.js";
import { type Write, writesOf } from "./writes.js";

/** Whether the write without a response reaches the service. */
const arrivals = { "that arrived": "after-commit", "that never arrived": "before-reading" } as const;
type Arrival = keyof typeof arrivals;

/**
 * Tests the hook `onError` of Pulumi: the engine calls create, update or delete again in the same run, after a
 * write without a response. The second call finishes the first, and makes no second object. If the second call
 * cannot look either, the run fails with the first error, and the next run ends right.
 */
export function testRetries(stage: () => Stage, _driver: DriverName, sample: Sample, row: AddRow): void {
  for (const [what, write] of Object.entries(writesOf(sample))) {
    for (const arrival of Object.keys(arrivals) as Arrival[]) {
      const again = `${what} ${arrival}, tried again by a hook`;
      const story = `${what}, tried again by a hook`;
      const playAgain = async () => {
        stage().begin(sample);
        expect((await retry(stage(), write, arrival, true)).failure).toBeUndefined();
        expect(stage().differences()).toEqual([]);
        // The state keeps the request that never arrived, until the next deployment has looked once more.
        await stage().succeed();
        await stage().expectDeclared();
        expect(await stage().destroy()).toBeUndefined();
        stage().expectNothing();
      };
      const playUnreachable = async () => {
        stage().begin(sample);
        const { failure, creations } = await retry(stage(), write, arrival, false);
        expect({ failure, creations }).toMatchObject({ failure: expect.any(String), creations: 0 });
        expect(await stage().up({ refresh: failure?.includes("--refresh") === true })).toBeUndefined();
        await stage().expectDeclared();
        expect(await stage().destroy()).toBeUndefined();
        stage().expectNothing();
      };
      row(again, playAgain, story);
      row(
        `${again} while the service is unreachable`,
        playUnreachable,
        `${story} while the service is unreachable`,
      );
    }
  }
}

/**
 * Deploys with a hook that tries again once. From the write on, the service answers nothing until the second try,
 * or until the end of the run. Returns the failure and the number of creations sent from then on.
 */
async function retry(stage: Stage, write: Write, arrival: Arrival, isBackAgain: boolean) {
  const { method, nth = 1, before, after, isForced = false } = write;
  const { emulator } = stage;
  const program = (inputs: Write["after"]): Program => (inputs === undefined ? {} : { [main]: inputs });
  await stage.succeed(program(before));
  const at = arrivals[arrival];
  let isStruck = false;
  let creations = 0;
  const call = () => {
    isStruck = true;
    const count = ({ method: each }: { readonly method: string }) => {
      creations += Number(each === "POST");
    };
    emulator.faults.add({ ...always, at: "before-reading", action: { call: count } });
    emulator.faults.add({ ...always, at: "before-reading", action: "reset" });
  };
  emulator.faults.add({ method, nth, at, action: { call } });
  emulator.faults.add({ method, nth, at, action: "reset" });
  stage.declare(program(after));
  let tries = 0;
  const onError = () => {
    tries += 1;
    if (tries === 1 && isBackAgain) {
      emulator.faults.clear();
    }
    return tries === 1;
  };
  const failure = await stage.up({ onError, ...(isForced ? { replace: main } : {}) });
  emulator.faults.clear();
  expect({ isStruck, isTriedAgain: tries > 0 }).toEqual({ isStruck: true, isTriedAgain: true });
  return { failure, creations };
}

const always = { times: Number.POSITIVE_INFINITY } as const;
