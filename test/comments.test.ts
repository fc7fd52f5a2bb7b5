import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import ts from "typescript";
import { filesBelow } from "./support/files-below.js";

const root = resolve(__dirname, "..");
const widthMax = 100;

/**
 * Sources that people write comments in; `extension`: a browser extension that an example ships.
 */
const files = ["src", "test", "scripts", "examples"]
  .flatMap((folder) => filesBelow(join(root, folder)))
  .filter((file) => /\.(ts|js|mjs|cjs)$/.test(file) && !/\/(node_modules|extension)\//.test(file));

/**
 * Positions of all comments of a source, found by the compiler's parser: a string may look like
 * one.
 */
function commentsOf(file: string, text: string): ts.CommentRange[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const comments = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) {
      return;
    }
    const children = node.getChildren(source);
    children.forEach(visit);
    if (children.length === 0) {
      const ranges = [
        ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
        ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
      ];
      for (const range of ranges) {
        comments.set(range.pos, range);
      }
    }
  };
  visit(source);
  return [...comments.values()];
}

/** Numbers of the lines with a comment that ends beyond the last column allowed. */
function wideLines(file: string, text: string): number[] {
  const lines = text.split("\n");
  // Most files have no such line, and parsing takes the time.
  if (!lines.some((line) => line.length > widthMax)) {
    return [];
  }
  const lineAt = (position: number) => text.slice(0, position).split("\n").length;
  return commentsOf(file, text).flatMap(({ pos, end }) => {
    const first = lineAt(pos);
    const last = lineAt(end);
    const endOfLast = end - (text.lastIndexOf("\n", end - 1) + 1);
    return lines
      .slice(first - 1, last)
      .map((line, index) => ({ number: first + index, width: line.length }))
      .filter(({ number, width }) => (number === last ? endOfLast : width) > widthMax)
      .map(({ number }) => number);
  });
}

describe("comments", () => {
  test(`are at most ${widthMax} columns wide`, () => {
    expect(files.length).toBeGreaterThan(100);
    const wide = files.flatMap((file) =>
      wideLines(file, readFileSync(file, "utf8")).map((line) => `${relative(root, file)}:${line}`),
    );
    expect(wide).toEqual([]);
  });

  test("are told from strings that look like one, and from code on the same line", () => {
    const long = "x".repeat(widthMax);
    expect(wideLines("a.ts", `const a = "// ${long}";\nconst b = \`/* ${long} */\`;\n`)).toEqual([]);
    expect(wideLines("a.ts", `/* short */ call("${long}");\n`)).toEqual([]);
    expect(
      wideLines("a.ts", `call();\n// ${long}\n/**\n * short\n * ${long}\n */\ncall(); // ${long}`),
    ).toEqual([2, 5, 7]);
  });
});
