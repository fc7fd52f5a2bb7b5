import { z } from "zod";
import { apiKeyProblem } from "../api-keys/text.js";
import { extensionNameProblem } from "../extensions/name.js";
import { domainProblem } from "../logins/connections/connection.js";
import { loginScenarioMap } from "../logins/scenarios/schema.js";
import { builtInScenarioNames } from "../logins/scenarios/scenarios.js";
import { idProblem, recordIdPattern } from "../storage/record-id.js";
import { nameCharactersMax, nameProblem } from "../storage/record-name.js";
import { notTheObject } from "../http/strict-object.js";

/** A text that a rule finds no problem with. What the rule says is not in the JSON schema, so `meta` says what can be said there. */
function text(
  problem: (text: string) => string | undefined,
  meta: Readonly<Record<string, unknown>> & { readonly description: string },
) {
  return z
    .string("must be a text")
    .superRefine((value, { addIssue }) => {
      const found = problem(value);
      if (found !== undefined) {
        addIssue(found);
      }
    })
    .meta(meta);
}

const nameLength = { minLength: 1, maxLength: nameCharactersMax };

const notALimit = "must be a whole number from 1, or null for no cap";
const limit = z.int(notALimit).min(1, notALimit);

const limits = z
  .strictObject(
    {
      maxConcurrentSessions: limit.nullish().describe("Browsers at once, those of pools included."),
      maxConcurrentInvocations: limit.nullish().describe("App invocations at once."),
      maxPooledSessions: limit
        .nullish()
        .describe(
          "Browsers in pools. Deprecated: no request can set it any more, but an old project may have it.",
        ),
    },
    notTheObject,
  )
  .describe("Caps of the project. Absent or null: no cap, so that the organization's limit applies.");

const project = z.strictObject(
  {
    id: text(idProblem, { description: "Default: a new one.", pattern: recordIdPattern.source }).optional(),
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
  .string("must be a text")
  .optional()
  .describe(
    "Id or exact name of a project: one of this seed, the default project, or one that the data folder has.",
  );

const apiKey = z.strictObject(
  {
    id: text(idProblem, { description: "Default: a new one.", pattern: recordIdPattern.source }).optional(),
    name: text(nameProblem, { description: "Label; several keys may have the same.", ...nameLength }),
    key: text(apiKeyProblem, {
      description:
        "Text of the key. Default: a new one that nobody is told, for a key that is there to be listed and renamed.",
      pattern: "^[!-~]{1,255}$",
    }).optional(),
    project: projectReference.describe(
      "Id or exact name of the project the key is confined to. Default: none.",
    ),
    expiresAt: z.iso
      .datetime({ offset: true, error: 'must be a date-time such as "2030-01-31T00:00:00Z"' })
      .optional()
      .describe("When it stops being valid, also in the past. Default: never."),
    createdBy: z
      .strictObject(
        {
          id: z.string("must be a text").optional(),
          email: z.string("must be a text"),
          name: z.string("must be a text").nullish(),
        },
        notTheObject,
      )
      .optional()
      .describe("Who made it. Default: the one person the emulated organization has."),
  },
  notTheObject,
);

const extension = z.strictObject(
  {
    name: text(extensionNameProblem, {
      description: "Unique within the project. Default: none.",
      pattern: "^[A-Za-z0-9._-]{1,255}$",
    }).optional(),
    project: projectReference.describe(
      "Id or exact name of the project it belongs to. Default: the default project.",
    ),
    archive: z
      .string("must be a text")
      .min(1, "must not be empty")
      .describe(
        "Path of a zip archive. A relative one starts at the folder of the seed file, or for a seed that is an object at the working directory.",
      ),
  },
  notTheObject,
);

const scenarioName = z
  .string("must be a text")
  .optional()
  .describe(`Name of a login scenario: one of ${builtInScenarioNames.join(", ")}, or of this seed's own.`);

const authConnection = z.strictObject(
  {
    id: text(idProblem, { description: "Default: a new one.", pattern: recordIdPattern.source }).optional(),
    project: projectReference.describe(
      "Id or exact name of the project it belongs to. Default: the default project.",
    ),
    domain: text(domainProblem, { description: "Domain the login is for, such as example.com." }),
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
      .string("must be a text")
      .min(1, "must not be empty")
      .optional()
      .describe("Name of a credential kept with it. Default: none, until a login has taken one."),
    startLogin: z
      .boolean("must be true or false")
      .optional()
      .describe("Starts a login when the connection is made. Default: false."),
  },
  notTheObject,
);

/** What an emulator is filled with at its start. `docs/emulator-seed.schema.json` is made of this. */
export const seedSchema = z
  .strictObject(
    {
      $schema: z.string("must be a text").optional().describe("Address of this schema, for editors."),
      organization: z
        .strictObject(
          {
            maxConcurrentSessions: limit
              .optional()
              .describe("Browsers at once, over all projects. Default: 100."),
            defaultProjectMaxConcurrentSessions: limit
              .nullish()
              .describe("Browsers at once of each project that has no cap of its own. Default: no cap."),
          },
          notTheObject,
        )
        .optional()
        .describe("Limits of the organization. Counts when the data is new."),
      defaultProject: project
        .omit({ status: true })
        .partial()
        .optional()
        .describe(
          "The project of requests that name none; by default it is called Default. Counts when the data is new.",
        ),
      projects: z.array(project, "must be a list").optional(),
      apiKeys: z.array(apiKey, "must be a list").optional(),
      extensions: z.array(extension, "must be a list").optional(),
      loginScenarios: z
        .union([z.string().min(1), loginScenarioMap], {
          error: "must be the path of a file, or an object of scenarios by their name",
        })
        .optional()
        .describe(
          "Scenarios of its own, by their name, or the path of a JSON file that has them in its member scenarios; one named like a built-in one replaces it.",
        ),
      defaultLoginScenario: scenarioName.describe(
        "Name of the scenario that connections play for which none is chosen. Default: password.",
      ),
      authConnections: z.array(authConnection, "must be a list").optional(),
    },
    notTheObject,
  )
  .meta({
    title: "Seed of the emulator",
    description:
      "What an emulator of the browser infrastructure service is filled with at its start. With a data folder, what is missing is made and what is there stays as it is: projects and keys are known by their id, else projects by their name and keys by their text or else their name in their project; extensions by their name, else their bytes; auth connections by their id, else their domain and profile. So give an id to what may be renamed.",
  });

/** What an emulator is filled with at its start; see `docs/emulator-seed.schema.json`. */
export type EmulatorSeed = z.input<typeof seedSchema>;

/**
 * The JSON schema of a seed file. It is published as `docs/emulator-seed.schema.json`, which is written, after a build, by
 * `node -p 'JSON.stringify(require("./dist/emulator/seed/schema.js").seedJsonSchema(), null, 2)'`.
 */
export function seedJsonSchema(): unknown {
  return z.toJSONSchema(seedSchema, { io: "input" });
}
