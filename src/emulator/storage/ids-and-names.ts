import { randomBytes } from "node:crypto";
import { InputError } from "../../errors.js";

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Ids that a program or a seed may give: more than the service's own, to be readable. */
export const recordIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Longest name of a project or an API key, in code points. Source: the published interface. */
export const nameCharactersMax = 255;

/** A random string of a-z and 0-9. It starts with a letter, as the service's ids do. */
export function randomText(characters: number): string {
  let text = "";
  while (text.length < characters) {
    for (const byte of randomBytes(characters)) {
      // 252 is the largest multiple of 36 in a byte; bytes above it would favor the first letters.
      const letter = byte < 252 ? alphabet[byte % alphabet.length] : undefined;
      if (letter !== undefined && text.length < characters && !(text === "" && letter <= "9")) {
        text += letter;
      }
    }
  }
  return text;
}

/** A new id: 24 characters of a-z and 0-9, as the service's own tools accept them. */
export function newId(): string {
  return randomText(24);
}

/** Says what is wrong with a given id, as the end of a sentence; undefined when nothing is. */
export function idProblem(id: unknown): string | undefined {
  return typeof id === "string" && recordIdPattern.test(id)
    ? undefined
    : "must be 1 to 64 of the characters A-Z a-z 0-9 _ -";
}

/**
 * Says what is wrong with the name of a project or an API key, as the end of a sentence. It is a
 * guess that the service refuses whitespace alone, and characters that databases cannot store.
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
 * A name as the service's database compares it: case and accents do not count. It is the same for
 * the filters, for uniqueness and where a path names something. Sources: the service's published
 * description of its filters ("database collation", in production case- and accent-insensitive);
 * that one collation applies to all three is a guess.
 */
export function foldedName(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Throws an error. It is for the right side of `??`, where `throw` may not be. */
export function refuse(error: Error): never {
  throw error;
}

/**
 * Throws `InputError` when there is a problem with what a program gave. `problem` is the end of the
 * sentence that `subject` begins, or undefined when there is none.
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
 * A time that a program gave, as an ISO 8601 date-time in UTC. Otherwise throws `InputError` about
 * `property`; `subject` begins its sentence.
 */
export function dateTime(
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

/** What a program names by its id. Throws `InputError` with this code when there is none. */
export function required<T>(found: T | undefined, code: string, id: string, property = "id"): T {
  const noun = code.replace("_unknown", "").replaceAll("_", " ");
  const problem = `The emulator has no ${noun} with the id "${id}". Create it first.`;
  return found ?? refuse(new InputError(code, property, problem));
}
