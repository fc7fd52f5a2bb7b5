import fc from "fast-check";
import { packExtension, readExtension } from "../../../src/archive/index.js";
import { compileExclude } from "../../../src/archive/rules/exclude.js";
import { InputError } from "../../../src/errors.js";
import { errorOf } from "../../support/error-of.js";
import { manifestText } from "../fixtures.js";
import { extensionOf, folderOf } from "../folders.js";

async function pathsWithout(folder: string, ...exclude: string[]): Promise<string[]> {
  return (await readExtension(folder, { exclude })).entries.map(({ path }) => path);
}

describe("exclude", () => {
  const tree = () =>
    extensionOf([
      ["app.js", ""],
      ["app.js.map", ""],
      ["lib/deep/app.js.map", ""],
      ["tests/a.test.js", ""],
      ["tests/deep/b.test.js", ""],
      ["sub/tests/c.test.js", ""],
      [".hidden/notes", ""],
      ["Tests.md", ""],
    ]);
  const everything = [
    ".hidden/notes",
    "Tests.md",
    "app.js",
    "app.js.map",
    "lib/deep/app.js.map",
    "manifest.json",
    "sub/tests/c.test.js",
    "tests/a.test.js",
    "tests/deep/b.test.js",
  ];

  test.each([
    ["nothing", [], []],
    ["a file by its path", ["app.js"], ["app.js"]],
    ["files at the top level only, without two stars", ["*.map"], ["app.js.map"]],
    ["files at every level with two stars", ["**/*.map"], ["app.js.map", "lib/deep/app.js.map"]],
    ["a folder by its name", ["tests"], ["tests/a.test.js", "tests/deep/b.test.js"]],
    ["a folder with a slash at the end", ["tests/"], ["tests/a.test.js", "tests/deep/b.test.js"]],
    ["a folder with two stars", ["tests/**"], ["tests/a.test.js", "tests/deep/b.test.js"]],
    [
      "everything one level below a folder, including folders with their contents",
      ["tests/*"],
      ["tests/a.test.js", "tests/deep/b.test.js"],
    ],
    [
      "a folder at every level",
      ["**/tests"],
      ["sub/tests/c.test.js", "tests/a.test.js", "tests/deep/b.test.js"],
    ],
    ["names that begin with a dot like others", ["*hidden"], [".hidden/notes"]],
    ["alternatives", ["{app.js,lib}"], ["app.js", "lib/deep/app.js.map"]],
    ["one character of several", ["[aT]*.{js,md}"], ["Tests.md", "app.js"]],
    ["any one character", ["ap?.js"], ["app.js"]],
    ["nothing for a name in another letter case", ["TESTS", "APP.js"], []],
    ["a path that begins with ./", ["./app.js"], ["app.js"]],
    ["nothing for a file when the pattern ends in a slash", ["app.js/"], []],
    ["what any of several patterns matches", ["app.js", "sub"], ["app.js", "sub/tests/c.test.js"]],
  ])("exclude leaves out %s", async (_what, exclude, gone) => {
    const left = await pathsWithout(tree(), ...exclude);
    expect(left).toEqual(everything.filter((path) => !gone.includes(path)));
  });

  test.each([
    ["a pattern that matches nothing", ["nope/**", "app.js"], ["nope/**"]],
    ["a name in another letter case", ["TESTS"], ["TESTS"]],
    ["a pattern for one level where files are deeper", ["*.test.js"], ["*.test.js"]],
    ["what a folder that is left out has in it", ["tests", "tests/a.test.js"], ["tests/a.test.js"]],
    ["not those that repeat one another", ["tests", "tests/", "tests/**", "**/tests"], []],
    ["not one whose file another one matches as well", ["*.map", "app.js.map"], []],
  ])("exclude patterns that match no file are reported: %s", async (_what, exclude, unused) => {
    const { unusedPatterns } = await readExtension(tree(), { exclude });
    expect(unusedPatterns).toEqual(unused);
    expect((await packExtension(tree(), { exclude })).unusedPatterns).toEqual(unused);
  });

  test("the content digest with exclude equals the digest of a folder without the excluded files", async () => {
    const [full, bare] = [extensionOf([["notes.md", "x"]]), extensionOf()];
    const { contentDigest } = await readExtension(full, { exclude: ["notes.md"] });
    expect(contentDigest).toBe((await readExtension(bare)).contentDigest);
  });

  test("an excluded folder is not read, so a bad file name inside does no harm", async () => {
    const folder = extensionOf([["docs/NUL.txt", ""]]);
    await expect(readExtension(folder)).rejects.toThrow("reserved on Windows");
    expect(await pathsWithout(folder, "docs")).toEqual(["manifest.json"]);
  });

  test("the error for an excluded file that the manifest names mentions exclude", async () => {
    const folder = folderOf([
      ["manifest.json", manifestText({ options_page: "pages/options.html" })],
      ["pages/options.html", ""],
    ]);
    await expect(readExtension(folder, { exclude: ["pages"] })).rejects.toThrow(
      '"options_page" names "pages/options.html", which is excluded by "exclude"',
    );
  });

  test.each([
    ["", "is empty"],
    ["  ", "is empty"],
    ["!keep.js", 'begins with "!"'],
    ["/tests", "is absolute"],
    ["C:/tests", "is absolute"],
    ["../other", 'leads out of the folder with ".."'],
    ["a/../b", 'leads out of the folder with ".."'],
    ["a//b", "has an empty name"],
    ["a/./b", "has an empty name"],
    ["tests\\unit", "has a backslash"],
    ["a\u0007b", "has a control character"],
    ["a[b", "is not a valid glob"],
    ["x".repeat(1_025), "is longer than 1024 characters"],
    ["*a*a*a*a*b", "has more than 4 wildcards"],
    ["{a,b}{a,b}{a,b}{a,b}", "has more than 3 lists in braces"],
    ["manifest.json", 'matches "manifest.json"'],
    ["*.json", 'matches "manifest.json"'],
    ["**", 'matches "manifest.json"'],
  ])("the exclude pattern %j is refused", async (pattern, problem) => {
    const error = await errorOf(readExtension(extensionOf(), { exclude: ["ok", pattern] }));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "exclude_invalid", property: "exclude" });
    expect(error.message).toContain(problem);
    expect(error.message.length).toBeLessThan(400);
  });

  test.each([
    ["a string", "tests", "must be a list"],
    ["numbers", [1], "is not a string"],
    ["too many patterns", Array.from({ length: 201 }, (_, index) => `f${index}`), "the maximum is 200"],
  ])("exclude refuses %s", async (_what, exclude, problem) => {
    const error = await errorOf(readExtension(extensionOf(), { exclude: exclude as string[] }));
    expect(error).toMatchObject({ code: "exclude_invalid", property: "exclude" });
    expect(error.message).toContain(problem);
  });

  test("an exclude pattern matches every character except * ? [ ] { } literally", () => {
    const plain = fc.stringMatching(/^[a-z0-9 ()|+@!$^.,;=~'#&%_-]{1,12}$/).filter((name) => {
      return name.trim() !== "" && !name.startsWith("!") && name !== "." && name !== "..";
    });
    fc.assert(
      fc.property(plain, plain, (name, other) => {
        const matches = compileExclude([name]);
        expect(matches(name, false)).toBe(true);
        expect(matches(other, false)).toBe(other === name);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test.each([
    ["stars", "*a*a*a*b", "a".repeat(255)],
    ["folders", "**/a/**/a/**/a/**/b", `${"a/".repeat(127)}a`],
    ["lists", "{a,aa}{a,aa}{a,aa}b", "a".repeat(255)],
    ["groups", "+(+(a))b", "a".repeat(255)],
    ["a regular expression", "(a|aa)+b", "a".repeat(255)],
  ])("an exclude pattern takes at most 5 seconds for a hostile name against %s", (_what, pattern, name) => {
    const startedAt = performance.now();
    expect(compileExclude([pattern])(name, false)).toBe(false);
    // About a second for the first on a slow machine; without the limits, longer than anybody
    // waits.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
