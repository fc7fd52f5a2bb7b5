import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
  const table = text.slice(first + 2, end);
  for (const cells of lines) {
    const line = `| ${cells.join(" | ")} |`;
    const index = table.findIndex((known) => firstCell(known) === cells[0]);
    table.splice(index === -1 ? table.length : index, index === -1 ? 0 : 1, line);
  }
  text.splice(first + 2, end - first - 2, ...table);
  writeFileSync(page, text.join("\n"));
}

/** @param {string} line */
function firstCell(line) {
  return line.startsWith("|") ? line.split("|")[1]?.trim() : undefined;
}
