import { readFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import GithubSlugger from "github-slugger";
import MarkdownIt from "markdown-it";
import { filesBelow } from "../../support/files-below.js";

/** Top folder of the clone. */
export const root = resolve(__dirname, "../../..");

/** A block of code between fences. */
export interface CodeBlock {
  /** File and first line: `docs/reference/client.md:12`. */
  readonly place: string;
  /** Language after the opening fence; empty if none. */
  readonly language: string;
  readonly code: string;
  /** Paragraph right before the block, as Markdown; empty if none. */
  readonly before: string;
  /** Heading of the second level above the block, as text; empty before the first heading. */
  readonly chapter: string;
}

/** A Markdown page for people. */
export interface Page {
  /** Path from the top of the clone. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
  /** Targets of links and images, as written. */
  readonly links: readonly string[];
  /** Anchors of the headings, without `#`. */
  readonly anchors: ReadonlySet<string>;
}

/** Every page for people: of the top folder, docs, examples and src. */
export const pages: readonly Page[] = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ...["docs", "examples", "src"].flatMap((folder) =>
    filesBelow(join(root, folder))
      .map((file) => relative(root, file))
      .filter((file) => file.endsWith(".md") && !/node_modules\/|^docs\/api\//.test(file)),
  ),
].map(readPage);

/** Page with the given path. Throws if none exists. */
export function page(path: string): Page {
  const found = pages.find((each) => each.path === path);
  if (found === undefined) {
    throw new Error(`There is no page ${path}.`);
  }
  return found;
}

/** Target of a relative link, as a path from the top of the clone, without the anchor. */
export function linkedPath(from: Page, link: string): string {
  const [path = ""] = link.split("#");
  return path === "" ? from.path : posix.join(dirname(from.path), decodeURIComponent(path));
}

/** The cells of every table row of a page below a heading, header rows included. */
export function tableRows(of: Page, heading: string): string[][] {
  const [, after = ""] = of.text.split(`\n${heading}\n`);
  const level = heading.replace(/[^#].*/, "").length;
  const [section = ""] = after.split(new RegExp(`^#{1,${level}} `, "m"));
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

function readPage(path: string): Page {
  const text = readFileSync(join(root, path), "utf8");
  const tokens = new MarkdownIt({ html: true }).parse(text, {});
  const slugger = new GithubSlugger();
  const blocks: CodeBlock[] = [];
  const links: string[] = [];
  const anchors = new Set(Array.from(text.matchAll(/<a id="([^"]+)"/g), ([, id = ""]) => id));
  let before = "";
  let chapter = "";
  for (const [index, token] of tokens.entries()) {
    const { type, content, children, map, info } = token;
    if (type === "fence") {
      const place = `${path}:${(map?.[0] ?? 0) + 1}`;
      blocks.push({ place, language: info.trim(), code: content, before, chapter });
    }
    if (type === "inline") {
      for (const child of children ?? []) {
        const target = child.attrGet(child.type === "image" ? "src" : "href");
        if (target !== null) {
          links.push(String(target));
        }
      }
      const opening = tokens[index - 1];
      if (opening?.type === "heading_open") {
        const heading = (children ?? []).map((child) => child.content).join("");
        anchors.add(slugger.slug(heading));
        chapter = opening.tag === "h2" ? heading : chapter;
      }
      before = content;
    }
  }
  return { path, text, blocks, links, anchors };
}
