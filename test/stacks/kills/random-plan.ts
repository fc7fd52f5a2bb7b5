import * as fc from "fast-check";
import { type OrganizationKinds, profileNames } from "../../model/organization.js";
import type { KillMoment, KillTarget } from "./killed-deployment.js";
import type { DeclaredExtension, Program } from "./scene.js";

/** What a program says about one resource, by kind. */
interface Declared extends OrganizationKinds {
  readonly extensions: DeclaredExtension;
  /** The name that it gives an API key which exists already. */
  readonly keys: string;
}
type Kind = keyof Declared;

/** A program, as one type for every kind. */
type Declarations = { readonly [K in Kind]?: Readonly<Record<string, Declared[K]>> };

/** The resources that a program may declare, by logical name. */
const kinds = {
  reader: "extensions",
  writer: "extensions",
  viewer: "extensions",
  ci: "keys",
  nightly: "keys",
  shop: "projects",
  caps: "limits",
  agents: "apiKeys",
  crew: "pools",
  visitor: "profiles",
  exit: "proxies",
  login: "credentials",
  web: "connections",
} as const satisfies Record<string, Kind>;
type Resource = keyof typeof kinds;
const resources = Object.keys(kinds) as Resource[];
/** It always stays in the program. */
const lasting: Resource = "reader";

/** A change of one resource. One that the program does not declare is added. */
interface Change {
  readonly resource: Resource;
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
  projects: { shop: { name: "shop-fixed-1" } },
  limits: { caps: { sessions: 5 } },
  apiKeys: { agents: { round: 0 } },
  pools: { crew: { size: 1, name: "crew-fixed-1" } },
  profiles: { visitor: {} },
  proxies: { exit: { country: "DE", name: "exit-fixed-1" } },
  credentials: { login: { password: "word 0", name: "login-fixed-1" } },
  connections: { web: { profileName: "buyer", healthCheckInterval: 3600 } },
};

const changes = fc.array(
  fc.record<Change>({
    resource: fc.constantFrom(...resources),
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

function changedOnce(program: Program, change: Change): Program {
  return changedIn(program, kinds[change.resource], change);
}

function changedIn<K extends Kind>(program: Declarations, of: K, { resource, kind, step }: Change): Program {
  const all: Readonly<Record<string, Declared[K]>> = program[of] ?? {};
  const before = all[resource];
  const others = Object.entries(all).filter(([name]) => name !== resource);
  const isRemoved = before !== undefined && kind === "removal" && resource !== lasting;
  const after = isRemoved ? [] : [[resource, next[of]({ resource, before, kind, step })]];
  return { ...program, [of]: Object.fromEntries([...others, ...after]) };
}

/** A resource that is declared for the first time, or changed. */
interface Next<D> extends Change {
  readonly before: D | undefined;
}

/** What a program declares after a change that is no removal, by kind. */
const next: { readonly [K in Kind]: (change: Next<Declared[K]>) => Declared[K] } = {
  extensions: ({ resource, before, kind, step }) => ({
    content: kind === "name" && before !== undefined ? before.content : turned(before?.content, step, 4),
    name: kind === "name" || before === undefined ? nextName(resource, before, step) : before.name,
  }),
  keys: ({ resource, before, step }) => `${resource} named ${turned(numberIn(before), step, 3)}`,
  projects: ({ resource, before, step }) => ({ name: nextName(resource, before, step) }),
  limits: ({ before, kind, step }) => ({
    sessions:
      kind === "name" && before !== undefined ? before.sessions : 5 + turned(before?.sessions, step, 4),
    invocations:
      kind === "name" ? ([undefined, 8, 7] as const)[turned(before?.sessions, step, 3)] : undefined,
  }),
  apiKeys: ({ resource, before, kind, step }) => ({
    round: kind === "name" || before === undefined ? (before?.round ?? 0) : before.round + 1,
    name: kind === "name" || before === undefined ? nextName(resource, before, step) : before.name,
  }),
  pools: ({ resource, before, kind, step }) => ({
    size:
      kind === "name" && before !== undefined ? before.size : 1 + turned(before && before.size - 1, step, 3),
    name: kind === "name" || before === undefined ? nextName(resource, before, step) : before.name,
  }),
  profiles: ({ resource, before, step }) => ({ name: nextName(resource, before, step) }),
  proxies: ({ resource, before, kind, step }) => ({
    country:
      kind === "name" && before !== undefined ? before.country : another(countries, before?.country, step),
    name: kind === "name" || before === undefined ? nextName(resource, before, step) : before.name,
  }),
  credentials: ({ resource, before, kind, step }) => ({
    password:
      kind === "name" && before !== undefined
        ? before.password
        : `word ${turned(numberIn(before?.password), step, 3)}`,
    name: kind === "name" || before === undefined ? nextName(resource, before, step) : before.name,
  }),
  connections: ({ before, kind, step }) => ({
    profileName:
      kind === "name" || before === undefined
        ? another(profileNames, before?.profileName, step)
        : before.profileName,
    healthCheckInterval: 3600 + turned(before && before.healthCheckInterval - 3600, step, 3),
  }),
};

const countries = ["DE", "US", "FR"] as const;

/** Another of these; without one before, that of the step. */
function another(all: readonly string[], before: string | undefined, step: number): string {
  return all[turned(before === undefined ? undefined : all.indexOf(before), step, all.length)] as string;
}

/** Another of so many numbers; without one before, the number of the step. */
function turned(before: number | undefined, step: number, count: number): number {
  return before === undefined ? step : (before + 1 + step) % count;
}

/** The number at the end of a name; undefined without a name. */
function numberIn(name: string | undefined): number | undefined {
  return name === undefined ? undefined : Number(/\d$/.exec(name)?.[0] ?? 0);
}

/** Another name of a resource. What has none before has an automatic one. */
function nextName(
  resource: string,
  before: { readonly name?: string | undefined } | undefined,
  step: number,
): string | undefined {
  return nameOf(resource, turned(before && (numberIn(before.name) ?? 0), step, 3));
}

/** Fixed name number 1 or 2 of a resource; with 0 it has an automatic one. */
function nameOf(resource: string, number: number): string | undefined {
  return number === 0 ? undefined : `${resource}-fixed-${number}`;
}

/** How many writes a deployment that nothing disturbs sends to get from one program to another. */
export function writesBetween(before: Program, after: Program): number {
  return resources
    .map((resource) => {
      const of = kinds[resource];
      const [one, other] = [before[of]?.[resource], after[of]?.[resource]];
      if (JSON.stringify(one) === JSON.stringify(other)) {
        return 0;
      }
      // Another content or name of an extension is another extension.
      return of === "extensions" && one !== undefined && other !== undefined ? 2 : 1;
    })
    .reduce((sum: number, writes) => sum + writes, 0);
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
