import { randomInt } from "node:crypto";
import { InputError } from "../../errors.js";

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Object by id or by name, such as an extension or a profile. */
export interface Selector {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** Ids that a program or a seed may give. Wider than the service's format, for readable ids. */
export const recordIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Longest name of a project or an API key, in code points. Source: the published interface. */
export const nameCharactersMax = 255;

/** Returns a random string of a-z and 0-9. Begins with a letter, as the service's ids do. */
export function randomText(characters: number): string {
  const letterAt = (at: number) => alphabet[randomInt(at === 0 ? 26 : alphabet.length)];
  return Array.from({ length: characters }, (_, at) => letterAt(at)).join("");
}

/** Returns a new id: 24 characters of a-z and 0-9, a format that the service's own tools accept. */
export function newId(): string {
  return randomText(24);
}

/** Describes the problem of a given id, as the end of a sentence; undefined for a valid id. */
export function idProblem(id: unknown): string | undefined {
  return typeof id === "string" && recordIdPattern.test(id)
    ? undefined
    : "must be 1 to 64 of the characters A-Z a-z 0-9 _ -";
}

/**
 * Describes the problem of a project's or API key's name, as the end of a sentence. Guess: the
 * service refuses whitespace alone, and characters that databases cannot store.
 */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name !== "string") {
    return "must be a string";
  }
  if (name.trim() === "" || [...name].length > nameCharactersMax) {
    return `must have 1 to ${nameCharactersMax} characters, and not only whitespace`;
  }
  return /[\0\p{Surrogate}]/u.test(name)
    ? "must not have NUL characters or halves of surrogate pairs"
    : undefined;
}

/**
 * Describes the problem of the name of an extension, a browser pool or a telemetry destination, as the
 * end of a sentence. A name that selects a profile follows the same rule, as published; the profile
 * itself may have any name. Source of the pattern: the published interface.
 */
export function plainNameProblem(name: string): string | undefined {
  if (!/^[A-Za-z0-9._-]{1,255}$/.test(name)) {
    return "must be 1 to 255 of the characters A-Z a-z 0-9 . _ -";
  }
  // Every path takes an id or a name. The service's Terraform provider refuses such names. Guess:
  // the service refuses such names, too.
  return /^[a-z0-9]{24}$/.test(name) ? "must not look like an id (24 characters of a-z and 0-9)" : undefined;
}

/**
 * Folds a name as the service's database compares names: without case and accents. Applies to
 * filters, to uniqueness and to names in paths. Source: the service's published description of its
 * filters ("database collation", in production case- and accent-insensitive). Guess: the same
 * collation applies to all three.
 */
export function foldedName(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Throws an error, as an expression: for the right side of `??`, where `throw` is not allowed. */
export function refuse(error: Error): never {
  throw error;
}

/**
 * Throws `InputError` if a program gave an invalid value. `problem` ends the sentence that
 * `subject` begins; undefined for a valid value.
 */
export function refuseProblem(
  code: string,
  property: string,
  subject: string,
  problem: string | undefined,
): void {
  if (problem !== undefined) {
    throw new InputError(code, property, `${subject} ${problem}.`);
  }
}

/**
 * Converts a time from a program to an ISO 8601 date-time in UTC. Throws `InputError` about
 * `property` for an unusable time; `subject` begins the message.
 */
export function isoTime(
  time: Date | string | null,
  code: string,
  property: string,
  subject: string,
): string | null {
  if (time === null) {
    return null;
  }
  const date = new Date(time);
  // Times are compared as strings, which only works for years of four digits.
  const isUsable = date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999;
  const problem = "must be a date, or an ISO 8601 date-time, up to the year 9999";
  refuseProblem(code, property, subject, isUsable ? undefined : problem);
  return date.toISOString();
}

/** Returns the object that a program names by id. Throws `InputError` with `code` if undefined. */
export function requireFound<T>(found: T | undefined, code: string, id: string, property = "id"): T {
  const noun = code.replace("_unknown", "").replaceAll("_", " ");
  const problem = `The emulator has no ${noun} with the id "${id}". Create it first.`;
  return found ?? refuse(new InputError(code, property, problem));
}
