import { extensionNameProblem } from "../../../src/client/names.js";
import { autoName } from "../../../src/providers/extension/auto-name.js";

const urnOf = (name: string) =>
  `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::${name}`;
const parts = { urn: urnOf("reader"), checksum: "a".repeat(64), projectId: undefined };

describe("auto-name", () => {
  test("is the logical name and seven digits, the same every time", () => {
    expect(autoName(parts)).toMatch(/^reader-[0-9a-f]{7}$/);
    expect(autoName(parts)).toBe(autoName({ ...parts }));
  });

  test("differs for other content, another project and another resource", () => {
    const names = [
      parts,
      { ...parts, checksum: "b".repeat(64) },
      { ...parts, projectId: "proj_1" },
      { ...parts, urn: urnOf("other") },
    ].map(autoName);
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
  ])("is one the service takes for the logical name %p", (logicalName) => {
    expect(extensionNameProblem(autoName({ ...parts, urn: urnOf(logicalName) }))).toBeUndefined();
  });
});
