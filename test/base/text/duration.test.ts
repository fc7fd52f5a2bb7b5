import { durationMs } from "../../../src/text/duration.js";

describe("duration", () => {
  test.each([
    ["90s", 90_000],
    ["5m", 300_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["500ms", 500],
    [" 2s ", 2_000],
  ])("the duration %s is read as in Pulumi", (text, expected) => {
    expect(durationMs(text)).toBe(expected);
  });

  test.each(["", "soon", "5", "5 m", "-5m", "m", "5m x"])("%j is no duration", (text) => {
    expect(durationMs(text)).toBeUndefined();
  });
});
