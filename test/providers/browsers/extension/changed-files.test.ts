import { changedFilesText } from "../../../../src/providers/messages/changed-files.js";

describe("message about the changed files of an extension", () => {
  test("the message names the first three changed files and counts the rest", () => {
    const before = { "a.js": "1", "b.js": "1", "c.js": "1", "d.js": "1", "same.js": "1" };
    const after = { "a.js": "2", "b.js": "2", "d.js": "2", "e/": "1", "same.js": "1" };
    expect(changedFilesText(before, after)).toBe(
      '5 files changed: "a.js", "b.js", "c.js" (removed) and 2 more.',
    );
  });

  test("the message distinguishes an added file from a changed file", () => {
    expect(changedFilesText({}, { "new.js": "1" })).toBe('1 file changed: "new.js" (added).');
    expect(changedFilesText({ "a.js": "1" }, { "a.js": "2", "new.js": "1" })).toBe(
      '2 files changed: "a.js", "new.js" (added).',
    );
  });

  test("without a changed file, there is no message about files", () => {
    expect(changedFilesText({ "a.js": "1" }, { "a.js": "1" })).toBeUndefined();
  });

  test("terminal control characters in a file name are escaped", () => {
    expect(changedFilesText({}, { "\u001b[31m.js": "1" })).toBe('1 file changed: "\\u001b[31m.js" (added).');
  });
});
