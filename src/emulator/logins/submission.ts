import { invalidInput } from "../http/service-error.js";
import type { SubmitRequest } from "./connections/requests.js";
import { fieldName, formOf, type LoginForm, olderChoiceNames } from "./form.js";
import type { ScenarioStep } from "./scenarios/schema.js";

/** What somebody answers: values by the id of their field, or a choice. */
export type Submission =
  | { readonly values: ReadonlyMap<string, string>; readonly choice?: undefined }
  | { readonly values?: undefined; readonly choice: string };

/** The step that follows an answer; undefined when the step asks for nothing. */
export function nextAfter(step: ScenarioStep, { values, choice }: Submission): string | undefined {
  if (step.step !== "AWAITING_INPUT" && step.step !== "AWAITING_EXTERNAL_ACTION") {
    return undefined;
  }
  const { fields, choices } = formOf(step);
  if (fields.length + choices.length === 0) {
    return undefined;
  }
  const fitting = step.answers?.find(
    (answer) =>
      (answer.choice === undefined || answer.choice === choice) &&
      Object.entries(answer.fields ?? {}).every(([id, value]) => values?.get(id) === value),
  );
  return fitting?.next ?? step.next;
}

const modes = [
  "field_values",
  "selected_choice_id",
  "fields",
  "mfa_option_id",
  "sign_in_option_id",
  "sso_button_selector",
  "sso_provider",
] as const;

/**
 * Reads what a request submits to a form. Throws `ServiceError` 400 when it does not submit in exactly one way, names what the form does
 * not have, or leaves out what is required. An empty `fields` beside one of the older ways is no way of its own: the service's login
 * page sends it so.
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
      `Submit in exactly one way, with one of ${modes.join(", ")}; got ${used.join(", ") || "none"}.`,
    );
  }
  if (mode === "field_values") {
    return { values: readValues(request.field_values, form, ({ id }) => id) };
  }
  if (mode === "fields") {
    return { values: readValues(request.fields, form, fieldName) };
  }
  const wanted = request[mode] as string;
  const isNamed = mode === "selected_choice_id" ? undefined : olderChoiceNames[mode];
  const choice = form.choices.find((each) => (isNamed ? isNamed(each, wanted) : each.id === wanted));
  if (choice === undefined) {
    throw invalidInput(`The login offers no such choice as the ${mode} names.`);
  }
  return { choice: choice.id };
}

function readValues(
  submitted: Readonly<Record<string, string>> = {},
  { fields }: LoginForm,
  nameOf: (field: LoginForm["fields"][number]) => string,
): ReadonlyMap<string, string> {
  if (fields.length === 0) {
    throw invalidInput("The login asks for a choice, and for no field.");
  }
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(submitted)) {
    const field = fields.find((each) => nameOf(each) === name);
    // The name only: people paste passwords into the wrong place.
    if (field === undefined) {
      throw invalidInput(
        `The login asks for no field of that name; it asks for ${fields.map(nameOf).join(", ")}.`,
      );
    }
    if (value !== "") {
      values.set(field.id, value);
    }
  }
  const missing = fields.filter(({ id, required = true }) => required && !values.has(id));
  if (missing.length > 0) {
    throw invalidInput(`The submission lacks ${missing.map(nameOf).join(", ")}.`);
  }
  return values;
}
