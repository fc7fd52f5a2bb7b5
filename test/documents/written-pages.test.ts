import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../support/temporary-folder.js";

const repository = join(__dirname, "../..");

describe("a page that a command writes, such as npm run bench", () => {
  test("is formatted as npm run check wants it", () => {
    const page = join(temporaryFolder(), "page.md");
    const script = pathToFileURL(join(repository, "scripts/publish/write-page.mjs")).href;
    const table = "| a | b |\n| --- | ---: |\n| wide cell | 1 |\n";
    execFileSync(process.execPath, [
      "--input-type=module",
      `--eval=(await import("${script}")).writePage(${JSON.stringify(page)}, ${JSON.stringify(table)})`,
    ]);
    expect(readFileSync(page, "utf8")).toBe(
      "| a         |   b |\n| --------- | --: |\n| wide cell |   1 |\n",
    );
  });

  // A page that is written as it is would pass only until a figure gets wider.
  test("is written by the function that formats", () => {
    const source = readFileSync(join(repository, "scripts/bench.mjs"), "utf8");
    expect(source).toContain("writePage(");
    expect(source).not.toContain("writeFileSync(");
  });
});
