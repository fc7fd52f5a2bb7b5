import { durationMs, durationText } from "../../src/duration.js";

describe("duration", () => {
  test.each([
    ["90s", 90_000],
    ["5m", 300_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["500ms", 500],
    [" 2s ", 2_000],
  ])("reads %s as Pulumi does", (text, expected) => {
    expect(durationMs(text)).toBe(expected);
  });

  test.each(["", "soon", "5", "5 m", "-5m", "m", "5m x"])("takes %j for none", (text) => {
    expect(durationMs(text)).toBeUndefined();
  });

  test.each([
    [0, "0 ms"],
    [60.4, "60 ms"],
    [999.6, "1 s"],
    [40_400, "40 s"],
    [1_500_000, "25 min"],
    [3_900_000, "1 h 5 min"],
    [5_400_001, "1 h 30 min"],
    [3_601_000, "1 h 1 s"],
  ])("of %d milliseconds reads %s", (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
