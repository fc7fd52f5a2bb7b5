import type { ContractError } from "../../errors.js";
import type { HttpCall, HttpResponse } from "./call.js";
import { unexpectedResponseError } from "./failures.js";

/** Rows requested per page. The service allows 100 at most. */
export const pageRowsMax = 100;
/** Maximum number of pages read for a list, repeats included: enough for about 100 000 rows. */
export const defaultMaxPages = 1000;

/** A page as received, with the offset of the next page; undefined on the last page. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly nextOffset: number | undefined;
  /** True if the service does not report whether there is a next page. Default false. */
  readonly isEndUnknown?: boolean;
  readonly fail: (what: string) => ContractError;
}

/**
 * Reads the paging headers. The interface does not specify paging headers. Without `x-has-more`, a
 * page with at least the requested number of rows may have a next page, and a smaller page is the
 * last. `true` must come with a whole `x-next-offset` beyond the present offset: a list that stops
 * early would report existing objects as absent.
 */
export function readPage<T>(
  reply: HttpResponse,
  rows: readonly T[],
  offset: number,
  call: Pick<HttpCall, "operation">,
): Page<T> {
  const fail = (what: string) => unexpectedResponseError(call, reply.context, what);
  const more = reply.header("x-has-more")?.trim().toLowerCase();
  if (more === undefined && rows.length >= pageRowsMax) {
    return { rows, nextOffset: offset + rows.length, isEndUnknown: true, fail };
  }
  if (more === undefined || more === "false") {
    return { rows, nextOffset: undefined, fail };
  }
  if (more !== "true") {
    throw fail('header "x-has-more" is neither true nor false');
  }
  const next = reply.header("x-next-offset")?.trim() ?? "";
  if (!/^\d{1,15}$/.test(next)) {
    throw fail('more pages are announced, but header "x-next-offset" is not a whole number');
  }
  if (Number(next) <= offset) {
    throw fail(`more pages are announced, but the next offset ${Number(next)} is not beyond ${offset}`);
  }
  return { rows, nextOffset: Number(next), fail };
}

/** Most successive pages without a new row, beyond the number of pages with a new row. */
const repeatedPagesMax = 10;

/**
 * Walks every page and yields the new rows of every page, perhaps none: a request per step. The list
 * may change between two requests: nothing comes twice, and no row that is in the list all the time
 * is missed, provided that the service keeps the order and no row moves.
 *
 * Every page overlaps the previous page by a row. A page counts only if the page joins the rows
 * read so far: the page begins the list or has a known row. Otherwise so many earlier rows were
 * deleted that the walk steps back, further every time. Reason: let every lasting row up to some
 * place F be read, and no row beyond F. A page that joins contains everything present from a row at
 * or before F, or from the beginning, to its last row. So every lasting row is read up to that last
 * row, or still up to F if F is further. The walk ends with a page that joins and ends the list.
 *
 * A service that sends more rows than requested, and the same rows for a different offset, ignores
 * limit and offset: without paging headers, the rows are the whole list.
 *
 * Throws `ContractError` when pages repeat, when pages are too small to overlap, and when there are
 * more than `maxPages`.
 */
export async function* walkPages<T extends { readonly id: string }>(
  maxPages: number,
  read: (offset: number) => Promise<Page<T>>,
): AsyncGenerator<readonly T[], void, undefined> {
  const seen = new Set<string>();
  let offset = 0;
  let stepBackRows = 1;
  let [fruitful, repeated] = [0, 0];
  let before: Page<T> | undefined;
  for (let number = 1; ; number++) {
    const page: Page<T> = await read(offset);
    const { rows, nextOffset } = page;
    const joins = offset === 0 || rows.some(({ id }) => seen.has(id));
    const fresh = joins ? rows.filter(({ id }) => !seen.has(id) && seen.add(id)) : [];
    yield fresh;
    if ((joins && nextOffset === undefined) || isWholeList(page, before)) {
      return;
    }
    before = page;
    [fruitful, repeated] = fresh.length > 0 ? [fruitful + 1, 0] : [fruitful, repeated + 1];
    if (joins && rows.length === 0) {
      throw page.fail(`page ${number} is empty, but more pages are announced`);
    }
    if (repeated > fruitful + repeatedPagesMax) {
      throw page.fail(
        `the last ${repeated} pages had no new row, but the list does not end: pages repeat, or the list changes faster than pages can be read`,
      );
    }
    if (number >= maxPages) {
      throw page.fail(`the list does not end within ${maxPages} pages`);
    }
    if (joins && nextOffset !== undefined) {
      if (nextOffset - 1 <= offset) {
        throw page.fail(`page ${number} has a single row, but more pages are announced; they cannot overlap`);
      }
      offset = nextOffset - 1;
      stepBackRows = Math.ceil(rows.length / 2);
    } else {
      offset = Math.max(0, offset - stepBackRows);
      stepBackRows *= 2;
    }
  }
}

/** Whether the service sends all rows, whatever was requested. */
function isWholeList(
  { rows, isEndUnknown }: Page<{ readonly id: string }>,
  before: Page<{ readonly id: string }> | undefined,
): boolean {
  return (
    isEndUnknown === true &&
    rows.length > pageRowsMax &&
    rows.length === before?.rows.length &&
    rows.every(({ id }, at) => id === before.rows[at]?.id)
  );
}
