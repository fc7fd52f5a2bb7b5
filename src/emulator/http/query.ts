import type { Context } from "hono";
import type { z } from "zod";
import type { Page, PageRequest } from "../storage/table.js";
import type { ExchangeContext } from "./exchange.js";
import { invalidInput } from "./service-error.js";
import { oneOf as oneOfShape, readShape, wholeNumber } from "./shapes.js";

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
    limit: read(context, "limit", wholeNumber(1, limitMax), asNumber) ?? limitDefault,
    offset: read(context, "offset", wholeNumber(0), asNumber) ?? 0,
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
  return read(context, name, oneOfShape(...words));
}

/** Reads `true` or `false`. Default: false. Throws `ServiceError` 400. */
export function flag(context: QueryContext, name: string): boolean {
  return oneOf(context, name, ["true", "false"]) === "true";
}

function parameter({ req, env }: QueryContext, name: string): string | undefined {
  env.exchange.parameters.add(name);
  return req.query(name);
}

/** Reads a parameter of a shape; undefined if absent. Throws `ServiceError` 400. */
function read<Value>(
  context: QueryContext,
  name: string,
  shape: z.ZodType<Value>,
  parse: (text: string) => unknown = (text) => text,
): Value | undefined {
  const text = parameter(context, name);
  const refusal = (problem: string) =>
    invalidInput(`The query parameter ${name} ${problem.replace(/^it /, "")}.`);
  return text === undefined ? undefined : readShape(shape, parse(text), refusal);
}

function asNumber(text: string): number {
  return /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
}
