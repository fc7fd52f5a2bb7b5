import type { ProjectLimitChanges, ProjectLimits } from "../../client/index.js";
import { checkProjectId } from "../../config.js";
import { type CheckFailure, undeclaredInputs } from "../lifecycle.js";
import {
  type DeclaredOf,
  integer,
  listOf,
  object,
  oneOf,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  string,
  unknownValue,
} from "../properties.js";

/** The caps that a program can declare. */
export const capNames = ["maxConcurrentSessions", "maxConcurrentInvocations"] as const;
export type CapName = (typeof capNames)[number];

/** Caps by name. Null: the project sets no cap. One that is missing is not meant. */
export type Caps = { readonly [N in CapName]?: number | null };

const capTypes = { maxConcurrentSessions: integer, maxConcurrentInvocations: integer };

/** Inputs that a program may give. */
export const declaredInputs = {
  projectId: string,
  ...capTypes,
  /** What becomes of the caps when the resource is deleted. */
  onDelete: oneOf("restore", "keep"),
};

/** The inputs of ProjectLimits, as `check` returns them. */
export const limitsInputs = new Properties({
  ...declaredInputs,
  /** Caps that the program declares as null. A state file cannot tell null from left out. */
  uncapped: listOf(oneOf(...capNames)),
});
export type LimitsInputs = PropertiesOf<typeof limitsInputs>;

/** What the state keeps of ProjectLimits. */
export const limitsState = new Properties({
  ...limitsInputs.types,
  /** What the managed caps were before; `uncapped` names those that were not set. */
  previous: object({ ...capTypes, uncapped: listOf(oneOf(...capNames)) }),
});
export type LimitsState = PropertiesOf<typeof limitsState>;

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

/** The caps of `wanted` that are different in `live`. */
export function differences(wanted: Caps, live: Caps | ProjectLimits): ProjectLimitChanges {
  return Object.fromEntries(
    namesIn(wanted)
      .filter((name) => (live[name] ?? null) !== wanted[name])
      .map((name) => [name, wanted[name]]),
  );
}

/** Which caps these are. */
export function namesIn(caps: Caps): CapName[] {
  return capNames.filter((name) => caps[name] !== undefined);
}

/** `maxConcurrentSessions 5, maxConcurrentInvocations no cap`, for messages. */
export function capsText(caps: Caps | ProjectLimitChanges): string {
  return capNames
    .filter((name) => caps[name] !== undefined)
    .map((name) => `${name} ${caps[name] ?? "no cap"}`)
    .join(", ");
}

/** The checked inputs of what a program gave, in which null means "no cap". */
export function checkedInputs(news: PropertyMap): DeclaredOf<typeof limitsInputs> {
  const inputs = limitsInputs.readDeclared(news);
  const uncapped = capNames.filter((name) => news[name] === null || isUncapped(name, news));
  return {
    ...inputs,
    uncapped: uncapped.length === 0 ? undefined : uncapped,
    onDelete: inputs.onDelete ?? "restore",
  };
}

/** The option `ignoreChanges` and import files give caps in the form of checked inputs. */
function isUncapped(name: CapName, news: PropertyMap): boolean {
  return news[name] === undefined && limitsInputs.read(news).uncapped?.includes(name) === true;
}

/** What is wrong with the inputs of ProjectLimits, all at once. Unknown values pass. */
export function limitsFailures(news: PropertyMap): CheckFailure[] {
  const failures = undeclaredInputs(news, limitsInputs, "ProjectLimits", Object.keys(declaredInputs));
  const fail = (property: string, reason: string) => {
    failures.push({ property, reason });
  };
  const { projectId, onDelete, uncapped } = limitsInputs.readDeclared(news);
  if (typeof projectId === "string" && projectId.trim() !== "") {
    try {
      checkProjectId(projectId);
    } catch (error) {
      fail("projectId", (error as Error).message);
    }
  } else if (projectId !== unknownValue) {
    fail("projectId", 'ProjectLimits needs "projectId", a string: the id of the project.');
  }
  for (const name of capNames) {
    const problem = capProblem(news[name]);
    if (problem !== undefined) {
      fail(name, `"${name}" ${problem}`);
    }
  }
  if (capNames.every((name) => news[name] === undefined) && uncapped === undefined) {
    fail(
      "",
      `ProjectLimits needs at least one of ${capNames.map((name) => `"${name}"`).join(" and ")}. It manages what is declared and nothing else; null means no cap.`,
    );
  }
  if (news.onDelete !== undefined && onDelete === undefined) {
    fail(
      "onDelete",
      '"onDelete" must be "restore", which restores the previous caps, or "keep", which leaves the caps.',
    );
  }
  return failures;
}

function capProblem(cap: PropertyMap[string] | undefined): string | undefined {
  if (cap === undefined || cap === null || cap === unknownValue) {
    return undefined;
  }
  if (cap === 0) {
    return 'must not be 0: the service reads 0 as "no cap". For no cap, give null; to leave it unmanaged, leave it out. No cap stops a project altogether.';
  }
  return Number.isSafeInteger(cap) && (cap as number) > 0
    ? undefined
    : "must be a whole number of at least 1, or null for no cap.";
}
