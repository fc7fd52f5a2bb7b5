import type { Emulator } from "../../../src/emulator/index.js";
import { newEmulator } from "../../support/emulator.js";
import { call, refusal, stored, type WireExtension } from "../calls.js";

async function page(emulator: Emulator, query: string) {
  const response = await call(emulator, "GET", `/extensions${query}`);
  expect(response.status).toBe(200);
  const header = (name: string) => response.headers.get(name);
  return {
    names: ((await response.json()) as WireExtension[]).map(({ name }) => name),
    headers: [header("x-has-more"), header("x-next-offset"), header("x-limit"), header("x-offset")],
  };
}

async function filled(count: number): Promise<Emulator> {
  const emulator = await newEmulator();
  for (let index = 0; index < count; index += 1) {
    await stored(emulator, { name: `n${index}` });
  }
  return emulator;
}

describe("emulator: lists", () => {
  test.each([
    [0, 0, ["false", "0", "20", "0"]],
    [1, 1, ["false", "0", "20", "0"]],
    [20, 20, ["false", "0", "20", "0"]],
    [21, 20, ["true", "20", "20", "0"]],
  ])(
    "of %i extensions, the first page has %i, and the headers report whether more follow",
    async (count, rows, headers) => {
      const emulator = await filled(count);
      const first = await page(emulator, "");
      expect(first.headers).toEqual(headers);
      expect(first.names).toEqual(Array.from({ length: rows }, (_, index) => `n${count - 1 - index}`));
      const beyond = await page(emulator, "?offset=1000&limit=100");
      expect(beyond).toEqual({ names: [], headers: ["false", "0", "100", "1000"] });
    },
  );

  test("the name filter of a list ignores case and accents, and compares the whole name", async () => {
    const emulator = await newEmulator();
    for (const name of ["Ad-Blocker", "ad-blocker-2"]) {
      await stored(emulator, { name });
    }
    await stored(emulator);
    for (const name of ["ad-blocker", "AD-BLOCKER", "àd-blöcker", "a\u0301d-blocker"]) {
      const { names } = await page(emulator, `?name=${encodeURIComponent(name)}`);
      expect(names).toEqual(["Ad-Blocker"]);
    }
    expect((await page(emulator, "?name=ad")).names).toEqual([]);
  });

  test("the query of a list matches part of a name in any case or a complete id, without pattern characters", async () => {
    const emulator = await newEmulator();
    const { id } = await stored(emulator);
    for (const name of ["Ad-Blocker", "blocker_2", "other"]) {
      await stored(emulator, { name });
    }
    expect((await page(emulator, "?query=BLOCK")).names).toEqual(["blocker_2", "Ad-Blocker"]);
    expect((await page(emulator, `?query=${id}`)).names).toEqual([null]);
    expect((await page(emulator, `?query=${id.slice(0, 12)}`)).names).toEqual([]);
    expect((await page(emulator, "?query=_")).names).toEqual(["blocker_2"]);
    expect((await page(emulator, "?query=%25")).names).toEqual([]);
    expect((await page(emulator, "?query=block&name=AD-blocker")).names).toEqual(["Ad-Blocker"]);
  });

  test("a list request whose limit or offset is no whole number in range is refused with 400", async () => {
    const emulator = await newEmulator();
    for (const query of [
      "limit=0",
      "limit=101",
      "limit=-1",
      "limit=x",
      "limit=",
      "limit=1.5",
      "offset=-1",
      "offset=1e3",
    ]) {
      const [name] = query.split("=");
      expect(await refusal(await call(emulator, "GET", `/extensions?${query}`))).toMatchObject({
        status: 400,
        code: "bad_request",
        inner: "invalid_input",
        message: expect.stringContaining(`parameter ${name}`),
      });
    }
  });
});
