import { invalidInput } from "./service-error.js";

/** Reads a whole number in a range. Throws `ServiceError` 400. */
export function wholeNumber(
  name: string,
  text: string | undefined,
  byDefault: number,
  min: number,
  max: number,
): number {
  if (text === undefined) {
    return byDefault;
  }
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) {
    return value;
  }
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  throw invalidInput(`The query parameter ${name} must be a whole number ${range}.`);
}

/** Reads one of some words. Throws `ServiceError` 400. */
export function oneOf<Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (text === undefined) {
    return undefined;
  }
  const word = words.find((each) => each === text);
  if (word !== undefined) {
    return word;
  }
  throw invalidInput(`The query parameter ${name} must be one of ${words.join(", ")}.`);
}

/** Reads `true` or `false`, by default false. Throws `ServiceError` 400. */
export function flag(name: string, text: string | undefined): boolean {
  return oneOf(name, text, ["true", "false"]) === "true";
}
