import { z } from "zod";
import { anyText, exactly, filledText, inputOf, listOf, oneOf } from "../../http/shapes.js";

/** Default wait of a login for input, in milliseconds (10 minutes). Source: the published guide. */
export const inputTimeoutMsDefault = 600_000;

/** Default time limit of a login, in milliseconds (20 minutes). Source: the published guide. */
export const loginTimeoutMsDefault = 1_200_000;

const notAName = "must be 1 to 64 of the characters A-Z a-z 0-9 _ -, starting with a letter";
const name = anyText.regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, notAName);
/** Error option of an object whose author chooses the names of its members. */
const notByName = {
  error: (issue: { readonly code: string }) =>
    issue.code === "invalid_key"
      ? `must have a name that ${notAName.replace(/^must be/, "is")}`
      : "must be an object",
};
const text = filledText.max(2000, "must have at most 2000 characters");
const notADuration = "must be a number of milliseconds from 1 to 86400000";
const durationMs = z.number(notADuration).min(1, notADuration).max(86_400_000, notADuration);
const url = z.url("must be a URL, such as https://example.com/");

const field = exactly({
  id: name.describe("Name in a submission."),
  type: oneOf("identifier", "password", "code", "totp_code", "totp_secret", "text"),
  label: text,
  required: z.boolean("must be true or false").optional().describe("Default: true."),
  hint: text.optional().describe("Help beside the field."),
});

const choice = exactly({
  id: name.describe("Name in a submission."),
  type: oneOf(
    "mfa_method",
    "sso_provider",
    "sign_in_method",
    "auth_method",
    "identifier_method",
    "account",
    "other",
  ),
  label: text,
  description: text.optional(),
  provider: text
    .optional()
    .describe("Identity provider, such as google. Required for the type sso_provider."),
  mfaType: oneOf("sms", "call", "email", "totp", "push", "password", "switch")
    .optional()
    .describe("Delivery of the second factor. Required for the type mfa_method."),
  target: text.optional().describe("Masked telephone number or e-mail address of an mfa_method."),
});

const answer = exactly({
  fields: z
    .record(name, anyText, notByName)
    .optional()
    .describe("Applies when each of these fields has exactly this value."),
  choice: name.optional().describe("Applies when this choice was made."),
  next: name.describe("Next step."),
});

/** Members of every step that asks a person for input. */
const inputMembers = {
  fields: listOf(field).optional(),
  choices: listOf(choice).optional(),
  answers: listOf(answer).optional().describe("Next steps by answer. The first match applies."),
};

const automaticStep = exactly({
  step: z.enum(["DISCOVERING", "SUBMITTING", "COMPLETED"]),
  durationMs: durationMs.describe("Duration in milliseconds."),
  next: name.describe("Next step."),
  websiteError: text
    .optional()
    .describe("Error of the website, shown from the end of this step until the next submission."),
});

const awaitingInput = exactly({
  step: z.literal("AWAITING_INPUT"),
  ...inputMembers,
  next: name.describe("Next step after an answer that `answers` does not list."),
  timeoutMs: durationMs.optional().describe("Longest wait in milliseconds. Default: 600000, ten minutes."),
  onTimeout: name
    .optional()
    .describe("Next step when no answer comes in time. Default: the login ends as EXPIRED."),
});

const awaitingExternalAction = exactly({
  step: z.literal("AWAITING_EXTERNAL_ACTION"),
  message: text.describe("Action outside of the browser, such as an approval on a phone."),
  durationMs: durationMs
    .optional()
    .describe(
      "Time in milliseconds until a person has done the action. Default: until a program reports the action or the login expires.",
    ),
  next: name.describe("Next step."),
  ...inputMembers,
});

/** End of a login. @internal */
export const loginEnd = exactly({
  status: oneOf("SUCCESS", "FAILED", "EXPIRED", "CANCELED"),
  errorCode: text.optional().describe("Reason of the failure, as a code such as captcha_blocked."),
  errorMessage: text.optional().describe("Reason of the failure, in words."),
});

const end = loginEnd.extend({ step: z.literal("END") });

const step = z.discriminatedUnion("step", [automaticStep, awaitingInput, awaitingExternalAction, end], {
  error: (issue) =>
    issue.code === "invalid_union"
      ? "must have a step of DISCOVERING, SUBMITTING, COMPLETED, AWAITING_INPUT, AWAITING_EXTERNAL_ACTION or END"
      : "must be an object",
});

