/**
 * `npm run generate:api`: writes the API reference to docs/api, from the docstrings of src. With
 * `--check` it only says whether the committed pages are up to date, without TypeDoc.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runInForeground } from "../setup/process/run-command.mjs";
import { projectFolder } from "../setup/project.mjs";
import { runMain } from "../setup/set-up-error.mjs";
import { setUp } from "../setup.mjs";
import { apiFolder, apiPagesProblem, writeFirstPage } from "./api-pages.mjs";

await runMain(async () => {
  if (process.argv.includes("--check")) {
    const problem = apiPagesProblem(projectFolder);
    console.log(problem ?? "docs/api is up to date.");
    return problem === undefined ? 0 : 1;
  }
  const { node, env } = await setUp({ needs: { engine: false } });
  rmSync(join(projectFolder, apiFolder), { recursive: true, force: true });
  const typedoc = join(projectFolder, "node_modules/typedoc/bin/typedoc");
  const args = ["--options", join(projectFolder, "scripts/publish/typedoc.json")];
  const code = await runInForeground(node, [typedoc, ...args, "--out", apiFolder], {
    cwd: projectFolder,
    env,
  });
  if (code === 0) {
    writeFirstPage(projectFolder);
  }
  return code;
});
