/**
 * `npm run generate:sdks`: writes the SDKs for Node.js, Python and Go from schema.json, each into
 * the folder of its language in `sdk`. `--schema FILE` and `--out FOLDER` name others. Git ignores
 * `sdk`: the schema says everything that is in it. docs/decisions/sdks.md says why it is made so.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CommandFailed } from "../setup/process/run-command.mjs";
import { projectFolder } from "../setup/project.mjs";
import { messageOf, runMain, SetUpError } from "../setup/set-up-error.mjs";
import { setUp } from "../setup.mjs";
import { generateSdks } from "./sdks.mjs";

await runMain(async () => {
  const { schema, out } = readArguments();
  const tools = await setUp({ needs: { engine: true, build: false } });
  try {
    const languages = await generateSdks({ schema: resolve(schema), folder: resolve(out), tools });
    console.log(`Wrote the SDKs for ${languages.join(", ")} into ${out}.`);
  } catch (error) {
    if (!(error instanceof CommandFailed)) {
      throw error;
    }
    throw new SetUpError([`The SDKs cannot be generated: ${error.reason}`, ...error.lines].join("\n  "));
  }
});

/** The schema and the folder for the SDKs. */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        schema: { type: "string", default: join(projectFolder, "schema.json") },
        out: { type: "string", default: join(projectFolder, "sdk") },
      },
    });
    return values;
  } catch (error) {
    throw new SetUpError(`${messageOf(error)} Known: --schema FILE, --out FOLDER.`);
  }
}
