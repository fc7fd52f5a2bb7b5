import { ContractError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, type Script } from "../fault-server.js";
import { offsetsOf, serveList } from "../list-server.js";
import { closeBenches, startBench, wireExtension } from "../test-client.js";

afterEach(closeBenches);

const row = (id: string, name = id) => ({ ...wireExtension, id, name });
const page = (rows: object[], more?: string, next?: string): Script =>
  json(200, rows, {
    ...(more !== undefined && { "x-has-more": more }),
    ...(next !== undefined && { "x-next-offset": next }),
  });
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const many = (count: number, prefix = "x") => Array.from({ length: count }, (_, i) => row(`${prefix}${i}`));

describe("lists", () => {
  test.each([
    [0, 100, [0]],
    [1, 100, [0]],
    [100, 100, [0]],
    [101, 100, [0, 99]],
    [250, 100, [0, 99, 198]],
    [250, 20, [0, 19, 38, 57, 76, 95, 114, 133, 152, 171, 190, 209, 228, 247]],
  ])("a list of %i rows in pages of %i is read at the offsets %j", async (count, pageRowsMax, offsets) => {
    const { client, server } = await startBench([serveList({ rows: () => many(count), pageRowsMax })]);
    expect(ids(await client.extensions.list())).toEqual(ids(many(count)));
    expect(offsetsOf(server.requests)).toEqual(offsets);
  });

  test.each([100, 20])(
    "250 rows in pages of %i are listed without gaps or duplicates while further rows come and go",
    async (pageRowsMax) => {
      const lasting = many(250, "lasting");
      const rows = (request: number) =>
        // Before each request, ten rows are added or deleted at each of three places: at the
        // beginning, in the middle and at the end.
        [0, 100, 250].flatMap((end, part, ends) => [
          ...(request % 3 === part ? [] : many(10, `passing${part}_${request % 2}_`)),
          ...lasting.slice(end, ends[part + 1] ?? 250),
        ]);
      const { client } = await startBench([serveList({ rows, pageRowsMax })]);
      const listed = ids(await client.extensions.list());
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed.filter((id) => id.startsWith("lasting")).sort()).toEqual(ids(lasting).sort());
    },
  );

  test("a list steps back and misses no row when rows before the next page are deleted", async () => {
    const all = many(250);
    const { client, server } = await startBench([
      serveList({ rows: (request) => (request === 0 ? all : all.slice(30)) }),
    ]);
    expect(ids(await client.extensions.list())).toEqual(ids(all));
    expect(offsetsOf(server.requests)).toEqual([0, 99, 49, 148]);
  });

  test("a limit ends a list as soon as there are enough rows, and an offset skips rows", async () => {
    const { client, server } = await startBench([serveList({ rows: () => many(250) })]);
    expect(ids(await client.extensions.list({ limit: 3 }))).toEqual(["x0", "x1", "x2"]);
    expect(server.requests).toHaveLength(1);
    expect(ids(await client.extensions.list({ offset: 99, limit: 2 }))).toEqual(["x99", "x100"]);
    expect(server.requests).toHaveLength(3);
    expect(ids(await client.extensions.list({ offset: 248 }))).toEqual(["x248", "x249"]);
    expect(await client.extensions.list({ offset: 250 })).toEqual([]);
  });

  test("iterate returns rows one at a time, and reads no page before the caller asks for the first row", async () => {
    const { client, server } = await startBench([serveList({ rows: () => many(250) })]);
    let count = 0;
    for await (const { id } of client.extensions.iterate()) {
      expect(id).toBe(`x${count++}`);
      expect(server.requests).toHaveLength(count <= 100 ? 1 : 2);
      if (count === 120) {
        break;
      }
    }
    expect(count).toBe(120);
  });

  /** Service without paging headers that supports the parameters listed in `serves`. */
  const bare =
    (count: number, serves: { limit: boolean; offset: boolean }, maximum = 100): Script =>
    (socket, request) => {
      const query = new URL(request.target, "http://service.invalid").searchParams;
      const offset = serves.offset ? Number(query.get("offset")) : 0;
      const end = serves.limit ? offset + Math.min(maximum, Number(query.get("limit"))) : count;
      json(200, many(count).slice(offset, end))(socket, request);
    };

  test.each([
    [0, [0]],
    [1, [0]],
    [99, [0]],
    [100, [0, 99]],
    [101, [0, 99]],
    [250, [0, 99, 198]],
  ])("a list of %i rows without paging headers is read at the offsets %j", async (count, offsets) => {
    const { client, server } = await startBench([bare(count, { limit: true, offset: true })]);
    expect(ids(await client.extensions.list())).toEqual(ids(many(count)));
    expect(offsetsOf(server.requests)).toEqual(offsets);
  });

  test.each([
    ["the limit", { limit: false, offset: true }],
    ["the limit and the offset", { limit: false, offset: false }],
  ])("a list without paging headers that ignores %s is complete, and ends", async (_what, serves) => {
    const { client, server } = await startBench([bare(250, serves)]);
    expect(ids(await client.extensions.list())).toEqual(ids(many(250)));
    expect(server.requests).toHaveLength(2);
  });

  test("a list without paging headers that ignores the offset is refused, not cut short", async () => {
    const { client } = await startBench([bare(250, { limit: true, offset: false })]);
    const error = await errorOf(client.extensions.list());
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain("pages repeat");
  });

  test("an endless list without paging headers is given up after maxPages pages", async () => {
    const { client, server } = await startBench([bare(100_000, { limit: true, offset: true })], {
      maxPages: 9,
    });
    expect((await errorOf(client.extensions.list())).message).toContain(
      "the list does not end within 9 pages",
    );
    expect(server.requests).toHaveLength(9);
  });

  test("a list by name returns only names that are equal byte for byte", async () => {
    const rows = [row("a", "Ad-Blocker"), row("b", "ad-blocker"), { ...row("c"), name: null }];
    const { client, server } = await startBench([page(rows, "false", "0")]);
    expect(ids(await client.extensions.list({ name: "ad-blocker" }))).toEqual(["b"]);
    expect(server.requests[0]?.target).toBe("/extensions?limit=100&offset=0&name=ad-blocker");
  });

  test("a search text is percent-encoded", async () => {
    const { client, server } = await startBench([page([])]);
    await client.extensions.list({ query: "a b&c+d=é" });
    expect(server.requests[0]?.target).toBe("/extensions?limit=100&offset=0&query=a%20b%26c%2Bd%3D%C3%A9");
  });

  test("a list retries a page that fails once, and returns every row", async () => {
    const { client } = await startBench([
      page([row("a"), row("b")], "true", "2"),
      json(503, {}),
      page([row("b"), row("c")], "false", "0"),
    ]);
    expect(ids(await client.extensions.list())).toEqual(["a", "b", "c"]);
  });

  test.each<[string, Script[], string]>([
    [
      "repeat",
      [
        (socket, request) => {
          const offset = offsetsOf([request])[0] ?? 0;
          page([row("a"), row("b")], "true", String(offset + 2))(socket, request);
        },
      ],
      "the last 12 pages had no new row, but the list does not end: pages repeat",
    ],
    ["are empty but continue", [page([], "true", "100")], "page 1 is empty, but more pages are announced"],
    [
      "have one row but continue",
      [page([row("a")], "true", "1")],
      "page 1 has a single row, but more pages are announced; they cannot overlap",
    ],
    [
      "go back",
      [page([row("a"), row("b")], "true", "2"), page([row("b"), row("c")], "true", "1")],
      "the next offset 1 is not beyond 1",
    ],
    ["continue at 0", [page([row("a")], "true", "0")], "the next offset 0 is not beyond 0"],
    ["continue nowhere", [page([row("a")], "true")], 'header "x-next-offset" is not a whole number'],
    [
      "continue at a string",
      [page([row("a")], "true", "1e3")],
      'header "x-next-offset" is not a whole number',
    ],
    ["may continue", [page([row("a")], "maybe", "1")], 'header "x-has-more" is neither true nor false'],
  ])("pages that %s are a contract error", async (_fault, scripts, expected) => {
    const { client } = await startBench(scripts);
    const error = await errorOf(client.extensions.list());
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(expected);
  });

  test("an endless list is given up after maxPages pages", async () => {
    const { client, server } = await startBench([serveList({ rows: () => many(60), pageRowsMax: 3 })], {
      maxPages: 25,
    });
    expect((await errorOf(client.extensions.list())).message).toContain(
      "the list does not end within 25 pages",
    );
    expect(server.requests).toHaveLength(25);
  });

  test.each([
    ["name", ""],
    ["name", "x".repeat(256)],
    ["name", "a\ud800"],
    ["query", "a\0"],
    ["limit", 0],
    ["limit", 1.5],
    ["limit", "3"],
    ["offset", -1],
    ["offset", Number.NaN],
  ])("a list with the option %s of %j is refused before any request", async (property, value) => {
    const { client, server } = await startBench([page([])]);
    expect(await errorOf(client.extensions.list({ [property]: value }))).toMatchObject({
      name: "InputError",
      property,
    });
    expect(server.connections()).toBe(0);
  });
});
