import { changedFilesText } from "../../../../src/providers/browsers/extension/changed-files.js";

describe("which files of an extension change, in words", () => {
  test("names the first three and counts the rest", () => {
    const before = { "a.js": "1", "b.js": "1", "c.js": "1", "d.js": "1", "same.js": "1" };
    const after = { "a.js": "2", "b.js": "2", "d.js": "2", "e/": "1", "same.js": "1" };
    expect(changedFilesText(before, after)).toBe(
      '5 files changed: "a.js", "b.js", "c.js" (removed) and 2 more.',
    );
  });

  test("distinguishes an added file from one that changes", () => {
    expect(changedFilesText({}, { "new.js": "1" })).toBe('1 file changed: "new.js" (added).');
    expect(changedFilesText({ "a.js": "1" }, { "a.js": "2", "new.js": "1" })).toBe(
      '2 files changed: "a.js", "new.js" (added).',
    );
  });

  test("says nothing when only the packing differs", () => {
    expect(changedFilesText({ "a.js": "1" }, { "a.js": "1" })).toBeUndefined();
  });

  test("escapes a name that would steer a terminal", () => {
    expect(changedFilesText({}, { "\u001b[31m.js": "1" })).toBe('1 file changed: "\\u001b[31m.js" (added).');
  });
});
