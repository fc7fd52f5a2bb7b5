import type { Context } from "hono";
import type { Page, PageRequest } from "../storage/table.js";
import type { ExchangeContext } from "./exchange.js";
import { invalidInput } from "./service-error.js";

/** Context of a request with a query. Parameters that the route does not read are refused. */
type QueryContext = ExchangeContext & Pick<Context, "req">;

/** Default number of rows in a page. Source: the published interface. */
const limitDefault = 20;

/** Largest number of rows in a page. Source: the published interface. */
const limitMax = 100;

/**
 * Reads `limit` (1 to 100, default 20) and `offset` (from 0, default 0). Throws `ServiceError` 400
 * for any other value. Guess: the service refuses such values instead of clamping.
 */
export function readPageRequest(context: QueryContext): PageRequest {
  return {
    limit: wholeNumber("limit", parameter(context, "limit"), limitDefault, 1, limitMax),
    offset: wholeNumber("offset", parameter(context, "offset"), 0, 0, Number.MAX_SAFE_INTEGER),
  };
}

/** Reads parameters by name. An empty filter filters nothing and becomes undefined: a guess. */
export function readFilters<Name extends string>(
  context: QueryContext,
  ...names: readonly Name[]
): { readonly [K in Name]: string | undefined } {
  const filters = names.map((name) => [name, parameter(context, name) || undefined]);
  return Object.fromEntries(filters);
}

/**
 * Responds with a page of a list. Headers contain the position of the next page: `X-Next-Offset` is
 * absolute, and 0 on the last page. Source: the published interface.
 */
export function pageResponse<Item>(
  context: Context,
  { rows, more, limit, offset }: Page<Item>,
  onWire: (item: Item) => Readonly<Record<string, unknown>>,
): Response {
  return context.json(rows.map(onWire), 200, {
    "x-has-more": String(more),
    "x-next-offset": String(more ? offset + limit : 0),
    "x-limit": String(limit),
    "x-offset": String(offset),
  });
}

/** Reads a parameter with a fixed set of values; undefined if absent. Throws `ServiceError` 400. */
export function oneOf<Word extends string>(
  context: QueryContext,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = parameter(context, name);
  const word = words.find((each) => each === text);
  if (text === undefined || word !== undefined) {
    return word;
  }
  throw invalidInput(`The query parameter ${name} must be one of ${words.join(", ")}.`);
}

/** Reads `true` or `false`. Default: false. Throws `ServiceError` 400. */
export function flag(context: QueryContext, name: string): boolean {
  return oneOf(context, name, ["true", "false"]) === "true";
}

function parameter({ req, env }: QueryContext, name: string): string | undefined {
  env.exchange.parameters.add(name);
  return req.query(name);
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
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw invalidInput(`The query parameter ${name} must be a whole number ${range}.`);
}
