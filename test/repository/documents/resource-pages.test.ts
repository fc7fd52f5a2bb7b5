import { kinds, programInputsOf, resourceKinds } from "../../../src/bridges/kinds.js";
import { type ReadName, reads } from "../../../src/functions/reads.js";
import { page, pages } from "./pages.js";

/** Names of `names` that a text does not contain between backticks. */
const missingIn = (text: string, names: readonly string[]) =>
  names.filter((name) => !text.includes(`\`${name}\``));

describe("the pages about resources and functions", () => {
  test.each(resourceKinds)("the page with the example of %s names every input", (kind) => {
    const [described] = pages.filter(({ text }) => text.includes(`\n<!-- example: ${kind} -->\n`));
    const inputs = Object.keys(programInputsOf(kinds[kind]));
    expect({ page: described?.path, lacks: missingIn(described?.text ?? "", inputs) }).toEqual({
      page: expect.any(String),
      lacks: [],
    });
  });

  test("the table of functions has a row for each function, with the arguments", () => {
    const { text } = page("docs/reference/functions.md");
    const cells = text.matchAll(/^\| `(\w+)` +\|([^|]+)\|/gm);
    const rows = new Map(Array.from(cells, ([, name, takes]) => [name, takes]));
    const lacks = (Object.keys(reads) as ReadName[]).flatMap((name) => {
      const row = rows.get(name);
      return row === undefined
        ? [name]
        : missingIn(row, Object.keys(reads[name].rules)).map((argument) => `${argument} of ${name}`);
    });
    expect({ page: "docs/reference/functions.md", lacks }).toEqual({ page: expect.any(String), lacks: [] });
  });
});
