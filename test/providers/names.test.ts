import { extensionNameProblem } from "../../src/client/names.js";
import { autoName } from "../../src/providers/names.js";

const urnOf = (name: string) =>
  `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::${name}`;
const urn = urnOf("reader");
const checksum = "a".repeat(64);

describe("an automatic name", () => {
  test("an automatic name is the logical name and seven digits, and always the same", () => {
    expect(autoName(urn, checksum, undefined)).toMatch(/^reader-[0-9a-f]{7}$/);
    expect(autoName(urn, checksum, undefined)).toBe(autoName(urn, checksum, undefined));
  });

  test("automatic names differ by content, project and resource", () => {
    const names = [
      autoName(urn, checksum),
      autoName(urn, "b".repeat(64)),
      autoName(urn, checksum, "proj_1"),
      autoName(urnOf("other"), checksum),
      autoName(urn),
    ];
    expect(new Set(names).size).toBe(names.length);
  });

  test.each([
    "a name with spaces",
    "ünïcödé",
    "a::b",
    "😀",
    "/",
    "x".repeat(400),
    "abcdefghijklmnopqrstuvwx",
  ])("the service accepts the automatic name for the logical name %p", (logicalName) => {
    expect(extensionNameProblem(autoName(urnOf(logicalName), checksum))).toBeUndefined();
  });
});
