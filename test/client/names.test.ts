import { isSameName, segmentProblem } from "../../src/client/names.js";

describe("names as the service compares them", () => {
  test.each([
    ["Web", "wEB"],
    ["Café", "cafe"],
    ["Cafe\u0301", "CAFÉ"],
  ])("the service takes the names %j and %j for equal", (a, b) => {
    expect(isSameName(a, b)).toBe(true);
  });

  test.each([
    ["web", "web "],
    ["web", "web\u200b"],
    ["web-1", "web_1"],
    ["web", undefined],
    [null, null],
  ])("the service takes the names %j and %j for different", (a, b) => {
    expect(isSameName(a, b)).toBe(false);
  });
});

describe("one segment of a path", () => {
  test.each([
    ["", "is empty"],
    ["..", "consists of dots"],
    ["\u2025", "consists of dots"],
    ["\uff0e\uff0e", "consists of dots"],
    ["％2e", "has one of the characters"],
    ["%2e%2e", "has one of the characters"],
    ["../api_keys", "has one of the characters"],
    ["a\\b", "has one of the characters"],
    ["a?b", "has one of the characters"],
    ["a#b", "has one of the characters"],
    ["a\r\nb", "has a control character"],
    ["a\u2028b", "has a control character"],
    ["a\ud800b", "has a control character or invalid Unicode"],
    ["é".repeat(128), "is longer than 255 bytes"],
  ])("a segment of a path cannot be %j: the segment %s", (text, why) => {
    expect(segmentProblem(text)).toContain(why);
  });

  test.each(["ad-blocker", "a b", "...a", "é".repeat(127)])("a segment of a path can be %j", (text) => {
    expect(segmentProblem(text)).toBeUndefined();
  });
});
