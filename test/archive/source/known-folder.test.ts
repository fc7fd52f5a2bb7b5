import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArchive, readExtension } from "../../../src/archive/index.js";
import { storedZip } from "../../support/stored-zip.js";
import { manifestText } from "../fixtures.js";
import { archiveErrorOf, folderOf } from "../folders.js";

describe("a folder accepted by an earlier check", () => {
  const files: [string, string][] = [
    ["_locales/de/messages.json", "broken"],
    ["_locales/en/messages.json", '{ "name": { "message": "Reader" } }'],
    ["manifest.json", manifestText({ name: "__MSG_name__", default_locale: "en" })],
  ];

  test("an unchanged folder is read without a check of locales other than the name's", async () => {
    const zip = storedZip(files.map(([name, contents]) => ({ name, contents })));
    const { contentDigest } = await readArchive(zip, "The archive");
    const contents = await readExtension(folderOf(files), { knownDigest: contentDigest });
    expect(contents).toMatchObject({ contentDigest, manifest: { name: "Reader" } });
  });

  test("a folder that has changed since the check is checked in full", async () => {
    const folder = folderOf(files);
    writeFileSync(join(folder, "_locales/de/messages.json"), "{}");
    const { contentDigest: knownDigest } = await readExtension(folder);
    writeFileSync(join(folder, "_locales/de/messages.json"), "broken");
    const error = await archiveErrorOf(readExtension(folder, { knownDigest }));
    expect(error.message).toContain('"_locales/de/messages.json" is not valid JSON');
  });
});
