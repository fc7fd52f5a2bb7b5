import type { ProjectLimits } from "../../client/index.js";
import { capProblem } from "../caps.js";
import { marks } from "../core/marks.js";
import { type CheckFailure, undeclaredInputs } from "../lifecycle.js";
import {
  type DeclaredOf,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  t,
  unknownValue,
} from "../properties.js";

const capMeanings = {
  maxConcurrentSessions: "Browsers at the same time.",
  maxConcurrentInvocations: "App invocations at the same time.",
};

/** The caps that a program can declare. */
export const capNames = Object.keys(capMeanings) as (keyof typeof capMeanings)[];
export type CapName = (typeof capNames)[number];

/** Caps by name. Null: the project sets no cap. One that is missing is not meant. */
export type Caps = { readonly [N in CapName]?: number | null };

const capTypes = { maxConcurrentSessions: t.integer, maxConcurrentInvocations: t.integer };

/** The inputs of ProjectLimits. */
export const limitsInputs = new Properties({
  projectId: { ...t.string, isRequired: true, replaces: true },
  ...capTypes,
  /**
   * Caps that the project is not to have. `check` adds those that the program declares as null: a
   * state file cannot distinguish null from left out, and most languages cannot either.
   */
  uncapped: t.listOf(t.oneOf(capMeanings)),
  /** What becomes of the caps when the resource is deleted. */
  onDelete: t.oneOf({ restore: "Restores the previous limits. The default.", keep: "Leaves the limits." }),
});
export type LimitsInputs = PropertiesOf<typeof limitsInputs>;

const caps = t.object({ ...capTypes, uncapped: t.listOf(t.oneOf(capMeanings)) });

/** What the state keeps of ProjectLimits. */
export const limitsState = new Properties({
  ...limitsInputs.types,
  ...marks,
  /** What the managed caps were before; `uncapped` names those that were not set. */
  previous: { ...caps, isInternal: true },
  /** What the resource had set, as long as a refresh has found something else. */
  set: { ...caps, isInternal: true },
});
export type LimitsState = PropertiesOf<typeof limitsState>;

/** The state with the caps that the resource has set, even if a refresh has found others since. */
export function withCapsThatWereSet(state: LimitsState): LimitsState {
  const { projectId, onDelete, previous, set } = state;
  return set === undefined ? state : { projectId, onDelete, previous, ...set };
}

/** The caps that inputs or a state speak of. */
export function capsIn(from: LimitsInputs | NonNullable<LimitsState["previous"]>): Caps {
  const { uncapped = [] } = from;
  const caps = capNames.map((name) => [name, from[name] ?? (uncapped.includes(name) ? null : undefined)]);
  return Object.fromEntries(caps.filter(([, cap]) => cap !== undefined));
}

/** The same caps in the form in which inputs and states have them. */
export function withCaps(caps: Caps) {
  const uncapped = capNames.filter((name) => caps[name] === null);
  return {
    ...Object.fromEntries(capNames.flatMap((name) => (caps[name] == null ? [] : [[name, caps[name]]]))),
    ...(uncapped.length === 0 ? {} : { uncapped }),
  };
}

/** Of all limits of a project, the caps with these names. */
export function pick(limits: ProjectLimits | Caps, names: readonly CapName[]): Caps {
  return Object.fromEntries(names.map((name) => [name, limits[name] ?? null]));
}

/** Which caps these are. */
export function namesIn(caps: Caps): CapName[] {
  return capNames.filter((name) => caps[name] !== undefined);
}

/** `maxConcurrentSessions 5, maxConcurrentInvocations no cap`, for messages. */
export function capsText(caps: Caps): string {
  return capNames
    .filter((name) => caps[name] !== undefined)
    .map((name) => `${name} ${caps[name] ?? "no cap"}`)
    .join(", ");
}

/** The checked inputs of what a program gave, in which null means "no cap". */
export function checkedInputs(news: PropertyMap): DeclaredOf<typeof limitsInputs> {
  const inputs = limitsInputs.readDeclared(news);
  const named = inputs.uncapped === unknownValue ? [] : (inputs.uncapped ?? []);
  const uncapped = capNames.filter((name) => news[name] === null || named.includes(name));
  return {
    ...inputs,
    uncapped: inputs.uncapped === unknownValue ? unknownValue : uncapped.length === 0 ? undefined : uncapped,
    onDelete: inputs.onDelete ?? "restore",
  };
}

/** What is wrong with the inputs of ProjectLimits, all at once. Unknown values pass. */
export function limitsFailures(news: PropertyMap): CheckFailure[] {
  const failures = undeclaredInputs(news, limitsInputs, "ProjectLimits");
  const fail = (property: string, reason: string) => {
    failures.push({ property, reason });
  };
  const { projectId, onDelete, uncapped } = limitsInputs.readDeclared(news);
  if (projectId === undefined || (projectId !== unknownValue && projectId.trim() === "")) {
    fail("projectId", 'ProjectLimits needs "projectId", a string: the id of the project.');
  }
  for (const name of capNames) {
    const problem = capProblem(news[name]);
    if (problem !== undefined) {
      fail(name, `"${name}" ${problem}`);
    } else if (news[name] != null && uncapped !== unknownValue && uncapped?.includes(name)) {
      fail(name, `"${name}" has a value, and "uncapped" names it as well. Remove one of them.`);
    }
  }
  const names = capNames.map((name) => `"${name}"`);
  if (news.uncapped !== undefined && uncapped === undefined) {
    fail(
      "uncapped",
      `"uncapped" must be a list of limits that the project is not to have: ${names.join(" or ")}.`,
    );
  } else if (capNames.every((name) => news[name] === undefined) && !hasEntries(uncapped)) {
    fail(
      "",
      `ProjectLimits needs at least one of ${names.join(" and ")}. It manages what is declared and nothing else. For no cap, give null, or name the limit in "uncapped".`,
    );
  }
  if (news.onDelete !== undefined && onDelete === undefined) {
    fail(
      "onDelete",
      '"onDelete" must be "restore", which restores the previous limits, or "keep", which leaves the limits.',
    );
  }
  return failures;
}

/** Whether a list names something, as far as a preview knows it. */
function hasEntries(list: LimitsInputs["uncapped"] | typeof unknownValue): boolean {
  return list === unknownValue || (list ?? []).length > 0;
}
