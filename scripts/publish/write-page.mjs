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
  const command = [join(projectFolder, biome), "format", "--stdin-file-path=docs/page.md"];
  const formatted = execFileSync(process.execPath, command, { cwd: projectFolder, input: text });
  writeFileSync(file, formatted);
}
