/**
 * `npm run generate:docs`: writes the pages of the package that a clone does not contain: the API
 * reference in docs/api, from the docstrings of src, and the JSON schemas of the emulator's seed
 * and login scenarios. A release runs this script before packing.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInForeground } from "../setup/process/run-command.mjs";
import { projectFolder } from "../setup/project.mjs";
import { runMain } from "../setup/set-up-error.mjs";
import { setUp } from "../setup.mjs";
import { writeEmulatorSchemas } from "./emulator-schemas.mjs";

const docs = join(projectFolder, "docs");

/** Overview of the pages. TypeDoc's own overview has fewer details. */
const overview = `# API reference

Every public name, its members, defaults and limits, made from the docstrings of the source.

| Entry                                                | Contents                                                     |
| ---------------------------------------------------- | ------------------------------------------------------------ |
| [\`pulumi-browser-infra\`](index.md)                   | resources, functions and errors, for a Pulumi program        |
| [\`pulumi-browser-infra/plugin\`](plugin.md)           | the same resources and functions, through the provider plugin |
| [\`pulumi-browser-infra/client\`](client.md)           | the typed client of the service, and its records             |
| [\`pulumi-browser-infra/emulator\`](emulator.md)       | the service, offline, for tests                              |
`;

await runMain(async () => {
  const { node, env } = await setUp({ needs: { engine: false } });
  const pages = join(docs, "api");
  rmSync(pages, { recursive: true, force: true });
  const typedoc = join(projectFolder, "node_modules/typedoc/bin/typedoc");
  const args = ["--options", join(projectFolder, "scripts/publish/typedoc.json"), "--out", pages];
  const code = await runInForeground(node, [typedoc, ...args], { cwd: projectFolder, env });
  if (code !== 0) {
    return code;
  }
  writeFileSync(join(pages, "README.md"), overview);

  writeEmulatorSchemas(join(docs, "emulator"));
  return 0;
});
