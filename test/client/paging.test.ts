import { ContractError } from "../../src/client/index.js";
import { json, type Script } from "./fault-server.js";
import { closeBenches, errorOf, startBench, wireExtension } from "./test-client.js";

afterEach(closeBenches);

const row = (id: string, name = id) => ({ ...wireExtension, id, name });
const page = (rows: object[], more?: string, next?: string): Script =>
  json(200, rows, {
    ...(more !== undefined && { "x-has-more": more }),
    ...(next !== undefined && { "x-next-offset": next }),
  });
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe("lists", () => {
  test("a list walks every page in order", async () => {
    const { client, server } = await startBench([
      page([row("a"), row("b")], "true", "2"),
      page([row("c")], "false", "0"),
    ]);
    expect(ids(await client.extensions.list())).toEqual(["a", "b", "c"]);
    expect(server.requests.map(({ target }) => target)).toEqual([
      "/extensions?limit=100&offset=0",
      "/extensions?limit=100&offset=2",
    ]);
  });

  test("a list without paging headers is one page", async () => {
    const { client } = await startBench([page([row("a")])]);
    expect(ids(await client.extensions.list())).toEqual(["a"]);
  });

  test("pages come one at a time, and no more are read than are asked for", async () => {
    const { client, server } = await startBench([
      page([row("a")], "true", "1"),
      page([row("b")], "true", "2"),
    ]);
    for await (const rows of client.extensions.pages()) {
      expect(ids(rows)).toEqual(["a"]);
      break;
    }
    expect(server.requests).toHaveLength(1);
  });

  test("a name is compared byte for byte after the service's loose match", async () => {
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

  test("a row that shifts onto the next page is listed once", async () => {
    const { client } = await startBench([
      page([row("a"), row("b")], "true", "2"),
      page([row("b"), row("c")], "false", "0"),
    ]);
    expect(ids(await client.extensions.list())).toEqual(["a", "b", "c"]);
  });

  test("a page that fails in passing is read again without losing the walk", async () => {
    const { client } = await startBench([
      page([row("a")], "true", "1"),
      json(503, {}),
      page([row("b")], "false", "0"),
    ]);
    expect(ids(await client.extensions.list())).toEqual(["a", "b"]);
  });

  test.each<[string, Script[], string]>([
    [
      "repeat",
      [page([row("a")], "true", "1"), page([row("a")], "true", "2")],
      "page 2 has no new row, yet more pages are announced",
    ],
    ["are empty and go on", [page([], "true", "100")], "page 1 has no new row, yet more pages are announced"],
    [
      "go back",
      [page([row("a")], "true", "1"), page([row("b")], "true", "1")],
      "the next offset 1 is not beyond 1",
    ],
    ["go on at 0", [page([row("a")], "true", "0")], "the next offset 0 is not beyond 0"],
    ["go on nowhere", [page([row("a")], "true")], 'header "x-next-offset" is not a whole number'],
    ["go on at text", [page([row("a")], "true", "1e3")], 'header "x-next-offset" is not a whole number'],
    ["may go on", [page([row("a")], "maybe", "1")], 'header "x-has-more" is neither true nor false'],
  ])("pages that %s are a contract error", async (_fault, scripts, expected) => {
    const { client } = await startBench(scripts);
    const error = await errorOf(client.extensions.list());
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(expected);
  });

  test("a list without end is given up after the most pages allowed", async () => {
    let count = 0;
    const next: Script = (socket, request) => {
      count++;
      page([row(`x${count}`)], "true", String(count))(socket, request);
    };
    const { client, server } = await startBench([next], { pagesMax: 25 });
    expect((await errorOf(client.extensions.list())).message).toContain(
      "the list does not end within 25 pages",
    );
    expect(server.requests).toHaveLength(25);
  });

  test.each([
    ["name", ""],
    ["name", "x".repeat(256)],
    ["query", "a\0"],
  ])("a filter %s of %j is refused before any request", async (property, value) => {
    const { client, server } = await startBench([page([])]);
    expect(await errorOf(client.extensions.list({ [property]: value }))).toMatchObject({
      name: "InputError",
      property,
    });
    expect(server.connections()).toBe(0);
  });
});
