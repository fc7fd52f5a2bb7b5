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
  most = Number.POSITIVE_INFINITY,
): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= least && value <= most)) {
    const range = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`;
    throw invalidOption(property, `an integer ${range}`);
  }
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

/**
 * Refuses settings by the first thing that is wrong with them: where it is, and what, as the end of
 * a sentence.
 */
export function checkSettings(
  noun: string,
  [first]: readonly { readonly property: string; readonly problem: string }[],
): void {
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
