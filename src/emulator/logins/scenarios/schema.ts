import { z } from "zod";
import { notTheObject } from "../../http/strict-object.js";
import { checkScenario } from "./check.js";

/** How long a login waits for input when its step does not say, in milliseconds (10 minutes). Source: the service's published guide. */
export const inputTimeoutMsDefault = 600_000;

/** How long a login may take when its scenario does not say, in milliseconds (20 minutes). Source: the service's published guide. */
export const loginTimeoutMsDefault = 1_200_000;

const notAName = "must be 1 to 64 of the characters A-Z a-z 0-9 _ -, beginning with a letter";
const name = z.string("must be a text").regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, notAName);
/** Says what is wrong with an object whose members have names of the author's choice. */
const notByName = {
  error: (issue: { readonly code: string }) =>
    issue.code === "invalid_key"
      ? `must have a name that ${notAName.replace(/^must be/, "is")}`
      : "must be an object",
};
const text = z
  .string("must be a text")
  .min(1, "must not be empty")
  .max(2000, "must have at most 2000 characters");
const notADuration = "must be a number of milliseconds from 1 to 86400000";
const durationMs = z.number(notADuration).min(1, notADuration).max(86_400_000, notADuration);
const address = z.url("must be an address, such as https://example.com/");

const field = z.strictObject(
  {
    id: name.describe("What a submission calls it."),
    ref: name.optional().describe("Name its value is kept under in a credential. Default: the id."),
    type: z.enum(
      ["identifier", "password", "code", "totp_code", "totp_secret", "text"],
      "must be one of identifier, password, code, totp_code, totp_secret, text",
    ),
    label: text,
    required: z.boolean("must be true or false").optional().describe("Default: true."),
    hint: text.optional().describe("Help beside the field."),
    placeholder: text.optional(),
    selector: text.optional().describe("CSS selector of the field on the page. Default: made of the id."),
  },
  notTheObject,
);

const choice = z.strictObject(
  {
    id: name.describe("What a submission calls it."),
    type: z.enum(
      [
        "mfa_method",
        "sso_provider",
        "sign_in_method",
        "auth_method",
        "identifier_method",
        "account",
        "other",
      ],
      "must be one of mfa_method, sso_provider, sign_in_method, auth_method, identifier_method, account, other",
    ),
    label: text,
    description: text.optional(),
    selector: text.optional().describe("Selector of the choice on the page. Default: made of the id."),
    provider: text.optional().describe("Identity provider, such as google. Needed by the type sso_provider."),
    mfaType: z
      .enum(
        ["sms", "call", "email", "totp", "push", "password", "switch"],
        "must be one of sms, call, email, totp, push, password, switch",
      )
      .optional()
      .describe("How the second factor is delivered. Needed by the type mfa_method."),
    target: text.optional().describe("Masked telephone number or e-mail address of an mfa_method."),
  },
  notTheObject,
);

const answer = z.strictObject(
  {
    fields: z
      .record(name, z.string("must be a text"), notByName)
      .optional()
      .describe("Counts when each of these fields has exactly this value."),
    choice: name.optional().describe("Counts when this choice was made."),
    next: name.describe("Step that follows."),
  },
  notTheObject,
);

/** What a person may be asked for: the same members in every step that asks. */
const asked = {
  fields: z.array(field, "must be a list").optional(),
  choices: z.array(choice, "must be a list").optional(),
  answers: z
    .array(answer, "must be a list")
    .optional()
    .describe("Where particular answers lead; the first that fits counts."),
};

const passing = z.strictObject(
  {
    step: z.enum(["DISCOVERING", "SUBMITTING", "COMPLETED"]),
    durationMs: durationMs.describe("How long it lasts."),
    next: name.describe("Step that follows."),
    websiteError: text
      .optional()
      .describe("Error the website shows from the end of this step on, until the next submission."),
  },
  notTheObject,
);

const awaitingInput = z.strictObject(
  {
    step: z.literal("AWAITING_INPUT"),
    ...asked,
    next: name.describe("Step that follows an answer which `answers` does not name."),
    timeoutMs: durationMs.optional().describe("How long it waits. Default: 600000, ten minutes."),
    onTimeout: name
      .optional()
      .describe("Step that follows when nobody answers in time. Default: the login ends as EXPIRED."),
  },
  notTheObject,
);

