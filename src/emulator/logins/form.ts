import { invalidInput } from "../http/service-error.js";
import { withValues } from "../storage/members.js";
import { type SubmitRequest, submitRequest } from "./auth-connections/requests.js";
import type { ScenarioChoice, ScenarioField, ScenarioStep } from "./scenarios/schema.js";

/** Input that a step asks for. */
export interface LoginForm {
  readonly fields: readonly ScenarioField[];
  readonly choices: readonly ScenarioChoice[];
}

/** Input that a step asks for; empty lists without input. */
export function formOf(step: ScenarioStep | undefined): LoginForm {
  return step?.step === "AWAITING_INPUT" || step?.step === "AWAITING_EXTERNAL_ACTION"
    ? { fields: step.fields ?? [], choices: step.choices ?? [] }
    : { fields: [], choices: [] };
}

/** Older members list MFA methods and SSO providers apart; the rest are sign-in options. */
const isMfaMethod = ({ type }: ScenarioChoice) => type === "mfa_method";
const isSsoProvider = ({ type }: ScenarioChoice) => type === "sso_provider";
const isSignInOption = (choice: ScenarioChoice) => !isMfaMethod(choice) && !isSsoProvider(choice);

/** Selector of an identity provider's button in the older members: an XPath. */
function ssoSelector({ id }: ScenarioChoice): string {
  return `//button[@id="${id}"]`;
}

/** Whether a choice has the given name in an older member. */
const olderChoiceNames = {
  mfa_option_id: (choice: ScenarioChoice, given: string) => isMfaMethod(choice) && choice.mfaType === given,
  sign_in_option_id: (choice: ScenarioChoice, given: string) => isSignInOption(choice) && choice.id === given,
  sso_button_selector: (choice: ScenarioChoice, given: string) =>
    isSsoProvider(choice) && ssoSelector(choice) === given,
  sso_provider: (choice: ScenarioChoice, given: string) => isSsoProvider(choice) && choice.provider === given,
} as const;

/**
 * Converts a form as the service sends forms, with the present and the older members. Empty lists
 * become null. Source: the published interface.
 */
export function formOnWire({ fields, choices }: LoginForm) {
  const lists = {
    fields: fields.map(canonicalField),
    choices: choices.map(canonicalChoice),
    discovered_fields: fields.map(discoveredField),
    mfa_options: choices.filter(isMfaMethod).map(mfaOption),
    sign_in_options: choices.filter(isSignInOption).map(signInOption),
    pending_sso_buttons: choices.filter(isSsoProvider).map(ssoButton),
  };
  return Object.fromEntries(
    Object.entries(lists).map(([name, rows]) => [name, rows.length > 0 ? rows : null]),
  );
}

function canonicalField({ id, type, label, required = true }: ScenarioField) {
  return { id, ref: id, type, label, required, observed_selector: null };
}

function canonicalChoice({ id, type, label, description }: ScenarioChoice) {
  return { id, type, label, description: description ?? null, observed_selector: null };
}

const discoveredTypes = {
  identifier: "text",
  password: "password",
  code: "code",
  totp_code: "totp",
  totp_secret: "text",
  text: "text",
} as const;

function discoveredField({ id, type, label, required = true, hint }: ScenarioField) {
  return withValues({ name: id, type: discoveredTypes[type], label, required, selector: `#${id}`, hint });
}

function mfaOption({ mfaType, label, target, description }: ScenarioChoice) {
  return { type: mfaType, label, target: target ?? null, description: description ?? null };
}

function signInOption({ id, label, description }: ScenarioChoice) {
  return { id, label, description: description ?? null };
}

function ssoButton(choice: ScenarioChoice) {
  return { selector: ssoSelector(choice), provider: choice.provider, label: choice.label };
}

/** Input submitted to a form: values by field id, or a choice. */
export type Submission =
  | { readonly values: ReadonlyMap<string, string>; readonly choice?: undefined }
  | { readonly values?: undefined; readonly choice: string };

/** Name of the step after a submission to a step that asks for input. */
export function nextAfter(step: ScenarioStep, { values, choice }: Submission): string {
  if (step.step !== "AWAITING_INPUT" && step.step !== "AWAITING_EXTERNAL_ACTION") {
    throw new Error("a login gets input at a step that asks for none");
  }
  const fitting = step.answers?.find(
    (answer) =>
      (answer.choice === undefined || answer.choice === choice) &&
      Object.entries(answer.fields ?? {}).every(([id, value]) => values?.get(id) === value),
  );
  return fitting?.next ?? step.next;
}

/** Alternative members of a submission. */
const { interaction_id: _, ...submissions } = submitRequest.shape;
const modes = Object.keys(submissions) as (keyof typeof submissions)[];

/**
 * Reads the submission of a request. Throws `ServiceError` 400 unless the request submits in
 * exactly one way, names only members of the form, and contains all required values. An empty
 * `fields` beside an older way is ignored, because the service's login page sends such requests.
 * @internal
 */
export function readSubmission(request: SubmitRequest, form: LoginForm): Submission {
  const given = modes.filter((mode) => request[mode] !== undefined);
  const used =
    request.fields &&
    Object.keys(request.fields).length === 0 &&
    given.some((mode) => mode in olderChoiceNames)
      ? given.filter((mode) => mode !== "fields")
      : given;
  const [mode, ...more] = used;
  if (mode === undefined || more.length > 0) {
    throw invalidInput(
      `Submit in exactly one way, with one of ${modes.join(", ")}; got ${used.join(", ") || "nothing"}.`,
    );
  }
  if (mode === "field_values" || mode === "fields") {
    return { values: readValues(request[mode], form) };
  }
  const wanted = request[mode] as string;
  const isNamed = mode === "selected_choice_id" ? undefined : olderChoiceNames[mode];
  const choice = form.choices.find((each) => (isNamed ? isNamed(each, wanted) : each.id === wanted));
  if (choice === undefined) {
    throw invalidInput(`The login offers no choice with the given ${mode}.`);
  }
  return { choice: choice.id };
}

function readValues(
  submitted: Readonly<Record<string, string>> = {},
  { fields }: LoginForm,
): ReadonlyMap<string, string> {
  if (fields.length === 0) {
    throw invalidInput("The login asks for a choice, not for fields.");
  }
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(submitted)) {
    const field = fields.find(({ id }) => id === name);
    // The message does not repeat the name: people paste passwords into the wrong place.
    if (field === undefined) {
      throw invalidInput(`The login asks for no field of that name. It asks for ${namesOf(fields)}.`);
    }
    if (value !== "") {
      values.set(field.id, value);
    }
  }
  const missing = fields.filter(({ id, required = true }) => required && !values.has(id));
  if (missing.length > 0) {
    throw invalidInput(`The submission is missing ${namesOf(missing)}.`);
  }
  return values;
}

function namesOf(fields: LoginForm["fields"]): string {
  return fields.map(({ id }) => id).join(", ");
}
