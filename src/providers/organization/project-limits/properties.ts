import type { ProjectLimits } from "../../../client/index.js";
import { marks } from "../../core/marks.js";
import { type CheckFailure, undeclaredInputs } from "../../lifecycle.js";
import {
  type DeclaredOf,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  t,
  unknownValue,
} from "../../properties.js";
import { capProblem } from "../caps.js";

const capMeanings = {
  maxConcurrentSessions: "Browsers at the same time.",
  maxConcurrentInvocations: "App invocations at the same time.",
};

/** Caps that a program can declare. */
export const capNames = Object.keys(capMeanings) as (keyof typeof capMeanings)[];
export type CapName = (typeof capNames)[number];

/** Caps by name. Null: the project sets no cap. Missing: not managed, or not to be changed. */
export type Caps = { readonly [N in CapName]?: number | null };

const capTypes = { maxConcurrentSessions: t.integer, maxConcurrentInvocations: t.integer };

export const limitsInputs = new Properties({
  projectId: { ...t.string, isRequired: true, replaces: true },
  ...capTypes,
  /**
   * Caps that the project must not have. `check` adds the caps that the program declares as null:
   * state files, and most languages, cannot distinguish null from undeclared.
   */
  uncapped: t.listOf(t.oneOf(capMeanings)),
  /** Action on the caps when the resource is deleted. */
  onDelete: t.oneOf({
    restore: "Restores the previous limits. The default.",
    keep: "Leaves the limits unchanged.",
  }),
});
export type LimitsInputs = PropertiesOf<typeof limitsInputs>;

const caps = t.object({ ...capTypes, uncapped: t.listOf(t.oneOf(capMeanings)) });

export const limitsState = new Properties({
  ...limitsInputs.types,
  ...marks,
  /** Previous values of the managed caps. `uncapped`: names of caps that were not set. */
  previous: { ...caps, isInternal: true },
  /** Caps set by the resource, while a refresh has found different caps. */
  set: { ...caps, isInternal: true },
});
export type LimitsState = PropertiesOf<typeof limitsState>;

/** State with the caps set by the resource, even if a refresh has since found different caps. */
export function withAssignedCaps(state: LimitsState): LimitsState {
  const { projectId, onDelete, previous, set } = state;
  return set === undefined ? state : { projectId, onDelete, previous, ...set };
}

export function capsIn(from: LimitsInputs | NonNullable<LimitsState["previous"]>): Caps {
  const { uncapped = [] } = from;
  const caps = capNames.map((name) => [name, from[name] ?? (uncapped.includes(name) ? null : undefined)]);
  return Object.fromEntries(caps.filter(([, cap]) => cap !== undefined));
}

/** Caps in the form of inputs and states. */
export function withCaps(caps: Caps) {
  const uncapped = capNames.filter((name) => caps[name] === null);
  return {
    ...Object.fromEntries(capNames.flatMap((name) => (caps[name] == null ? [] : [[name, caps[name]]]))),
    ...(uncapped.length === 0 ? {} : { uncapped }),
  };
}

/** Selects caps by name from the limits of a project. A missing cap becomes null. */
export function pick(limits: ProjectLimits | Caps, names: readonly CapName[]): Caps {
  return Object.fromEntries(names.map((name) => [name, limits[name] ?? null]));
}

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

/** Checked inputs of a program. A null in the program means "no cap". */
export function checkedInputs(news: PropertyMap): DeclaredOf<typeof limitsInputs> {
  const inputs = limitsInputs.readDeclared(news);
  const named = inputs.uncapped === unknownValue ? [] : (inputs.uncapped ?? []);
  const uncapped = capNames.filter((name) => news[name] === null || named.includes(name));
  return {
    ...inputs,
    uncapped: inputs.uncapped === unknownValue ? unknownValue : uncapped.length === 0 ? undefined : uncapped,
  };
}

/** Reports all invalid inputs of ProjectLimits at once. Unknown values pass. */
export function limitsFailures(news: PropertyMap): CheckFailure[] {
  const failures = undeclaredInputs(news, limitsInputs, "ProjectLimits");
  const fail = (property: string, reason: string) => {
    failures.push({ property, reason });
  };
  const { projectId, uncapped } = limitsInputs.readDeclared(news);
  if (projectId === undefined || (projectId !== unknownValue && projectId.trim() === "")) {
    fail("projectId", 'ProjectLimits needs "projectId", a string: the id of the project.');
  }
  for (const name of capNames) {
    const problem = capProblem(news[name]);
    if (problem !== undefined) {
      fail(name, `"${name}" ${problem}`);
    } else if (news[name] != null && uncapped !== unknownValue && uncapped?.includes(name)) {
      fail(name, `"${name}" has a value, but is also in "uncapped". Remove one of the two.`);
    }
  }
  const names = capNames.map((name) => `"${name}"`);
  if (news.uncapped !== undefined && uncapped === undefined) {
    fail(
      "uncapped",
      `"uncapped" must be a list of limits to remove from the project: ${names.join(" or ")}.`,
    );
  } else if (capNames.every((name) => news[name] === undefined) && !hasEntries(uncapped)) {
    fail(
      "",
      `ProjectLimits needs at least one of ${names.join(" and ")}. Undeclared limits are not managed. For no cap, give null, or name the limit in "uncapped".`,
    );
  }
  return failures;
}

/** Whether a list has entries, or may have entries because a preview does not know the list. */
function hasEntries(list: LimitsInputs["uncapped"] | typeof unknownValue): boolean {
  return list === unknownValue || (list ?? []).length > 0;
}