const awaitingExternalAction = z.strictObject(
  {
    step: z.literal("AWAITING_EXTERNAL_ACTION"),
    message: text.describe("What is to be done elsewhere, such as approving on a telephone."),
    durationMs: durationMs
      .optional()
      .describe(
        "After how long somebody has done it. Default: never, until a program says so or the login expires.",
      ),
    next: name.describe("Step that follows."),
    ...asked,
  },
  notTheObject,
);

const end = z.strictObject(
  {
    step: z.literal("END"),
    status: z.enum(
      ["SUCCESS", "FAILED", "EXPIRED", "CANCELED"],
      "must be one of SUCCESS, FAILED, EXPIRED, CANCELED",
    ),
    errorCode: text.optional().describe("Why it failed, as a code such as captcha_blocked."),
    errorMessage: text.optional().describe("Why it failed, in words."),
  },
  notTheObject,
);

const step = z.discriminatedUnion("step", [passing, awaitingInput, awaitingExternalAction, end], {
  error: (issue) =>
    issue.code === "invalid_union"
      ? "must have a step of DISCOVERING, SUBMITTING, COMPLETED, AWAITING_INPUT, AWAITING_EXTERNAL_ACTION or END"
      : "must be an object",
});

/** The script of a login: what it asks for, how long that takes, where each answer leads. */
export const loginScenarioSchema = z
  .strictObject(
    {
      title: text.describe("What it is, in a few words."),
      type: z
        .enum(["LOGIN", "REAUTH"], "must be LOGIN or REAUTH")
        .optional()
        .describe(
          "What the login is reported as. Default: LOGIN, or REAUTH where it begins at `whenStored`.",
        ),
      start: name.describe("Step it begins with."),
      whenSignedIn: name
        .optional()
        .describe("Step it begins with while the profile is signed in. Default: as always."),
      whenStored: name
        .optional()
        .describe("Step it begins with when credentials are stored with the connection. Default: as always."),
      expiresAfterMs: durationMs
        .optional()
        .describe("When it ends as EXPIRED whatever it does. Default: 1200000, twenty minutes."),
      postLoginUrl: address
        .optional()
        .describe("Where the browser is after a login that succeeded. Default: the root of the domain."),
      liveViewUrl: address
        .optional()
        .describe("Where the browser could be watched meanwhile. Default: none."),
      forms: z
        .enum(["both", "canonical", "discovered"], "must be one of both, canonical, discovered")
        .optional()
        .describe(
          "How it says what it asks for: as fields and choices (canonical), in the older members such as discovered_fields (discovered), or both, the default.",
        ),
      steps: z.record(name, step, notByName),
    },
    notTheObject,
  )
  .superRefine(checkScenario)
  .meta({ id: "LoginScenario" });

/** Scenarios by name. */
export const loginScenarioMap = z.record(name, loginScenarioSchema, notByName);

/** A file of scenarios; `docs/login-scenarios.schema.json` is made of this. */
export const loginScenarioFile = z
  .strictObject(
    {
      $schema: z.string("must be a text").optional().describe("Address of this schema, for editors."),
      scenarios: loginScenarioMap,
    },
    notTheObject,
  )
  .meta({
    title: "Login scenarios of the emulator",
    description:
      "Scripts of logins: what each asks for, how long that takes, where each answer leads, how it ends.",
  });

/** The script of a login; see `docs/login-scenarios.schema.json`. */
export type LoginScenario = z.input<typeof loginScenarioSchema>;

/** A step of a scenario. */
export type ScenarioStep = z.input<typeof step>;

/** A value a step asks for. */
export type ScenarioField = z.input<typeof field>;

/** A choice a step offers. */
export type ScenarioChoice = z.input<typeof choice>;

/** How a login ends. */
export type LoginOutcome = z.input<typeof end>["status"];

/**
 * The JSON schema of a file of scenarios. It is published as `docs/login-scenarios.schema.json`, which is written, after a build, by
 * `node -p 'JSON.stringify(require("./dist/emulator/logins/scenarios/schema.js").loginScenariosJsonSchema(), null, 2)'`.
 */
export function loginScenariosJsonSchema(): unknown {
  return z.toJSONSchema(loginScenarioFile, { io: "input" });
}
