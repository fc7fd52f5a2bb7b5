import { z } from "zod";
import { browserPoolEntry } from "../browsers/browser-pools/controls.js";
import { extensionEntry } from "../browsers/extensions/controls.js";
import { profileEntry } from "../browsers/profiles/controls.js";
import { proxyEntry } from "../browsers/proxies/controls.js";
import { faultRuleSchema } from "../http/fault-shape.js";
import { exactly, notAString } from "../http/shapes.js";
import { authConnectionEntry, scenarioEntry } from "../logins/controls.js";
import { credentialEntry } from "../logins/credentials/credentials/controls.js";
import { inputOf, loginScenarioMap } from "../logins/scenarios/schema.js";
import { apiKeyEntry } from "../organization/api-keys/record.js";
import { limit, projectEntry } from "../organization/projects/entry.js";

function list<Entry extends z.ZodType>(entry: Entry) {
  return z.array(entry, "must be a list").optional();
}

const notAnInterval = "must be a whole number of seconds from 300 to 86400";

/**
 * Contents of an emulator at the start. Source of the generated `docs/emulator/emulator-seed.schema.json`.
 *
 * @internal
 */
export const seedSchema = exactly({
  $schema: z.string(notAString).optional().describe("URL of this schema, for editors."),
  organization: exactly({
    maxConcurrentSessions: limit.optional().describe("Browsers at once in all projects. Default: 100."),
    defaultProjectMaxConcurrentSessions: limit
      .nullish()
      .describe("Browsers at once in each project without a limit of its own. Default: no limit."),
    maxAuthConnections: limit
      .nullish()
      .describe(
        "Auth connections in all projects. One more is refused with 403 insufficient_plan. Default: no limit.",
      ),
    minHealthCheckIntervalSeconds: z
      .int(notAnInterval)
      .min(300, notAnInterval)
      .max(86_400, notAnInterval)
      .optional()
      .describe(
        "Shortest interval of health checks that an auth connection may have. A shorter one is refused with 400. Default: 300.",
      ),
  })
    .optional()
    .describe("Limits of the organization. Applies when the data is new."),
  defaultProject: projectEntry
    .omit({ status: true })
    .partial()
    .optional()
    .describe(
      "The project of requests that name none. Its name is Default unless given. Applies when the data is new.",
    ),
  projects: list(projectEntry),
  apiKeys: list(apiKeyEntry),
  extensions: list(extensionEntry),
  profiles: list(profileEntry),
  proxies: list(proxyEntry),
  credentials: list(credentialEntry),
  browserPools: list(browserPoolEntry),
  loginScenarios: z
    .union([z.string().min(1), loginScenarioMap], {
      error: "must be the path of a file, or an object of scenarios by name",
    })
    .optional()
    .describe(
      "Scenarios by name, or the path of a JSON file with them in its member scenarios. A scenario named like a built-in one replaces it.",
    ),
  defaultLoginScenario: scenarioEntry.describe(
    "Name of the scenario of connections for which none is chosen. Default: password.",
  ),
  authConnections: list(authConnectionEntry),
  faults: list(faultRuleSchema).describe(
    "Faults that strike requests, in this order, from the start. They are not kept in a data folder.",
  ),
}).meta({
  title: "Seed of the emulator",
  description:
    "What an emulator of the browser infrastructure service is filled with at its start. With a data folder, what is missing is created and what exists stays as it is. Projects and keys are recognized by their id; without one, projects by their name, and keys by the key itself or else by their name in their project. Extensions are recognized by their name or else their bytes, profiles and browser pools by their id or else their name, proxies by their id, auth connections by their id or else their domain and profile. So give an id to what may be renamed.",
});

const inputSeed = () => inputOf(seedSchema);

/** Contents of an emulator at the start; see `docs/emulator/emulator-seed.schema.json`. */
export type EmulatorSeed = ReturnType<typeof inputSeed>;

/**
 * Returns the JSON schema of a seed file. `npm run generate:docs` writes the schema to
 * `docs/emulator/emulator-seed.schema.json`, which is packed and not committed.
 */
export function seedJsonSchema(): unknown {
  return z.toJSONSchema(seedSchema, { io: "input" });
}
