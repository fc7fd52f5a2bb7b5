import { readFileSync } from "node:fs";
import { join } from "node:path";
import { folderRows, zipRows } from "./counts.js";

const page = readFileSync(join(__dirname, "../../../docs/reliability.md"), "utf8");

describe("docs/reliability.md", () => {
  test("counts every hostile folder and zip that the tests try, and no other", () => {
    const [, section = ""] = page.split("## Hostile folders and zips\n");
    const rows = (section.split("\n## ")[0] ?? "")
      .split("\n")
      .filter((line) => /^\|.*\d/.test(line))
      .map((line) => line.split("|").map((cell) => cell.trim()));
    expect(rows).toEqual(
      [...folderRows, ...zipRows].map(({ what, tried, refused }) => [
        "",
        what,
        tried.toLocaleString("en-US"),
        refused.toLocaleString("en-US"),
        "",
      ]),
    );
    expect(section).toContain("22 November 2026");
  });
});
