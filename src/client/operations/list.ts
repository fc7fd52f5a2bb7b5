import { z } from "zod";
import { InputError } from "../../errors.js";
import type { Call, CallOptions } from "../http/exchange.js";
import { jsonBytesMax, readJson } from "../http/json.js";
import { pageRowsMax, readPage, walkPages } from "../http/paging.js";
import type { Transport } from "../http/transport.js";
import { quote } from "../quote.js";

/** Longest search text or name to look for, in Unicode code points. */
const filterCodePointsMax = 255;

/** What every list takes. */
export interface ListOptions extends CallOptions {
  /** Only what has exactly this name, byte for byte. The service compares loosely (case, accents); the rest is dropped here. */
  readonly name?: string | undefined;
  /** Only what the service finds for this text: a part of the name, in either case. */
  readonly query?: string | undefined;
  /** Rows wanted at most, over all pages and after every filter. Default: all. The walk stops as soon as it has them. */
  readonly limit?: number | undefined;
  /** Rows left out at the beginning, after every filter. They are read all the same, so that rows that come and go meanwhile shift nothing. Default 0. */
  readonly offset?: number | undefined;
}

/** One kind of list: where it is, and how it is read. */
export interface Listing<Row> {
  readonly path: string;
  /** What the rows are called: `projects`. */
  readonly noun: string;
  /** Reads one row. */
  readonly schema: z.ZodType<Row>;
  /** Query parameters besides paging, name and search text. */
  readonly parameters?: Readonly<Record<string, string | undefined>>;
  /** What is left of the service's rows; default all. */
  readonly keep?: ((row: Row) => boolean) | undefined;
}

interface Row {
  readonly id: string;
  readonly name: string | null;
}

/** The lists of one kind of record. */
export abstract class ListOperations<T extends Row, Options extends ListOptions> {
  protected readonly transport: Transport;
  readonly #pagesMax: number;

  /** Made by `BrowserInfraClient`. */
  constructor(transport: Transport, pagesMax: number) {
    this.transport = transport;
    this.#pagesMax = pagesMax;
  }

  /** Checks the options that only this kind has and describes the list. */
  protected abstract listing(options: Options): Listing<T>;

  /**
   * Everything that matches, each id once, in the service's order (which it does not publish). Not a snapshot: what comes or goes
   * during the walk may be there or not, but whatever was there all the time, and kept its place in the order, is. A hundred rows cost
   * one request, each further request brings 99.
   *
   * Throws `InputError` before any request, `ApiError`, and `ContractError` when pages repeat or do not end.
   */
  async list(options: Options = {} as Options): Promise<readonly T[]> {
    const all: T[] = [];
    for await (const page of this.pages(options)) {
      all.push(...page);
    }
    return all;
  }

  /** As `list`, row by row; the next page is read when its first row is asked for. */
  async *iterate(options: Options = {} as Options): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages(options)) {
      yield* page;
    }
  }

  /** As `list`, page by page, 1 to 100 rows each; the next one is read when it is asked for. */
  pages(options: Options = {} as Options): AsyncGenerator<readonly T[], void, undefined> {
    const { name } = options;
    const listing = this.listing(options);
    const { keep = () => true } = listing;
    return this.#window(
      { ...listing, keep: (row) => keep(row) && (name === undefined || row.name === name) },
      options,
    );
  }

  /** Every row the service finds for a name, whatever case and accents. */
  protected async namedLoosely(name: string, { signal }: CallOptions): Promise<readonly T[]> {
    const options = { name, signal } as Options;
    const found: T[] = [];
    for await (const page of this.#window(this.listing(options), options)) {
      found.push(...page);
    }
    return found;
  }

  #window(listing: Listing<T>, options: ListOptions): AsyncGenerator<readonly T[], void, undefined> {
    checkFilter("name", options.name);
    checkFilter("query", options.query);
    checkWhole("limit", options.limit, 1);
    checkWhole("offset", options.offset, 0);
    return cut(this.#walk(listing, options), options.offset ?? 0, options.limit);
  }

  async *#walk(listing: Listing<T>, options: ListOptions): AsyncGenerator<readonly T[], void, undefined> {
    const { path, noun, schema, parameters = {}, keep = () => true } = listing;
    const { name, query: text, signal } = options;
    const page = z.array(schema);
    const doing = name === undefined ? `Listing ${noun}` : `Looking for ${noun} named ${quote(name)}`;
    const walk = walkPages(this.#pagesMax, (offset) => {
      const query = new URLSearchParams({ limit: String(pageRowsMax), offset: String(offset) });
      for (const [key, value] of Object.entries({ name, query: text, ...parameters })) {
        if (value !== undefined) {
          query.set(key, value);
        }
      }
      const call: Call = {
        method: "GET",
        path,
        query,
        doing,
        accept: "application/json",
        bodyBytesMax: jsonBytesMax,
        signal,
      };
      return this.transport.read(call, (reply) => readPage(reply, readJson(reply, page, call), offset, call));
    });
    for await (const rows of walk) {
      yield rows.filter(keep);
    }
  }
}

/** The rows of `pages` from number `offset` on, `limit` at most; stops reading when it has them, and yields no empty page. */
async function* cut<T>(
  pages: AsyncGenerator<readonly T[], void, undefined>,
  offset: number,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly T[], void, undefined> {
  let [skip, wanted] = [offset, limit];
  for await (const page of pages) {
    const rows = page.slice(skip, skip + wanted);
    skip -= Math.min(skip, page.length);
    wanted -= rows.length;
    if (rows.length > 0) {
      yield rows;
    }
    if (wanted === 0) {
      return;
    }
  }
}

function checkFilter(property: "name" | "query", value: string | undefined): void {
  if (value === undefined) {
    return;
  }
  const bad = (why: string) => new InputError("filter_invalid", property, `"${property}" ${why}`);
  if (typeof value !== "string" || value === "" || [...value].length > filterCodePointsMax) {
    throw bad(`must have 1 to ${filterCodePointsMax} characters, or be left out.`);
  }
  if (/[\p{Cc}\p{Cs}]/u.test(value)) {
    throw bad("has a control character or broken Unicode. Leave it out.");
  }
}

function checkWhole(property: "limit" | "offset", value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) {
    return;
  }
  throw new InputError(
    "option_invalid",
    property,
    `"${property}" must be a whole number of at least ${least}, or be left out.`,
  );
}

/** Refuses a value that is not one of those the service knows. */
export function checkOneOf<T extends string>(
  property: string,
  value: T | undefined,
  known: readonly T[],
): void {
  if (value === undefined || known.includes(value)) {
    return;
  }
  throw new InputError(
    "option_invalid",
    property,
    `"${property}" must be one of ${known.map((one) => `"${one}"`).join(", ")}, or be left out.`,
  );
}
