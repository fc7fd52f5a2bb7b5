import { z } from "zod";
import { seedMembers } from "../browsers/browser-pools/changes.js";
import { extensionNameProblem } from "../browsers/extensions/store.js";
import { proxyNameProblem } from "../browsers/proxies/requests.js";
import { faultRuleSchema } from "../http/fault-shape.js";
import { checkedString, flag, notADateTime, notAString, notTheObject } from "../http/shapes.js";
import { domainProblem } from "../logins/connections/connection.js";
import { builtInScenarioNames } from "../logins/scenarios/scenarios.js";
import { inputOf, loginScenarioMap } from "../logins/scenarios/schema.js";
import { policyShape } from "../organization/api-keys/policy.js";
import { apiKeyProblem } from "../organization/api-keys/record.js";
import { idProblem, nameCharactersMax, nameProblem, recordIdPattern } from "../storage/ids-and-names.js";

/** String that fulfills a rule. `meta`: the part of the rule that a JSON schema can express. */
function text(
  problem: (text: string) => string | undefined,
  meta: Readonly<Record<string, unknown>> & { readonly description: string },
) {
  return checkedString(problem).meta(meta);
}

function list<Entry extends z.ZodType>(entry: Entry) {
  return z.array(entry, "must be a list").optional();
}

const id = text(idProblem, {
  description: "Default: a new one.",
  pattern: recordIdPattern.source,
}).optional();

const nameLength = { minLength: 1, maxLength: nameCharactersMax };

const notALimit = "must be a whole number of at least 1, or null for no limit";
const limit = z.int(notALimit).min(1, notALimit);

const notAnInterval = "must be a whole number of seconds from 300 to 86400";

const limits = z
  .strictObject(
    {
      maxConcurrentSessions: limit
        .nullish()
        .describe("Browsers at the same time, browsers of pools included."),
      maxConcurrentInvocations: limit.nullish().describe("App invocations at the same time."),
      maxPooledSessions: limit
        .nullish()
        .describe(
          "Browsers in pools. Deprecated: requests cannot set this limit, but an old project may have one.",
        ),
    },
    notTheObject,
  )
  .describe(
    "Limits of the project. Default, also with null: no limit, so only the organization's limit applies.",
  );

const project = z.strictObject(
  {
    id,
    name: text(nameProblem, { description: "Unique within the organization.", ...nameLength }),
    status: z
      .enum(["active", "archived"], 'must be "active" or "archived"')
      .optional()
      .describe("Default: active."),
    limits: limits.optional(),
  },
  notTheObject,
);

const projectReference = z
  .string(notAString)
  .optional()
  .describe("Id or exact name of a project in this seed or in the data folder, or of the default project.");

const dateTime = z.iso.datetime({
  offset: true,
  error: notADateTime,
});

const apiKey = z.strictObject(
  {
    id,
    name: text(nameProblem, { description: "Label, not unique.", ...nameLength }),
    key: text(apiKeyProblem, {
      description:
        "Secret of the key. Default: a random secret that is shown nowhere, for a key that is only listed and renamed.",
      pattern: "^[!-~]{1,255}$",
    }).optional(),
    project: projectReference.describe(
      "Id or exact name of the project of the key. Default: none, a key of the organization.",
    ),
    expiresAt: dateTime.optional().describe("Expiry time, which may be in the past. Default: never."),
    policy: policyShape
      .optional()
      .describe("Policy, in the form of a request. Default: everything is allowed."),
    createdBy: z
      .strictObject(
        {
          id: z.string(notAString).optional(),
          email: z.string(notAString),
          name: z.string(notAString).nullish(),
        },
        notTheObject,
      )
      .optional()
      .describe("Creator. Default: the only person of the emulated organization."),
  },
  notTheObject,
);

const extension = z.strictObject(
  {
    name: text(extensionNameProblem, {
      description: "Unique within the project. Default: none.",
      pattern: "^[A-Za-z0-9._-]{1,255}$",
    }).optional(),
    project: projectReference.describe("Id or exact name of the project. Default: the default project."),
    archive: z
      .string(notAString)
      .min(1, "must not be empty")
      .describe(
        "Path of a zip archive. A relative path starts at the folder of the seed file; in a seed given as an object, at the working directory.",
      ),
    legacy: flag
      .optional()
      .describe("Whether the record lacks a checksum, as old records do. Default: false."),
  },
  notTheObject,
);

const profile = z.strictObject(
  {
    id,
    project: projectReference.describe("Id or exact name of the project. Default: the default project."),
    name: text(nameProblem, { description: "Unique within the project.", ...nameLength }),
  },
  notTheObject,
);

