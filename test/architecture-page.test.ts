import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

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

describe("the pages for people", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    ...pagesIn("docs"),
    ...pagesIn("docs/decisions"),
  ];

  test.each(pages)("%s names files and folders that exist, and links to them", (page) => {
    const text = readFileSync(join(root, page), "utf8");
    const named = Array.from(
      text.matchAll(/`((?:src|test|scripts|docs|examples)\/[\w./-]*)`/g),
      ([, path = ""]) => join(root, path),
    );
    const linked = Array.from(text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g), ([, path = ""]) =>
      resolve(root, dirname(page), path),
    );
    const missing = [...named, ...linked].filter((path) => !existsSync(path));
    // What is written when a release is packed.
    const packed = /^docs\/(?:api\b|[\w-]+\.schema\.json$)/;
    const paths = missing.map((path) => relative(root, path)).filter((path) => !packed.test(path));
    expect(paths).toEqual([]);
  });
});

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `${folder}/${file}`);
}
