import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  archiveBytesMax,
  archiveFilesMax,
  archiveFormat,
  fileBytesMax,
  rawBytesMax,
} from "../../../../src/archive/index.js";
import { manifestBytesMax } from "../../../../src/archive/manifest/json.js";
import { entryPathBytesMax } from "../../../../src/archive/rules/entry-name.js";
import {
  listsMax,
  patternCharactersMax,
  patternsMax,
  wildcardsMax,
} from "../../../../src/archive/rules/exclude.js";
import { neverShipReason, neverShipRules } from "../../../../src/archive/rules/never-ship.js";
import { expansionRatioMax } from "../../../../src/archive/source/zip-listing.js";
import { page as pageAt, root } from "../pages.js";

const { text: page } = pageAt("docs/browsers/archive.md");
/** The page with its line breaks as spaces. */
const text = page.replace(/\s+/g, " ");

describe("docs/browsers/archive.md", () => {
  const places: Readonly<Record<string, readonly [file: boolean, folder: boolean]>> = {
    files: [true, false],
    folders: [false, true],
    "a folder at the top level": [false, true],
    "files and folders": [true, true],
  };
  /** Rows of the table of files that never ship; names with a `*` become file names. */
  const rows = page
    .slice(page.indexOf("| Name, in any letter case"), page.indexOf("They are recognized by name"))
    .split("\n")
    .slice(2)
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, names = "", where = "", why = ""]) => ({
      names: Array.from(names.replace(/\(.*?\)/g, "").matchAll(/`([^`]+)`/g), ([, name = ""]) =>
        name.replaceAll("*", "x"),
      ),
      where,
      why,
    }));

  test("the archive page states where and why each name never ships", () => {
    for (const { names, where, why } of rows) {
      expect(names).not.toEqual([]);
      for (const name of names) {
        const [file, folder] = places[where] ?? [];
        expect([name, neverShipReason(name, false)]).toEqual([name, file ? why : undefined]);
        expect([name, neverShipReason(name, true)]).toEqual([name, folder ? why : undefined]);
        const below = neverShipReason(`lib/${name}`, folder === true);
        expect([name, below]).toEqual([name, where.endsWith("top level") ? undefined : why]);
      }
    }
  });

  test("the archive page covers every rule for files that never ship", () => {
    const named = rows.flatMap(({ names }) => names);
    expect(neverShipRules.filter((rule) => !named.some((name) => rule.name.test(name)))).toEqual([]);
  });

  test("the archive page states the current limits and format", () => {
    const mebibyte = 1024 * 1024;
    for (const statement of [
      `| archive | ${archiveBytesMax / mebibyte} MiB |`,
      `| a single file before compression | ${fileBytesMax / mebibyte} MiB |`,
      `| all files before compression | ${rawBytesMax / mebibyte / 1024} GiB |`,
      `| files | ${archiveFilesMax.toLocaleString("en-US")} |`,
      `| path of a file | ${entryPathBytesMax} bytes of UTF-8 |`,
      `| \`manifest.json\`, \`messages.json\` | ${manifestBytesMax / mebibyte} MiB |`,
      `more than ${patternsMax} patterns, ${patternCharactersMax.toLocaleString("en-US")} characters, ${wildcardsMax} wildcards or ${listsMax} lists in braces`,
      `more than ${expansionRatioMax.toLocaleString("en-US")} times their size`,
      `## Format ${archiveFormat}`,
    ]) {
      expect(text).toContain(statement);
    }
    const generated = readFileSync(join(root, "src/archive/zip/deflate-module.ts"), "utf8");
    const [library] = /libdeflate \d+\.\d+/.exec(generated) ?? ["the compressor is not named"];
    expect(text).toContain(`deflated by ${library} at level 6`);
  });
});
