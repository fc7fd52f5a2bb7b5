/** Checks of the options that callers pass. */
import { InputError } from "../errors.js";

/** Fills in defaults of `property`. Throws `InputError` for a number that is not positive. */
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

/** Throws `InputError` unless `value` is an integer from `least` to `most`. Undefined passes. */
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

/** Whether `value` is an integer from `least` to `most` and exact as a JavaScript number. */
export function isIntegerFrom(value: number, least: number, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}

/** Range that `value` is not in. Names the largest exact integer only for a larger value. */
function rangeText(value: number, least: number, most?: number): string {
  const limit = most ?? (value > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : undefined);
  return limit === undefined ? `of at least ${least}` : `from ${least} to ${limit}`;
}

/** Converts a cap: null becomes 0. Throws `InputError` for a number below 1 or with a fraction. */
export function capOnWire(property: string, cap: number | null | undefined): number | undefined {
  if (cap != null && !isIntegerFrom(cap, 1)) {
    const expected =
      'must be a whole number of at least 1, or null for no cap. The service reads 0 as "no cap".';
    throw new InputError("limit_invalid", property, `"${property}" ${expected}`);
  }
  return cap === null ? 0 : cap;
}

/** Throws `InputError` for a value outside `known`. Undefined passes. */
export function checkOneOf(property: string, value: string | undefined, known: readonly string[]): void {
  if (value !== undefined && !known.includes(value)) {
    throw invalidOption(property, `one of ${known.map((one) => `"${one}"`).join(", ")}`);
  }
}

/** Throws `InputError` for the name of an object, if `problem` is defined. */
export function checkName(noun: string, problem: string | undefined): void {
  if (problem !== undefined) {
    throw new InputError("name_invalid", "name", `The ${noun}'s "name" ${problem}.`);
  }
}

export interface SettingProblem {
  /** Path of the setting, such as `viewport.width` or `extensionIds[2]`. */
  readonly property: string;
  /** Problem and remedy, as the end of a sentence that begins with the property. */
  readonly problem: string;
}

/** Drops the settings without a problem. */
export function settingProblems(
  found: readonly (readonly [property: string, problem: string | false | null | undefined])[],
): readonly SettingProblem[] {
  return found.flatMap(([property, problem]) => (problem ? [{ property, problem }] : []));
}

/** Describes a value that is no whole number within bounds. Undefined passes. */
export function wholeNumberProblem(
  value: number | undefined,
  least: number,
  most?: number,
): string | undefined {
  return value === undefined || isIntegerFrom(value, least, most)
    ? undefined
    : `must be a whole number ${rangeText(value, least, most)}`;
}

/** Describes a value outside `choices`, as the end of a sentence. Undefined passes. */
export function choiceProblem(value: string | undefined, choices: readonly string[]): string | undefined {
  return value === undefined || choices.includes(value) ? undefined : `must be one of ${choices.join(", ")}`;
}

/** Throws `InputError` for the first problem of the settings, if any. */
export function checkSettings(noun: string, [first]: readonly SettingProblem[]): void {
  if (first !== undefined) {
    const { property, problem } = first;
    const message = `The ${noun}'s "${property}" ${problem}.`;
    throw property === "name"
      ? new InputError("name_invalid", property, message)
      : new InputError("option_invalid", property, message);
  }
}

export function invalidOption(property: string, expected: string): InputError {
  const message = `"${property}" must be ${expected}. Leave it out to use the default.`;
  return new InputError("option_invalid", property, message);
}
