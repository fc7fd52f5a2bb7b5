import { lstatSync } from "node:fs";
import { readListedFile } from "../../src/archive/read-file.js";
import { extensionOf } from "./folders.js";

function listedFile(location: string) {
  return { location, path: "content.js", state: lstatSync(location, { bigint: true }) };
}

describe("archive: reading a file", () => {
  test("gives the whole file, an empty one too", () => {
    const folder = extensionOf([
      ["content.js", "all of it"],
      ["empty.js", ""],
    ]);
    expect(readListedFile(listedFile(`${folder}/content.js`), "Folder").toString()).toBe("all of it");
    expect(readListedFile(listedFile(`${folder}/empty.js`), "Folder")).toHaveLength(0);
  });

  // Linux alone has files that state a size of 0 and hold something.
  if (process.platform === "linux") {
    test("fails for a file that holds more than the size it states, instead of cutting it", () => {
      expect(() => readListedFile(listedFile("/proc/self/status"), 'Folder "x"')).toThrow(
        'Folder "x" changed: "content.js" was written or removed while it was read',
      );
    });
  }
});
