import type { ContractError } from "../../errors.js";
import type { Call, Reply } from "./call.js";
import { unexpectedAnswer } from "./failures.js";

/** Rows asked for per page. The service allows 100 at most. */
export const pageRowsMax = 100;
/** Most pages read by one list, repeats included: enough for about 100 000 rows. */
export const defaultMaxPages = 1000;

/** One page as received, with the offset of the next one; undefined on the last. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly nextOffset: number | undefined;
  /** The service does not say whether there is a next page. Default false. */
  readonly isOpen?: boolean;
  readonly fail: (what: string) => ContractError;
}

/**
 * Reads the paging headers. The interface does not specify them, so without `x-has-more` a page
 * with as many rows as were asked for may have a next one, and any other is the last. `true` must
 * come with a whole `x-next-offset` beyond the present one: a list that stops early would report
 * objects as absent that exist.
 */
export function readPage<T>(
  reply: Reply,
  rows: readonly T[],
  offset: number,
  call: Pick<Call, "operation">,
): Page<T> {
  const fail = (what: string) => unexpectedAnswer(call, reply.context, what);
  const more = reply.header("x-has-more")?.trim().toLowerCase();
  if (more === undefined && rows.length >= pageRowsMax) {
    return { rows, nextOffset: offset + rows.length, isOpen: true, fail };
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

/** Most pages without a new row in succession, beyond as many as there were with one. */
const repeatedPagesMax = 10;

/**
 * Walks every page and yields the rows of each that were not seen before, never an empty page. The
 * list may change between two requests: nothing comes twice, and nothing that is in the list all
 * the time is missed, provided that the service keeps to one order and no row changes its place.
 *
 * Each page overlaps the one before by a row. A page counts only if it joins what was read, that
 * is, if it begins the list or has a row seen before. Otherwise so many rows before it have gone
 * that the walk steps back, further each time. Why that suffices: let every lasting row up to some
 * place F be read, and no row beyond F. A page that joins holds everything present from a row at or
 * before F, or the beginning, to its own last row. So the same is true for that row, or still for F
 * if that is further. The walk ends with a page that joins and ends the list.
 *
 * A service that sends more rows than asked for and the same ones for another offset pays attention
 * to neither: without paging headers, that is the whole list.
 *
 * Throws `ContractError` when pages repeat, when they are too small to overlap, and when there are
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
    if (fresh.length > 0) {
      yield fresh;
    }
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
        `the last ${repeated} pages had no new row, but the list does not end: its pages repeat, or it changes faster than it can be read`,
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

/** Whether the service sends all rows, whatever it is asked for. */
function isWholeList(
  { rows, isOpen }: Page<{ readonly id: string }>,
  before: Page<{ readonly id: string }> | undefined,
): boolean {
  return (
    isOpen === true &&
    rows.length > pageRowsMax &&
    rows.length === before?.rows.length &&
    rows.every(({ id }, at) => id === before.rows[at]?.id)
  );
}
