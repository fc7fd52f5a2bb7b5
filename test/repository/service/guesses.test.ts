import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { filesBelow } from "../../support/files-below.js";
import { root } from "./nouns.js";

/** Rows of the table at the end of the page: folder, number of guesses, date. */
const rows = [
  ...readFileSync(join(root, "docs/emulator/guesses.md"), "utf8").matchAll(
    /^\| `(src\/emulator[\w/-]*)` +\| +(\d+) +\| (\d{1,2} [A-Z][a-z]+ \d{4}) +\|$/gm,
  ),
].map(([, folder = "", count, date = ""]) => ({ folder, count: Number(count), date }));

describe("docs/emulator/guesses.md", () => {
  test("names every folder of the emulator with a guess in a comment, and the number of its guesses", () => {
    const found = filesBelow(join(root, "src/emulator"))
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) =>
        Array.from(readFileSync(file, "utf8").matchAll(/\bguess(es)?\b/gi), () =>
          relative(root, dirname(file)),
        ),
      );
    const folders = [...new Set(found)].sort();
    const counts = folders.map((folder) => ({
      folder,
      count: found.filter((each) => each === folder).length,
    }));
    expect(rows.map(({ folder, count }) => ({ folder, count }))).toEqual(counts);
  });

  test("says for each folder with the interface of which day the guesses were compared", () => {
    expect(rows.length).toBeGreaterThan(0);
    const days = rows.map(({ date }) => Date.parse(`${date} UTC`));
    expect(days.filter((day) => !(day > Date.UTC(2026, 0) && day <= Date.now()))).toEqual([]);
  });
});
