import { counted, durationText, listed, sizeText } from "../../../src/text/words.js";

describe("words for numbers", () => {
  test.each([
    [0, "0 ms"],
    [60.4, "60 ms"],
    [999.6, "1 s"],
    [40_400, "40 s"],
    [1_500_000, "25 min"],
    [3_900_000, "1 h 5 min"],
    [5_400_001, "1 h 30 min"],
    [3_601_000, "1 h 1 s"],
  ])("a duration of %d milliseconds reads %s", (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  test.each([
    [1, "1 byte"],
    [1_023, "1,023 bytes"],
    [3_584, "3.5 KiB"],
    [46_137_344, "44.0 MiB"],
    [2 ** 30, "1.0 GiB"],
  ])("a size of %d bytes reads %s", (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });

  test("counted writes plurals and thousands, and listed shortens long lists", () => {
    expect(counted(1, "entry", "entries")).toBe("1 entry");
    expect(counted(12_000, "file")).toBe("12,000 files");
    expect(listed(["a", "b"])).toBe("a, b");
    expect(listed(["a", "b", "c", "d", "e", "f", "g"])).toBe("a, b, c, d, e and 2 more");
    expect(listed(["a", "b", "c"], 2, "; ")).toBe("a; b and 1 more");
  });
});
