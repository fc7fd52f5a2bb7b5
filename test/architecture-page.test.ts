import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const root = resolve(__dirname, "..");
const source = join(root, "src");

describe("docs/architecture.md", () => {
  test("has one line for each folder of src, and no other", () => {
    const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
    const named = Array.from(page.matchAll(/^\| `([a-z/-]+)` +\|/gm), ([, folder]) => folder);
    const folders = readdirSync(source, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => relative(source, join(entry.parentPath, entry.name)));
    expect(named.sort()).toEqual(folders.sort());
  });
});
