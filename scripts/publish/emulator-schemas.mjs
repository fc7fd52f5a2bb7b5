import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { projectFolder } from "../setup/project.mjs";

/**
 * Writes the JSON schemas of the emulator's seed and login scenarios. Needs dist.
 *
 * @param {string} folder
 */
export function writeEmulatorSchemas(folder) {
  const load = createRequire(join(projectFolder, "dist/emulator/index.js"));
  /** @type {{ seedJsonSchema(): unknown }} */
  const seed = load("./seed/schema.js");
  /** @type {{ loginScenariosJsonSchema(): unknown }} */
  const scenarios = load("./logins/scenarios/schema.js");
  for (const [name, schema] of [
    ["emulator-seed", seed.seedJsonSchema()],
    ["login-scenarios", scenarios.loginScenariosJsonSchema()],
  ]) {
    writeFileSync(join(folder, `${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
  }
}
