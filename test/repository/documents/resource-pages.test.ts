import { kinds, programInputsOf, resourceKinds } from "../../../src/bridges/kinds.js";
import { type ReadName, reads } from "../../../src/functions/reads.js";
import { page, pages } from "./pages.js";

/** Names that a text does not contain between backticks, with the place that should. */
const missingIn = (text: string, names: readonly string[], place: string) =>
  names.filter((name) => !text.includes(`\`${name}\``)).map((name) => `${place} lacks \`${name}\``);

describe("the pages about resources and functions", () => {
  test.each(resourceKinds)("the page with the example of %s names every input", (kind) => {
    const marker = `<!-- example: ${kind} -->`;
    const described = pages.find(({ text }) => text.includes(`\n${marker}\n`));
    const { path = `No page has ${marker}, and`, text = "" } = described ?? {};
    expect(missingIn(text, Object.keys(programInputsOf(kinds[kind])), path)).toEqual([]);
  });

  test("the table of functions has a row for each function, with the arguments", () => {
    const { path, text } = page("docs/reference/functions.md");
    const cells = text.matchAll(/^\| `(\w+)` +\|([^|]+)\|/gm);
    const rows = new Map(Array.from(cells, ([, name = "", takes = ""]) => [name, takes]));
    const names = Object.keys(reads) as ReadName[];
    expect(missingIn([...rows.keys()].map((name) => `\`${name}\``).join(), names, path)).toEqual([]);
    const lacks = names.flatMap((name) =>
      missingIn(rows.get(name) ?? "", Object.keys(reads[name].rules), `${path}, ${name},`),
    );
    expect(lacks).toEqual([]);
  });
});
