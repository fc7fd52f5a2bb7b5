import * as fc from "fast-check";
import type { KillMoment, KillTarget } from "./killed-deployment.js";
import type { Program } from "./scene.js";

/** The extensions that a program may declare. The first one always stays in it. */
const extensions = ["reader", "writer", "viewer"] as const;
const keys = ["ci", "nightly"] as const;

/** A change of one resource. One that the program does not declare is added. */
interface Change {
  readonly resource: (typeof extensions)[number] | (typeof keys)[number];
  readonly kind: "content" | "name" | "removal";
  /** Which of several other contents or names follows. */
  readonly step: number;
}

/** A kill, and what the program says before and after it. */
export interface PlannedKill {
  /** What the killed deployment changes. */
  readonly changes: readonly Change[];
  readonly target: KillTarget;
  readonly moment: {
    readonly at: KillMoment["at"];
    /** Which write or request, in turn; of a moment in time, thousandths of a usual deployment. */
    readonly which: number;
  };
  /** What the next deployment declares: the same, the program before, or further changes. */
  readonly next: "same" | "reverted" | readonly Change[];
  /** Whether the next deployment starts with a preview. */
  readonly preview: boolean;
  readonly refresh: boolean;
}

/** The first program of a stack: nothing is deployed before it. */
export const firstProgram: Program = {
  extensions: { reader: { content: 0 }, writer: { content: 0, name: "writer-fixed-1" } },
  keys: { ci: "ci named 0" },
};

const changes = fc.array(
  fc.record<Change>({
    resource: fc.constantFrom(...extensions, ...keys),
    kind: fc.constantFrom("content", "content", "name", "removal"),
    step: fc.nat(1),
  }),
  { minLength: 1, maxLength: 3, size: "max" },
);

const plannedKill = fc.record<PlannedKill>({
  changes,
  target: fc.constantFrom("engine", "everything"),
  moment: fc.record({
    // Half of all kills come right after an answer, where they once did damage.
    at: fc.oneof(
      { weight: 4, arbitrary: fc.constant("answered" as const) },
      {
        weight: 2,
        arbitrary: fc.constantFrom("before-reading", "before-commit", "after-commit", "while-answering"),
      },
      { weight: 2, arbitrary: fc.constant("time" as const) },
    ),
    which: fc.nat(999),
  }),
  next: fc.oneof(
    { weight: 2, arbitrary: fc.constant("same" as const) },
    { weight: 1, arbitrary: fc.constant("reverted" as const) },
    { weight: 3, arbitrary: changes },
  ),
  preview: fc.constantFrom(true, false, false),
  refresh: fc.constantFrom(true, false, false, false),
});

/** As many kills as wanted. The same seed gives the same ones. */
export function planKills(seed: number, count: number): readonly PlannedKill[] {
  return fc.sample(fc.noBias(plannedKill), { seed, numRuns: count });
}

/** The program after changes. */
export function changed(program: Program, changesToMake: readonly Change[]): Program {
  return changesToMake.reduce(changedOnce, program);
}

function changedOnce(program: Program, { resource, kind, step }: Change): Program {
  const without = (all: object) => Object.entries(all).filter(([name]) => name !== resource);
  if (resource === "ci" || resource === "nightly") {
    const others = without(program.keys ?? {});
    const [, number] = /(\d)$/.exec(program.keys?.[resource] ?? "") ?? [];
    const isRemoved = number !== undefined && kind === "removal";
    const name = `${resource} named ${number === undefined ? step : (Number(number) + 1 + step) % 3}`;
    return { ...program, keys: Object.fromEntries(isRemoved ? others : [...others, [resource, name]]) };
  }
  const others = without(program.extensions ?? {});
  const before = program.extensions?.[resource];
  if (before !== undefined && kind === "removal" && resource !== extensions[0]) {
    return { ...program, extensions: Object.fromEntries(others) };
  }
  const number = Number(/(\d)$/.exec(before?.name ?? "")?.[1] ?? 0);
  const nextNumber = before === undefined ? step : (number + 1 + step) % 3;
  const nextContent = before === undefined ? step : (before.content + 1 + step) % 4;
  const extension = {
    content: kind === "name" && before !== undefined ? before.content : nextContent,
    name: nameOf(resource, kind === "name" || before === undefined ? nextNumber : number),
  };
  return { ...program, extensions: Object.fromEntries([...others, [resource, extension]]) };
}

/** Fixed name number 1 or 2 of a resource; with 0 it has an automatic one. */
function nameOf(resource: string, number: number): string | undefined {
  return number === 0 ? undefined : `${resource}-fixed-${number}`;
}

/** How many writes a deployment that nothing disturbs sends to get from one program to another. */
export function writesBetween(before: Program, after: Program): number {
  const count = (one: object = {}, other: object = {}, replacing: number) => {
    const [olds, news] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
    return [...new Set([...olds.keys(), ...news.keys()])]
      .filter((name) => JSON.stringify(olds.get(name)) !== JSON.stringify(news.get(name)))
      .map((name) => (olds.has(name) && news.has(name) ? replacing : 1))
      .reduce((sum, writes) => sum + writes, 0);
  };
  return count(before.extensions, after.extensions, 2) + count(before.keys, after.keys, 1);
}

/**
 * When a planned kill comes, in a deployment that sends so many writes and usually takes so many
 * milliseconds.
 */
export function momentOf(
  { moment: { at, which } }: PlannedKill,
  writes: number,
  usualMs: number,
): KillMoment {
  if (at === "time") {
    return { at, ms: (which / 1_000) * usualMs };
  }
  // Most writes come after a look.
  return at === "answered"
    ? { at, write: 1 + (which % writes) }
    : { at, request: 1 + (which % (2 * writes)) };
}
