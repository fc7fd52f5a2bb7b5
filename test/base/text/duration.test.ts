import { durationMs } from "../../../src/text/duration.js";

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

  test.each(["", "soon", "5", "5 m", "-5m", "m", "5m x"])("does not read %j as a duration", (text) => {
    expect(durationMs(text)).toBeUndefined();
  });
});
