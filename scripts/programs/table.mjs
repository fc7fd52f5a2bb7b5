import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writePage } from "../publish/write-page.mjs";
import { projectFolder } from "../setup/project.mjs";

const page = join(projectFolder, "docs", "programs.md");

/**
 * Writes lines into a table of docs/programs.md, each over the one with the same first cell. New
 * ones go to the table's end.
 *
 * @param {string} heading the first cell of the table's heading.
 * @param {readonly (readonly string[])[]} lines cells.
 */
export function writeTable(heading, lines) {
  const text = readFileSync(page, "utf8").split("\n");
  const first = text.findIndex((line) => firstCell(line) === heading);
  if (first === -1) {
    throw new Error(`${page} has no table that begins with "${heading}".`);
  }
  let end = first;
  while (text[end]?.startsWith("|")) {
    end += 1;
  }
  const [headings = [], , ...table] = text.slice(first, end).map(cellsOf);
  for (const cells of lines) {
    const index = table.findIndex(([name]) => name === cells[0]);
    table.splice(index === -1 ? table.length : index, index === -1 ? 0 : 1, [...cells]);
  }
  /** @param {readonly string[]} cells */
  const lineOf = (cells) => `| ${headings.map((_, column) => cells[column] ?? "").join(" | ")} |`;
  const ruler = lineOf(headings.map(() => "---"));
  text.splice(first, end - first, lineOf(headings), ruler, ...table.map(lineOf));
  writePage(page, text.join("\n"));
}

/** @param {string} line */
function firstCell(line) {
  return line.startsWith("|") ? cellsOf(line)[0] : undefined;
}

/**
 * The cells of a line of a table.
 *
 * @param {string} line
 */
function cellsOf(line) {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
