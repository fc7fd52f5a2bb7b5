import type { PageRequest } from "../storage/table.js";
import { invalidInput } from "./service-error.js";

/** Rows of a page when the request does not say. Source: the published interface. */
const limitDefault = 20;

/** Most rows of a page. Source: the published interface. */
const limitMax = 100;

/**
 * Reads `limit` (1 to 100, default 20) and `offset` (from 0, default 0). Throws `ServiceError` 400
 * for anything else. It is a guess that the service refuses such values instead of clamping them.
 */
export function readPageRequest(limit: string | undefined, offset: string | undefined): PageRequest {
  return {
    limit: wholeNumber("limit", limit, limitDefault, 1, limitMax),
    offset: wholeNumber("offset", offset, 0, 0, Number.MAX_SAFE_INTEGER),
  };
}

/**
 * The headers that say where the list continues. `X-Next-Offset` is absolute, and 0 on the last
 * page. Source: the published interface.
 */
export function pageHeaders({ limit, offset }: PageRequest, more: boolean): Record<string, string> {
  return {
    "x-has-more": String(more),
    "x-next-offset": String(more ? offset + limit : 0),
    "x-limit": String(limit),
    "x-offset": String(offset),
  };
}

/** Reads one of some words; undefined when it is absent. Throws `ServiceError` 400. */
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

function wholeNumber(
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
