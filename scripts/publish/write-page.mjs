import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../setup/project.mjs";
import { biome } from "../test/checks.mjs";

/**
 * Writes a page in Markdown as formatted by Biome, so that `npm run check` accepts the output of a
 * command.
 *
 * @param {string} file path.
 * @param {string} text
 */
export function writePage(file, text) {
  writeFileSync(file, formatted(text, "docs/page.md"));
}

/**
 * Text as formatted by Biome.
 *
 * @param {string} text
 * @param {string} path of a file of the language.
 */
export function formatted(text, path) {
  const command = [join(projectFolder, biome), "format", `--stdin-file-path=${path}`];
  return execFileSync(process.execPath, command, { cwd: projectFolder, input: text, encoding: "utf8" });
}
