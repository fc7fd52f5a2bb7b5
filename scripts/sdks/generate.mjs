/**
 * `npm run generate:sdks`: writes the SDKs for Python and Go from schema.json, each into the folder
 * of its language in `sdk`. The SDKs are packed and not committed: the schema contains all their
 * information. Reasons: docs/decisions/bridges/sdks.md.
 */
import { CommandFailed } from "../setup/process/run-command.mjs";
import { runMain, SetUpError } from "../setup/set-up-error.mjs";
import { setUp } from "../setup.mjs";
import { generateSdks } from "./sdks.mjs";

await runMain(async () => {
  const tools = await setUp({ needs: { engine: true, build: false } });
  try {
    await generateSdks(tools);
  } catch (error) {
    if (!(error instanceof CommandFailed)) {
      throw error;
    }
    throw new SetUpError([`The SDKs cannot be generated: ${error.reason}`, ...error.lines].join("\n  "));
  }
  console.log("Wrote the SDKs for Python and Go into sdk.");
});
