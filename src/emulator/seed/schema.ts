import { z } from "zod";
import { deploymentEntry } from "../apps/controls.js";
import { browserPoolEntry } from "../browsers/browser-pools/controls.js";
import { extensionEntry } from "../browsers/extensions/controls.js";
import { profileEntry } from "../browsers/profiles/controls.js";
import { proxyEntry } from "../browsers/proxies/controls.js";
import { faultRuleSchema } from "../http/fault-shape.js";
import { id } from "../http/seed-members.js";
import { anyText, exactly, inputOf, listOf } from "../http/shapes.js";
import { authConnectionEntry, scenarioEntry } from "../logins/auth-connections/controls.js";
import { checkInterval } from "../logins/auth-connections/requests.js";
import { credentialEntry } from "../logins/credentials/controls.js";
import { loginScenarioMap } from "../logins/scenarios/schema.js";
import { apiKeyEntry } from "../organization/api-keys/record.js";
import { credentialProviderEntry } from "../organization/credential-providers/controls.js";
import { vaultItemEntry } from "../organization/credential-providers/vault.js";
import { limit, projectEntry } from "../organization/projects/entry.js";
import { telemetryDestinationEntry } from "../organization/telemetry-destinations/requests.js";

function list<Entry extends z.ZodType>(entry: Entry) {
  return listOf(entry).optional();
}

/**
 * Contents of an emulator at the start. Source of the generated
 * `docs/emulator/emulator-seed.schema.json`. @internal
 */
export const seedSchema = exactly({
  $schema: anyText.optional().describe("URL of this schema, for editors."),
  organization: exactly({
    id: id.optional(),
    maxConcurrentSessions: limit
      .optional()
      .describe("Browsers at the same time in all projects. Default: 100."),
    defaultProjectMaxConcurrentSessions: limit
      .nullish()
      .describe("Browsers at the same time in each project without an own limit. Default: no limit."),
    maxAuthConnections: limit
      .nullish()
      .describe(
        "Auth connections in all projects. Further connections are refused with 403 insufficient_plan. Default: no limit.",
      ),
    minHealthCheckIntervalSeconds: checkInterval
      .optional()
      .describe(
        "Shortest interval between health checks, in seconds. Shorter intervals are refused with 400. Default: 300.",
      ),
  })
    .optional()
    .describe("Id and limits of the organization. Used only for new data."),
  defaultProject: projectEntry
    .partial()
    .optional()
    .describe("Project of requests without a project. Default name: Default. Used only for new data."),
  projects: list(projectEntry),
  apiKeys: list(apiKeyEntry),
  credentialProviders: list(credentialProviderEntry),
  vaultItems: list(vaultItemEntry).describe(
    "Items that every credential provider with a working token can read. Not stored in a data folder.",
  ),
  extensions: list(extensionEntry),
  profiles: list(profileEntry),
  proxies: list(proxyEntry),
  credentials: list(credentialEntry),
  telemetryDestinations: list(telemetryDestinationEntry),
  browserPools: list(browserPoolEntry),
  loginScenarios: z
    .union([z.string().min(1), loginScenarioMap], {
      error: "must be the path of a file, or an object of scenarios by name",
    })
    .optional()
    .describe(
      "Scenarios by name, or the path of a JSON file with them in its member scenarios. A scenario with the name of a built-in scenario replaces the built-in scenario.",
    ),
  defaultLoginScenario: scenarioEntry.describe(
    "Scenario of connections without a chosen scenario. Default: password.",
  ),
  authConnections: list(authConnectionEntry),
  deployments: list(deploymentEntry),
  faults: list(faultRuleSchema).describe(
    "Faults that apply to requests, in this order, from the start. Not stored in a data folder.",
  ),
}).meta({
  title: "Seed of the emulator",
  description:
    "Initial data of an emulator of the browser infrastructure service. With a data folder, missing objects are created, and existing objects are unchanged. An existing object is recognized as follows: a project, a profile, a credential, a credential provider, a telemetry destination or a browser pool by id, else by name; an API key by id, else by the secret, else by name in the project; an extension by id, else by name, else by the bytes; a proxy by id; an auth connection by id, else by domain and profile; a deployment by id, else by app and version. Give an id to every object that may be renamed.",
});

/** Shape of the entries of a kind, with the type of credentials as an example. @internal */
export function entryShape(kind: string) {
  return seedSchema.shape[kind as "credentials"].unwrap().element;
}

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
