import fc from "fast-check";
import { dateTimeMs } from "../../../src/text/date-time.js";

const ten = Date.UTC(2026, 10, 21, 10);

describe("dates and times", () => {
  test.each<[string, number]>([
    ["2026-11-21T10:00:00Z", ten],
    ["2026-11-21t10:00:00z", ten],
    ["2026-11-21 10:00:00Z", ten],
    ["2026-11-21T10:00Z", ten],
    ["2026-11-21T10:00:00", ten],
    ["2026-11-21", Date.UTC(2026, 10, 21)],
    ["2026-11-21T10:00:00.123Z", ten + 123],
    ["2026-11-21T10:00:00,5Z", ten + 500],
    ["2026-11-21T10:00:00.999999999Z", ten + 999],
    ["2026-11-21T12:00:00+02:00", ten],
    ["2026-11-21T12:00:00+0200", ten],
    ["2026-11-21T12:00:00+02", ten],
    ["2026-11-21T04:15:00-05:45", ten],
    ["2026-11-21T10:00:00-00:00", ten],
    ["2026-12-31T23:59:60Z", Date.UTC(2027, 0, 1)],
    ["2026-12-31T24:00:00Z", Date.UTC(2027, 0, 1)],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
    ["0001-01-01T00:00:00Z", -62_135_596_800_000],
  ])("the date-time %j is read", (text, ms) => {
    expect(dateTimeMs(text)).toBe(ms);
  });

  test.each([
    "",
    "yesterday",
    "1",
    "2026",
    "Sat, 21 Nov 2026 10:00:00 GMT",
    "Nov 21 2026",
    "2026-11-21T10:00:00Z ",
    "\u001b[31m2026-11-21T10:00:00Z",
    "2026-11-21T10:00:00Z\u001b[0m",
    "2026-11-21T10:00:00Z\n",
    "2026-11-21 (\u001b]0;title\u0007)",
    "2026-11-21T10:00:00 (x)",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-11-31T00:00:00Z",
    "2026-11-21T25:00:00Z",
    "2026-11-21T24:00:01Z",
    "2026-11-21T10:60:00Z",
    "2026-11-21T10:00:61Z",
    "2026-11-21T10:00:00.Z",
    "2026-11-21T10:00:00+2",
    "2026-11-21T10:00:00+24:00",
    "2026-11-21T10:00:00+02:60",
    "２０２６-11-21T10:00:00Z",
    "+002026-11-21T10:00:00Z",
    `2026-11-21T10:00:00.${"1".repeat(1_000)}Z`,
  ])("%j is no date-time", (text) => {
    expect(dateTimeMs(text)).toBeUndefined();
  });

  test("every date that JavaScript writes is read as the same time", () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date("0000-01-01T00:00:00Z"),
          max: new Date("9999-12-31T23:59:59.999Z"),
          noInvalidDate: true,
        }),
        (date) => dateTimeMs(date.toISOString()) === date.getTime(),
      ),
      { numRuns: 2_000 },
    );
  });
});