const scenarioShape = exactly({
  title: text.describe("Short description."),
  type: oneOf("LOGIN", "REAUTH")
    .optional()
    .describe(
      "Reported type of the login. Default: LOGIN, or REAUTH for a login that starts at `whenStored`.",
    ),
  start: name.describe("First step."),
  whenSignedIn: name.optional().describe("First step when the profile is signed in. Default: `start`."),
  whenStored: name
    .optional()
    .describe("First step when credentials are stored with the connection. Default: `start`."),
  expiresAfterMs: durationMs
    .optional()
    .describe(
      "Time in milliseconds after which the login ends as EXPIRED, even within a step. Default: 1200000, twenty minutes.",
    ),
  liveViewUrl: url
    .optional()
    .describe("Address of the live view of the browser during the login. Default: none."),
  steps: z.record(name, step, notByName),
});

/** Login scenario: requested input, durations, and the next step for every answer. @internal */
export const loginScenarioSchema = scenarioShape.superRefine(checkScenario).meta({ id: "LoginScenario" });

/** Members that refer to steps, fields and choices, for every kind of step. */
type AnyStep = Pick<z.output<typeof step>, "step"> & Partial<Omit<z.output<typeof awaitingInput>, "step">>;

/** Finds missing steps, fields and choices, duplicate names, and steps that cannot be answered. */
function checkScenario(
  { steps, ...scenario }: z.output<typeof scenarioShape>,
  context: z.RefinementCtx,
): void {
  const refuse = (path: readonly (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path: [...path], message });
  const checkTarget = (path: readonly (string | number)[], target: string | undefined) => {
    if (target !== undefined && !Object.hasOwn(steps, target)) {
      refuse(path, "must be the name of a step");
    }
  };
  for (const entrance of ["start", "whenSignedIn", "whenStored"] as const) {
    checkTarget([entrance], scenario[entrance]);
  }
  for (const [stepName, step] of Object.entries<AnyStep>(steps)) {
    const place = ["steps", stepName];
    checkTarget([...place, "next"], step.next);
    checkTarget([...place, "onTimeout"], step.onTimeout);
    const { fields = [], choices = [], answers = [] } = step;
    if (step.step === "AWAITING_INPUT" && fields.length + choices.length === 0) {
      refuse(place, "must have fields or choices, because it waits for input");
    }
    const ids = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);
    for (const [list, entries] of Object.entries({ fields, choices })) {
      for (const [index, id] of ids(entries).entries()) {
        if (ids(entries).indexOf(id) < index) {
          refuse([...place, list, index, "id"], "is a duplicate");
        }
      }
    }
    for (const [index, { type, provider, mfaType }] of choices.entries()) {
      if (type === "sso_provider" && provider === undefined) {
        refuse([...place, "choices", index], "must have a provider, because its type is sso_provider");
      }
      if (type === "mfa_method" && mfaType === undefined) {
        refuse([...place, "choices", index], "must have an mfaType, because its type is mfa_method");
      }
    }
    for (const [index, answer] of answers.entries()) {
      const at = [...place, "answers", index];
      checkTarget([...at, "next"], answer.next);
      for (const id of Object.keys(answer.fields ?? {}).filter((id) => !ids(fields).includes(id))) {
        refuse([...at, "fields", id], "must be a field of the step");
      }
      if (answer.choice !== undefined && !ids(choices).includes(answer.choice)) {
        refuse([...at, "choice"], "must be a choice of the step");
      }
    }
  }
}

/** Scenarios by name. @internal */
export const loginScenarioMap = z.record(name, loginScenarioSchema, notByName);

/** File of scenarios. Source of `docs/emulator/login-scenarios.schema.json`. @internal */
export const loginScenarioFile = exactly({
  $schema: anyText.optional().describe("URL of this schema, for editors."),
  scenarios: loginScenarioMap,
}).meta({
  title: "Login scenarios of the emulator",
  description:
    "Steps of a login: the requested input, the durations, the next step after each answer, and the end.",
});

const inputLoginScenario = () => inputOf(loginScenarioSchema);
const inputScenarioStep = () => inputOf(step);
const inputScenarioField = () => inputOf(field);
const inputScenarioChoice = () => inputOf(choice);
const inputLoginOutcome = () => inputOf(end).status;
const inputLoginEnd = () => inputOf(loginEnd);

/** A login scenario; see `docs/emulator/login-scenarios.schema.json`. */
export type LoginScenario = ReturnType<typeof inputLoginScenario>;

export type ScenarioStep = ReturnType<typeof inputScenarioStep>;

/** Value that a step asks for. */
export type ScenarioField = ReturnType<typeof inputScenarioField>;

export type ScenarioChoice = ReturnType<typeof inputScenarioChoice>;

export type LoginOutcome = ReturnType<typeof inputLoginOutcome>;

/** End of a login: the final status and, for `FAILED`, a code and a message. */
export type LoginEnd = ReturnType<typeof inputLoginEnd>;

/**
 * Returns the JSON schema of a file of scenarios. `npm run generate:docs` writes the schema to
 * `docs/emulator/login-scenarios.schema.json`, which is packed and not committed.
 */
export function loginScenariosJsonSchema(): unknown {
  return z.toJSONSchema(loginScenarioFile, { io: "input" });
}