const credential = z.strictObject(
  {
    id,
    project: projectReference.describe("Id or exact name of the project. Default: the default project."),
    name: text(nameProblem, { description: "Unique within the project.", ...nameLength }),
    domain: text(domainProblem, { description: "Domain of the credential, such as example.com." }),
    values: z
      .record(z.string(), z.string(notAString), "must be an object of strings")
      .describe("Values by field of the login, such as username."),
  },
  notTheObject,
);

const proxy = z.strictObject(
  {
    id: text(idProblem, {
      description: "Id of the proxy. Names are not unique.",
      pattern: recordIdPattern.source,
    }),
    project: projectReference.describe("Id or exact name of the project. Default: the default project."),
    name: text(proxyNameProblem, { description: "Default: none.", ...nameLength }).optional(),
    type: z.enum(["isp", "residential", "mobile", "custom"], "must be isp, residential, mobile or custom"),
    protocol: z.enum(["http", "https"], "must be http or https").optional().describe("Default: https."),
    bypassHosts: z
      .array(z.string(notAString), "must be a list")
      .optional()
      .describe("Hosts that browsers reach without the proxy. Default: none."),
    config: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Configuration, with the members of a request. A password is not stored."),
  },
  notTheObject,
);

const browserPool = z.strictObject(
  {
    id,
    project: projectReference.describe("Id or exact name of the project. Default: the default project."),
    name: text(extensionNameProblem, {
      description: "Unique within the project.",
      pattern: "^[A-Za-z0-9._-]{1,255}$",
    }),
    filled: flag.optional().describe("Whether all browsers are ready at the start. Default: true."),
    ...seedMembers,
  },
  notTheObject,
);

const scenarioName = z
  .string(notAString)
  .optional()
  .describe(`Name of a login scenario: ${builtInScenarioNames.join(", ")}, or one of this seed.`);

const authConnection = z.strictObject(
  {
    id,
    project: projectReference.describe("Id or exact name of the project. Default: the default project."),
    domain: text(domainProblem, { description: "Domain of the login, such as example.com." }),
    profileName: text(nameProblem, {
      description: "Browser profile that is signed in; unique within the project and the domain.",
      ...nameLength,
    }),
    scenario: scenarioName,
    status: z
      .enum(["AUTHENTICATED", "NEEDS_AUTH"], 'must be "AUTHENTICATED" or "NEEDS_AUTH"')
      .optional()
      .describe("Whether the profile is signed in. Default: NEEDS_AUTH."),
    credential: z
      .string(notAString)
      .min(1, "must not be empty")
      .optional()
      .describe("Name of a credential of the project. Default: none, until a login stores a credential."),
    startLogin: flag
      .optional()
      .describe("Whether a login starts when the connection is created. Default: false."),
  },
  notTheObject,
);

/**
 * Contents of an emulator at the start. Source of the generated `docs/emulator/emulator-seed.schema.json`.
 *
 * @internal
 */
export const seedSchema = z
  .strictObject(
    {
      $schema: z.string(notAString).optional().describe("URL of this schema, for editors."),
      organization: z
        .strictObject(
          {
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
            minHealthCheckIntervalSeconds: z
              .int(notAnInterval)
              .min(300, notAnInterval)
              .max(86_400, notAnInterval)
              .optional()
              .describe(
                "Shortest interval between health checks, in seconds. Shorter intervals are refused with 400. Default: 300.",
              ),
          },
          notTheObject,
        )
        .optional()
        .describe("Limits of the organization. Used only for new data."),
      defaultProject: project
        .omit({ status: true })
        .partial()
        .optional()
        .describe("Project of requests without a project. Default name: Default. Used only for new data."),
      projects: list(project),
      apiKeys: list(apiKey),
      extensions: list(extension),
      profiles: list(profile),
      proxies: list(proxy),
      credentials: list(credential),
      browserPools: list(browserPool),
      loginScenarios: z
        .union([z.string().min(1), loginScenarioMap], {
          error: "must be the path of a file, or an object of scenarios by name",
        })
        .optional()
        .describe(
          "Scenarios by name, or the path of a JSON file with them in its member scenarios. A scenario with the name of a built-in scenario replaces the built-in scenario.",
        ),
      defaultLoginScenario: scenarioName.describe(
        "Scenario of connections without a chosen scenario. Default: password.",
      ),
      authConnections: list(authConnection),
      faults: list(faultRuleSchema).describe(
        "Faults that apply to requests, in this order, from the start. Not stored in a data folder.",
      ),
    },
    notTheObject,
  )
  .meta({
    title: "Seed of the emulator",
    description:
      "Initial data of an emulator of the browser infrastructure service. With a data folder, missing objects are created, and existing objects are unchanged. An existing object is recognized as follows: a project, a profile or a browser pool by id, else by name; an API key by id, else by the secret, else by name in the project; an extension by name, else by the bytes; a proxy by id; an auth connection by id, else by domain and profile. Give an id to every object that may be renamed.",
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
