import fc from "fast-check";
import { type Page, walkPages } from "../../../src/client/http/paging.js";
import { ContractError } from "../../../src/client/index.js";

interface Row {
  readonly id: string;
  readonly place: number;
}

/**
 * Change of the list between two requests. Places are fractions of the order, shares are fractions
 * of the current list.
 */
interface Change {
  readonly added: readonly number[];
  readonly removed: { readonly from: number; readonly share: number };
}

const fraction = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const change: fc.Arbitrary<Change> = fc.record({
  added: fc.array(fraction, { maxLength: 12 }),
  removed: fc.record({ from: fraction, share: fc.oneof(fc.constant(0), fraction) }),
});

/** Service whose list changes before each request according to `changes`, then stays constant. */
function service(size: number, pageRows: number, changes: readonly Change[]) {
  let count = 0;
  const row = (place: number): Row => ({ id: `r${count++}`, place });
  let rows = Array.from({ length: size }, (_, i) => row(i / Math.max(1, size)));
  const first = rows;
  let lasting: ReadonlySet<string> = new Set();
  const ever = new Set<string>();
  const note = (start: boolean) => {
    const present = new Set(rows.map(({ id }) => id));
    lasting = start ? present : new Set([...lasting].filter((id) => present.has(id)));
    for (const id of present) {
      ever.add(id);
    }
  };
  let requests = 0;
  const read = async (offset: number): Promise<Page<Row>> => {
    const now = changes[requests++];
    if (now !== undefined && requests > 1) {
      const begin = Math.floor(now.removed.from * rows.length);
      const end = begin + Math.floor(now.removed.share * (rows.length - begin));
      rows = rows.filter((_, i) => i < begin || i >= end).concat(now.added.map(row));
      rows.sort((a, b) => a.place - b.place);
    }
    note(requests === 1);
    const page = rows.slice(offset, offset + pageRows);
    const next = offset + page.length;
    return {
      rows: page,
      nextOffset: next < rows.length ? next : undefined,
      fail: (what) => new ContractError(what, { method: "GET", path: "/" }),
    };
  };
  return { read, first, lasting: () => lasting, ever, requests: () => requests };
}

/** Ids of all rows. `requests`: number of requests so far. A step of the walk is a request. */
async function idsOf(walk: AsyncIterable<readonly Row[]>, requests: () => number): Promise<string[]> {
  const ids: string[] = [];
  let steps = 0;
  for await (const page of walk) {
    steps += 1;
    expect(requests()).toBe(steps);
    ids.push(...page.map(({ id }) => id));
  }
  return ids;
}

describe("a walk over pages", () => {
  test("a walk over a list that changes between pages returns no row twice and misses no lasting row", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 120 }),
        fc.integer({ min: 2, max: 12 }),
        fc.array(change, { maxLength: 12 }),
        async (size, pageRows, changes) => {
          const { read, lasting, ever, requests } = service(size, pageRows, changes);
          const ids = await idsOf(walkPages(1000, read), requests);
          expect(new Set(ids).size).toBe(ids.length);
          expect([...lasting()].filter((id) => !ids.includes(id))).toEqual([]);
          expect(ids.filter((id) => !ever.has(id))).toEqual([]);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test("an unchanging list is read in order, each page overlapping the previous page by a row", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 120 }),
        fc.integer({ min: 2, max: 12 }),
        async (size, pageRows) => {
          const { read, first, requests } = service(size, pageRows, []);
          expect(await idsOf(walkPages(1000, read), requests)).toEqual(first.map(({ id }) => id));
          expect(requests()).toBe(Math.max(1, Math.ceil((size - 1) / (pageRows - 1))));
        },
      ),
      { numRuns: 200 },
    );
  });

  test("a list that changes forever ends in a contract error, not in a list with gaps", async () => {
    // Before each request, three quarters of the list are deleted and as many new rows are
    // appended.
    const forever = Array.from({ length: 100 }, () => ({
      added: Array.from({ length: 90 }, (_, i) => 0.9 + i / 1000),
      removed: { from: 0, share: 0.75 },
    }));
    const { read, requests } = service(120, 10, forever);
    const error = await idsOf(walkPages(60, read), requests).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ContractError);
  });
});
