import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readExtension } from "../../../src/archive/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { manifestText } from "../fixtures.js";
import { extensionOf } from "../folders.js";

describe("archive: the folder of an extension", () => {
  test("a folder that the caller gives as a symbolic link is accepted", async () => {
    const link = join(temporaryFolder(), "link");
    symlinkSync(extensionOf(), link);
    expect((await readExtension(link)).entries).toHaveLength(1);
  });

  test("a folder named extension.zip is read as a folder", async () => {
    const folder = join(temporaryFolder(), "extension.zip");
    mkdirSync(folder);
    writeFileSync(join(folder, "manifest.json"), manifestText());
    expect((await readExtension(folder)).kind).toBe("folder");
  });

  test("a file whose path has exactly 255 bytes is accepted", async () => {
    const path = `${"a".repeat(127)}/${"b".repeat(127)}`;
    expect((await readExtension(extensionOf([[path, ""]]))).entries[0]?.path).toBe(path);
  });
});
