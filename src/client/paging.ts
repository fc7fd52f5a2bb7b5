import type { ContractError } from "../errors.js";
import type { Call, Reply } from "./exchange.js";
import { unexpectedAnswer } from "./unexpected-answer.js";

/** Rows asked for per page; the service allows 100 at most. */
export const pageRowsMax = 100;
/** Pages walked at most, unless told otherwise: a hundred thousand rows. */
export const pagesMaxDefault = 1000;

/** One page as it came, with the offset of the next one, or undefined on the last. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly nextOffset: number | undefined;
  readonly fail: (what: string) => ContractError;
}

/**
 * Reads the paging headers. Without `x-has-more` there is one page only, as the service's own SDKs read it; `true` must come with a whole
 * `x-next-offset` beyond the present one, since a walk that stops early would report things as absent that exist.
 */
export function readPage<T>(
  reply: Reply,
  rows: readonly T[],
  offset: number,
  call: Pick<Call, "doing">,
): Page<T> {
  const fail = (what: string) => unexpectedAnswer(call, reply.context, what);
  const more = reply.header("x-has-more")?.trim().toLowerCase();
  if (more === undefined || more === "false") return { rows, nextOffset: undefined, fail };
  if (more !== "true") throw fail('header "x-has-more" is neither true nor false');
  const next = reply.header("x-next-offset")?.trim() ?? "";
  if (!/^\d{1,15}$/.test(next))
    throw fail('more pages are announced, but header "x-next-offset" is not a whole number');
  if (Number(next) <= offset)
    throw fail(`more pages are announced, but the next offset ${Number(next)} is not beyond ${offset}`);
  return { rows, nextOffset: Number(next), fail };
}

/**
 * Walks every page, yielding the rows of each that were not seen before (rows shift between pages when something is added meanwhile).
 * Throws `ContractError` when more pages are announced after one without a new row, and after `pagesMax` pages.
 */
export async function* walkPages<T extends { readonly id: string }>(
  pagesMax: number,
  read: (offset: number) => Promise<Page<T>>,
): AsyncGenerator<readonly T[], void, undefined> {
  const seen = new Set<string>();
  let offset: number | undefined = 0;
  for (let number = 1; offset !== undefined; number++) {
    const page: Page<T> = await read(offset);
    const fresh = page.rows.filter((row) => !seen.has(row.id) && seen.add(row.id));
    if (page.nextOffset !== undefined && fresh.length === 0)
      throw page.fail(`page ${number} has no new row, yet more pages are announced`);
    if (page.nextOffset !== undefined && number >= pagesMax)
      throw page.fail(`the list does not end within ${pagesMax} pages`);
    yield fresh;
    offset = page.nextOffset;
  }
}
