import { existsSync } from "node:fs";
import { join } from "node:path";
import { manifest, packedFiles } from "./packed.js";
import { linkedPath, page, pages, root } from "./pages.js";

const isRelative = (link: string) => !/^[a-z][a-z+.-]*:/i.test(link);
/** Beginning of a link to a file of the repository, for readers who have only the package. */
const inRepository = `${manifest.homepage.replace(/#.*$/, "")}/blob/main/`;

/** Output of `npm run generate:docs` and `npm run generate:sdks`. */
const writtenWhenPacked = /^docs\/(?:api\b|emulator\/[\w-]+\.schema\.json$)|^sdk\/(?:python|go)$/;

/** Whether npm packs the file, or any file in the folder. */
function isPublished(path: string): boolean {
  return packedFiles().some((file) => file === path || file.startsWith(`${path}/`));
}

describe("the pages for people", () => {
  test.each(pages.map((each) => [each.path, each] as const))(
    "%s links to files and headings that exist",
    (_, each) => {
      const broken = each.links.filter((link) => {
        const path = isRelative(link)
          ? linkedPath(each, link)
          : link.startsWith(inRepository)
            ? link.slice(inRepository.length).replace(/#.*$/, "")
            : undefined;
        if (path === undefined) {
          return false;
        }
        const [, anchor] = link.split("#");
        const target = pages.find((other) => other.path === path);
        return (
          !existsSync(join(root, path)) || (anchor !== undefined && target?.anchors.has(anchor) !== true)
        );
      });
      expect(broken).toEqual([]);
    },
  );

  test.each(pages.map((each) => [each.path, each] as const))(
    "%s names files and folders of the repository that exist",
    (_, { text }) => {
      const named = text.matchAll(/`((?:src|test|scripts|docs|examples)\/[\w./-]*)`/g);
      const missing = Array.from(named, ([, path = ""]) => path).filter(
        (path) => !existsSync(join(root, path)) && !writtenWhenPacked.test(path),
      );
      expect(missing).toEqual([]);
    },
  );

  test("published pages link only to published files or to the repository", () => {
    const dead = pages
      .filter(({ path }) => isPublished(path))
      .flatMap((each) =>
        each.links
          .filter((link) => isRelative(link) && !isPublished(linkedPath(each, link)))
          .map((link) => `${each.path}: ${link}`),
      );
    expect(dead).toEqual([]);
  });

  test("pages name only packed files below node_modules/pulumi-browser-infra", () => {
    const named = pages.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/node_modules\/pulumi-browser-infra\/([\w./-]*\w)/g), ([, file = ""]) => ({
        path,
        file,
      })),
    );
    expect(named.length).toBeGreaterThan(5);
    const missing = named.filter(({ file }) => !isPublished(file) && !writtenWhenPacked.test(file));
    expect(missing).toEqual([]);
  });

  test("every page in docs can be reached from the README by links", () => {
    const reached = new Set(["README.md"]);
    for (const path of reached) {
      const from = page(path);
      for (const link of from.links) {
        const target = link.startsWith(inRepository)
          ? link.slice(inRepository.length).replace(/#.*$/, "")
          : linkedPath(from, link);
        // A link to a folder shows the README of the folder.
        for (const each of [target, `${target.replace(/\/$/, "")}/README.md`]) {
          if (pages.some(({ path: known }) => known === each)) {
            reached.add(each);
          }
        }
      }
    }
    const alone = pages.filter(({ path }) => path.startsWith("docs/") && !reached.has(path));
    expect(alone.map(({ path }) => path)).toEqual([]);
  });
});
