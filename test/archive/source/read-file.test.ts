import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { type ListedFile, piecesOf, readWhole } from "../../../src/archive/source/read-file.js";
import { extensionOf } from "../folders.js";

function listedFile(location: string) {
  return { location, path: "content.js", state: lstatSync(location, { bigint: true }) };
}

async function contentsOf(file: ListedFile, label = "Folder"): Promise<Buffer> {
  return readWhole(file, label);
}

describe("archive: reading a file", () => {
  test("a file is read whole, also an empty file", async () => {
    const folder = extensionOf([
      ["content.js", "all of it"],
      ["empty.js", ""],
    ]);
    expect((await contentsOf(listedFile(`${folder}/content.js`))).toString()).toBe("all of it");
    expect(await contentsOf(listedFile(`${folder}/empty.js`))).toHaveLength(0);
  });

  test("a file is read completely in pieces with a buffer of any size", async () => {
    const folder = extensionOf([["content.js", "0123456789"]]);
    for (const roomBytes of [1, 3, 5, 10, 11, 100]) {
      const room = Buffer.alloc(roomBytes);
      let read = "";
      for (const piece of piecesOf(listedFile(`${folder}/content.js`), "Folder", () => room)) {
        read += Buffer.from(piece).toString();
      }
      expect(read).toBe("0123456789");
    }
  });

  test("reading fails for a file that was changed or removed after the listing", async () => {
    const folder = extensionOf([["content.js", "0123456789"]]);
    const listed = listedFile(`${folder}/content.js`);
    for (const change of [
      () => writeFileSync(listed.location, "0123456789+"),
      () => writeFileSync(listed.location, "01234"),
      () => writeFileSync(listed.location, "9876543210"),
      () => rmSync(listed.location),
    ]) {
      change();
      await expect(contentsOf(listed)).rejects.toMatchObject({ code: "archive_changed_while_reading" });
    }
  });

  // Only Linux has files that report a size of 0 and have contents.
  if (process.platform === "linux") {
    test("reading fails for a file that is longer than the stated size, instead of cutting the file", async () => {
      await expect(contentsOf(listedFile("/proc/self/status"), 'Folder "x"')).rejects.toThrow(
        'Folder "x" changed: "content.js" was written or removed while it was read',
      );
    });
  }
});
