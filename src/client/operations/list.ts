import type { z } from "zod";
import { InputError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { plural } from "../../text/words.js";
import type { CallOptions, HttpCall } from "../http/call.js";
import { unexpectedResponseError } from "../http/failures.js";
import { pageRowsMax, readPage, walkPages } from "../http/paging.js";
import type { Transport } from "../http/transport.js";
import { isSameName } from "../names.js";
import { checkInteger } from "../options.js";
import { type ReadRow, readRows } from "./rows.js";

/** Longest search text or name to look for, in Unicode code points. */
const filterCodePointsMax = 255;

/** Members of a record that lists need. Not every kind has names. */
export interface Row {
  readonly id: string;
  readonly name?: string | null;
}

export interface PagedOptions extends CallOptions {
  /**
   * Only objects that the service finds for the text, in any case: part of the name, or of the domain
   * or profile name of an auth connection. Some kinds also search other members.
   */
  readonly query?: string | undefined;
  /** Maximum number of rows to return, over all pages and after every filter. Default: all. */
  readonly limit?: number | undefined;
  /** Rows to skip at the beginning, after every filter. Skipped rows are read anyway. Default 0. */
  readonly offset?: number | undefined;
}

/** Options of the lists of objects with names. */
export interface ListOptions extends PagedOptions {
  /** Only objects with exactly the given name, byte for byte: case and accents count. */
  readonly name?: string | undefined;
}

/** Page of a search of many objects. @internal */
export interface ScannedPage<Row> {
  readonly rows: readonly Row[];
  /** Whether every row of the page could be read. */
  readonly isComplete: boolean;
}

/** Advice for a name that a different record of the project has, where names are unique. @internal */
export const nameTakenAdvice =
  "The name is already used in this project: choose another, or import or delete the existing object.";

/** Description of a list: path, rows and filters. @internal */
export interface Listing<Row> {
  readonly path: string;
  /** Noun for a row, such as `project`; the plural ends in s. */
  readonly noun: string;
  readonly schema: z.ZodType<Row>;
  /** Schema of a record in the response to a change. Default: `schema`. */
  readonly changedSchema?: z.ZodType<Row>;
  /** Largest page or record, in bytes. Default: the limit of every JSON response. */
  readonly bodyBytesMax?: number;
  /** Advice for an id that the service does not find. Default: to check id and project. */
  readonly notFoundAdvice?: string;
  /** Advice for a refused creation, or change of a name (409). Default: to fix what the service reports. */
  readonly conflictAdvice?: string;
  /** Set if the service has no filter for names here: names are then searched by `query`. */
  readonly hasNoNameFilter?: true;
  /** Query parameters besides paging, name and search text. */
  readonly parameters?: Readonly<Record<string, string | undefined>>;
  /** Whether an unreadable row may be the object that the list looks for. Default: false. */
  readonly isLookup?: boolean;
  /** Whether to keep a row of the service. Default: all rows are kept. */
  readonly isIncluded?: ((row: Row) => boolean) | undefined;
}

/** Lists of a kind of record. */
export abstract class ListOperations<T extends Row, Options extends ListOptions> {
  /** @internal */
  protected readonly transport: Transport;

  /** Made by `BrowserInfraClient`. @internal */
  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Checks the options that only the kind has, and describes the list. @internal */
  protected abstract listing(options: Options): Listing<T>;

  /**
   * Returns all matching objects, every id once, in the service's order (which is not published).
   * Not a snapshot: objects that come, go or move during the walk may be missing. A hundred rows
   * cost a single request, every further request reads 99.
   *
   * An unreadable row is omitted, and a warning names the id (`ClientOptions.onWarning`).
   *
   * Throws `InputError` before any request, `ApiError`, and `ContractError` when pages repeat or do
   * not end, when no row of a page has an id, and when an unreadable row may be the object with the
   * requested `name`.
   */
  async list(options: Options = {} as Options): Promise<readonly T[]> {
    return collect(this.pages(options));
  }

  /** As `list`, row by row. The next page is read when the first row of the page is requested. */
  async *iterate(options: Options = {} as Options): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages(options)) {
      yield* page;
    }
  }

  /** As `list`, page by page, 1 to 100 rows a page. A page is read when requested. */
  pages(options: Options = {} as Options): AsyncGenerator<readonly T[], void, undefined> {
    const { name } = options;
    const listing = this.listing(options);
    const { isIncluded = () => true } = listing;
    const isNamed = (row: T) => name === undefined || row.name === name;
    return this.#pagesInRange({ ...listing, isIncluded: (row) => isIncluded(row) && isNamed(row) }, options);
  }

  /**
   * All objects, a request per step, for a search of many objects at once. `isComplete`: whether every
   * row of the page could be read. No warning names an unreadable row. @internal
   */
  async *scan({ signal }: CallOptions): AsyncGenerator<ScannedPage<T>, void, undefined> {
    for await (const read of this.#walk(this.listing({} as Options), { signal })) {
      const rows = read.flatMap(({ record }) => (record === undefined ? [] : [record]));
      yield { rows, isComplete: rows.length === read.length };
    }
  }

  /** Returns all rows that the service finds for a name, whatever the case and the accents. */
  protected async allNamed(name: string, { signal }: CallOptions): Promise<readonly T[]> {
    const search = { name, signal } as Options;
    return collect(this.#pagesInRange(this.listing(search), search));
  }

  #pagesInRange(listing: Listing<T>, options: ListOptions): AsyncGenerator<readonly T[], void, undefined> {
    checkFilter("name", options.name);
    checkFilter("query", options.query);
    checkInteger("limit", options.limit, 1);
    checkInteger("offset", options.offset, 0);
    return slicePages(this.#readable(listing, options), options.offset ?? 0, options.limit);
  }

  async *#readable(listing: Listing<T>, options: ListOptions) {
    const { noun, isIncluded = () => true } = listing;
    for await (const rows of this.#walk(listing, options)) {
      for (const row of rows.filter(({ problem }) => problem !== undefined)) {
        const text = `${operationText(noun, options)} skipped a row: ${this.#problemOf(noun, row)}.`;
        this.transport.warn(text);
      }
      yield rows.flatMap(({ record }) => (record !== undefined && isIncluded(record) ? [record] : []));
    }
  }

  #walk(listing: Listing<T>, options: ListOptions): AsyncGenerator<readonly ReadRow<T>[], void, undefined> {
    const { path, noun, schema, bodyBytesMax, parameters = {} } = listing;
    const { name, query: text, signal } = options;
    const search = listing.hasNoNameFilter ? { query: name ?? text } : { name, query: text };
    const operation = operationText(noun, options);
    return walkPages(this.transport.maxPages, (offset) => {
      const query = new URLSearchParams({ limit: String(pageRowsMax), offset: String(offset) });
      for (const [key, value] of Object.entries({ ...search, ...parameters })) {
        if (value !== undefined) {
          query.set(key, value);
        }
      }
      const call: HttpCall = { method: "GET", path, query, operation, bodyBytesMax, signal };
      return this.transport.read(call, (reply) => {
        const rows = readRows(reply, schema, offset, call);
        const sought = rows.find(
          ({ problem, name: given }) =>
            problem !== undefined && (listing.isLookup || isPossibleMatch(name, given)),
        );
        if (sought !== undefined) {
          throw unexpectedResponseError(call, reply.context, this.#problemOf(noun, sought));
        }
        return readPage(reply, rows, offset, call);
      });
    });
  }

  /** Describes an unreadable row with the reason. */
  #problemOf(noun: string, { id, problem = "" }: ReadRow<T>): string {
    return `the ${noun} ${this.transport.clean(id)} cannot be read: ${problem}`;
  }
}

function operationText(noun: string, { name }: ListOptions): string {
  return name === undefined ? `Listing ${plural(noun)}` : `Looking for ${plural(noun)} named ${quote(name)}`;
}

/** Whether an unreadable row may have the requested name. Null is no name. */
function isPossibleMatch(name: string | undefined, given: unknown): boolean {
  const isOther = given === null || (typeof given === "string" && !isSameName(given, name));
  return name !== undefined && !isOther;
}

async function collect<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const page of pages) {
    all.push(...page);
  }
  return all;
}

/** Yields at most `limit` rows from number `offset` on, no empty pages. Then stops reading. */
async function* slicePages<T>(
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

/** Throws `InputError` for a search text or a name that cannot find anything. */
export function checkFilter(property: string, value: string | undefined): void {
  if (value === undefined) {
    return;
  }
  const bad = (why: string) => new InputError("filter_invalid", property, `"${property}" ${why}`);
  if (typeof value !== "string" || value === "" || [...value].length > filterCodePointsMax) {
    throw bad(`must be a string of 1 to ${filterCodePointsMax} characters.`);
  }
  if (/[\p{Cc}\p{Cs}]/u.test(value)) {
    throw bad("has a control character or invalid Unicode. Remove it.");
  }
}
