import { isSameName } from "../../src/client/names.js";

describe("names as the service compares them", () => {
  test.each([
    ["Web", "wEB"],
    ["Café", "cafe"],
    ["Cafe\u0301", "CAFÉ"],
  ])("%j and %j are the same", (a, b) => {
    expect(isSameName(a, b)).toBe(true);
  });

  test.each([
    ["web", "web "],
    ["web", "web\u200b"],
    ["web-1", "web_1"],
    ["web", undefined],
    [null, null],
  ])("%j and %j are not the same", (a, b) => {
    expect(isSameName(a, b)).toBe(false);
  });
});
