/**
 * `npm run generate:schema`: writes schema.json, from the declared properties of the life cycles,
 * the types of the reads, and the docstrings of the classes and functions. `--check` only reports
 * whether the committed file is up to date. `--out <file>` writes to a different file, in which
 * `--download-url <url>` can set where the CLI finds the plugin.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runInForeground } from "../setup/process/run-command.mjs";
import { projectFolder } from "../setup/project.mjs";
import { runMain } from "../setup/set-up-error.mjs";
import { setUp } from "../setup.mjs";

const committed = join(projectFolder, "schema.json");

const { values } = parseArgs({
  options: {
    check: { type: "boolean" },
    out: { type: "string" },
    "download-url": { type: "string" },
  },
});

await runMain(async () => {
  const { check = false, out, "download-url": downloadUrl } = values;
  if (!check && out === undefined) {
    const { node, env } = await setUp({ needs: { engine: false } });
    const args = [fileURLToPath(import.meta.url), "--out", committed];
    return runInForeground(node, args, { cwd: projectFolder, env });
  }
  // Imported late: the module reads files that the set-up installs and builds.
  const { schemaText } = await import("./schema/schema.mjs");
  const text = schemaText(downloadUrl);
  if (out !== undefined) {
    writeFileSync(resolve(out), text);
    return 0;
  }
  const isCurrent = readFileSync(committed, "utf8") === text;
  console.log(
    isCurrent
      ? "schema.json is up to date."
      : 'schema.json does not describe the resources and functions as they are. Run "npm run generate:schema" and commit it.',
  );
  return isCurrent ? 0 : 1;
});
