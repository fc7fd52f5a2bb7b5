/** Checks of the options that callers pass. */
import { InputError } from "../errors.js";

/** Fills in defaults of the options in `property`. Refuses a number that is not positive. */
export function withDefaults<T extends object>(
  property: string,
  defaults: T,
  given: { readonly [K in keyof T]?: T[K] | undefined } | undefined,
): T {
  const present = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  for (const [key, value] of present) {
    if (typeof value === "number" && !(value > 0 && Number.isFinite(value))) {
      throw invalidOption(property === "" ? key : `${property}.${key}`, "a positive number");
    }
  }
  return { ...defaults, ...Object.fromEntries(present) };
}

/** Refuses a number that is not an integer from `least` to `most`. Undefined passes. */
export function checkInteger(
  property: string,
  value: number | undefined,
  least: number,
  most?: number,
): void {
  if (value !== undefined && !isIntegerFrom(value, least, most)) {
    throw invalidOption(property, `an integer ${rangeText(value, least, most)}`);
  }
}

/** Whether `value` is an integer from `least` to `most` that a JavaScript number holds exactly. */
export function isIntegerFrom(value: number, least: number, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}

/** The range that `value` is not in. Names the largest exact integer only for a larger value. */
export function rangeText(value: number, least: number, most?: number): string {
  const limit = most ?? (value > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : undefined);
  return limit === undefined ? `of at least ${least}` : `from ${least} to ${limit}`;
}

/** What is wrong with a cap, as the end of a sentence. */
export const notACap =
  'must be a whole number of at least 1, or null for no cap. The service reads 0 as "no cap".';

/** Refuses a value that is not one of those that the service knows. Undefined passes. */
export function checkOneOf(property: string, value: string | undefined, known: readonly string[]): void {
  if (value !== undefined && !known.includes(value)) {
    throw invalidOption(property, `one of ${known.map((one) => `"${one}"`).join(", ")}`);
  }
}

/** Refuses the name of an object, if `problem` says that something is wrong with it. */
export function checkName(noun: string, problem: string | undefined): void {
  if (problem !== undefined) {
    throw new InputError("name_invalid", "name", `The ${noun}'s "name" ${problem}.`);
  }
}

/** Something wrong with one setting. */
export interface SettingProblem {
  /** Where it is, such as `viewport.width` or `extensionIds[2]`. */
  readonly property: string;
  /** What is wrong and what to do, as the end of a sentence that begins with the property. */
  readonly problem: string;
}

/** What of these is a problem: a setting without one has undefined. */
export function settingProblems(
  found: readonly (readonly [property: string, problem: string | undefined])[],
): readonly SettingProblem[] {
  return found.flatMap(([property, problem]) => (problem === undefined ? [] : [{ property, problem }]));
}

/** What is wrong with a value that must be one of a few, as the end of a sentence. Undefined passes. */
export function choiceProblem(value: string | undefined, choices: readonly string[]): string | undefined {
  return value === undefined || choices.includes(value) ? undefined : `must be one of ${choices.join(", ")}`;
}

/** Refuses settings by the first thing that is wrong with them. */
export function checkSettings(noun: string, [first]: readonly SettingProblem[]): void {
  if (first !== undefined) {
    const { property, problem } = first;
    const message = `The ${noun}'s "${property}" ${problem}.`;
    throw property === "name"
      ? new InputError("name_invalid", property, message)
      : new InputError("option_invalid", property, message);
  }
}

/** The error for an option that must be something else. */
export function invalidOption(property: string, expected: string): InputError {
  const message = `"${property}" must be ${expected}. Leave it out to use the default.`;
  return new InputError("option_invalid", property, message);
}
