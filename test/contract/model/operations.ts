import * as fc from "fast-check";
import type { FaultAction, FaultPoint, FaultRule } from "../../../src/emulator/index.js";
import type { Family, Slot } from "./walk-program.js";

/**
 * Faults of a request. `cancel`: the engine's Cancel while no reply comes. After SIGKILL, the
 * engine lists the pending operations: see test/contract/rows/interruptions.ts.
 */
export const mishaps = [
  "reset before reading",
  "reset after commit",
  "500 after commit",
  "truncated",
  "refused 400",
  "refused 409",
  "forbidden",
  "cancel after commit",
] as const;
export type Mishap = (typeof mishaps)[number];

/** Mishap of `times` requests with a method in a run, from the `nth` request on. */
export interface Fault {
  readonly method: Family["methods"][number];
  readonly mishap: Mishap;
  readonly nth: number;
  readonly times: number;
}

/** Step of a walk. */
export type Operation =
  | { readonly kind: "declare"; readonly slot: Slot; readonly content: number; readonly name: number }
  | { readonly kind: "edit"; readonly slot: Slot; readonly content: number }
  | { readonly kind: "rename"; readonly slot: Slot; readonly name: number }
  | { readonly kind: "revert" }
  | { readonly kind: "withdraw"; readonly slot: Slot }
  | { readonly kind: "delete outside"; readonly slot: Slot }
  /** An operator with another key makes an object with a fixed name of the slot. */
  | { readonly kind: "make as others"; readonly slot: Slot; readonly name: number }
  | {
      readonly kind: "up";
      readonly refresh: boolean;
      readonly replace?: Slot | undefined;
      readonly faults: readonly Fault[];
    }
  | { readonly kind: "refresh" }
  | { readonly kind: "destroy"; readonly refresh: boolean; readonly faults: readonly Fault[] };

const content = fc.nat(2);
const name = fc.nat(2);

function faults(mishapsAllowed: readonly Mishap[], family: Family): fc.Arbitrary<Fault[]> {
  const methods: readonly Fault["method"][] = family.methods;
  return fc.array(
    fc.record({
      method: fc.constantFrom(...methods),
      mishap: fc.constantFrom(...mishapsAllowed),
      nth: fc.integer({ min: 1, max: 2 }),
      times: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: 2 },
  );
}

/**
 * Any step of a walk with the resources of a family. `endings`: number of faults, out of 10, that
 * end the run. After such a fault, the process must be started again.
 */
export function operationWith(endings: number, family: Family): fc.Arbitrary<Operation> {
  const slots: readonly Slot[] = family.slots;
  const slot = fc.constantFrom(...slots);
  const isEnding = (mishap: Mishap) => /^cancel/.test(mishap);
  const struck = fc.oneof(
    {
      weight: 10 - endings,
      arbitrary: faults(
        mishaps.filter((mishap) => !isEnding(mishap)),
        family,
      ),
    },
    { weight: endings, arbitrary: faults(mishaps.filter(isEnding), family) },
  );
  const none = fc.constant<Fault[]>([]);
  const refresh = fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  );
  const replace = fc.option(slot, { nil: undefined, freq: 5 });
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("declare" as const), slot, content, name }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("edit" as const), slot, content }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("rename" as const), slot, name }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("revert" as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("withdraw" as const), slot }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete outside" as const), slot }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("make as others" as const),
        slot,
        name: fc.integer({ min: 1, max: 2 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("up" as const), refresh, replace, faults: none }) },
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constant("up" as const), refresh, replace, faults: struck }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("refresh" as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("destroy" as const), refresh, faults: none }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("destroy" as const), refresh, faults: struck }) },
  );
}

/** Emulator's rules for a fault. `end` kills or cancels the provider. */
export function rulesOf(
  { method, mishap, nth, times }: Fault,
  end: (how: "kill" | "cancel") => void,
): readonly FaultRule[] {
  const rule = (at: FaultPoint, action: FaultAction): FaultRule => ({ method, nth, times, at, action });
  const answer = (status: number) => ({
    answer: { status, body: { code: "refused", message: `answered ${status} by a fault` } },
  });
  switch (mishap) {
    case "reset before reading":
      return [rule("before-reading", "reset")];
    case "reset after commit":
      return [rule("after-commit", "reset")];
    case "500 after commit":
      return [rule("after-commit", answer(500))];
    case "truncated":
      return [rule("while-answering", { truncateAfterBytes: 0 })];
    case "refused 400":
      return [rule("before-commit", answer(400))];
    case "refused 409":
      return [rule("before-commit", answer(409))];
    case "forbidden":
      return [rule("before-commit", answer(403))];
    case "cancel after commit":
      return [rule("after-commit", { call: () => end("cancel") }), rule("after-commit", "hang")];
  }
}
