import type { LoginScenario, ScenarioChoice, ScenarioField, ScenarioStep } from "./scenarios/schema.js";

/** What a step asks for. */
export interface LoginForm {
  readonly fields: readonly ScenarioField[];
  readonly choices: readonly ScenarioChoice[];
}

/** What a step asks for; empty lists for a step that asks nothing. */
export function formOf(step: ScenarioStep): LoginForm {
  return step.step === "AWAITING_INPUT" || step.step === "AWAITING_EXTERNAL_ACTION"
    ? { fields: step.fields ?? [], choices: step.choices ?? [] }
    : { fields: [], choices: [] };
}

/** Choices that the older members of a state show in a list of their own; the rest are sign-in options. */
const isMfaMethod = ({ type }: ScenarioChoice) => type === "mfa_method";
const isSsoProvider = ({ type }: ScenarioChoice) => type === "sso_provider";
const isSignInOption = (choice: ScenarioChoice) => !isMfaMethod(choice) && !isSsoProvider(choice);

/** Name the older members call a field by. */
export function fieldName({ id, ref = id }: ScenarioField): string {
  return ref;
}

/** Selector the older members call an identity provider's button by; an XPath, as the service has it. */
export function ssoSelector({ id, selector = `//button[@id="${id}"]` }: ScenarioChoice): string {
  return selector;
}

/** Finds a choice by what the older members call it. */
export const olderChoiceNames = {
  mfa_option_id: (choice: ScenarioChoice, given: string) => isMfaMethod(choice) && choice.mfaType === given,
  sign_in_option_id: (choice: ScenarioChoice, given: string) => isSignInOption(choice) && choice.id === given,
  sso_button_selector: (choice: ScenarioChoice, given: string) =>
    isSsoProvider(choice) && ssoSelector(choice) === given,
  sso_provider: (choice: ScenarioChoice, given: string) => isSsoProvider(choice) && choice.provider === given,
} as const;

/** What a form is on the wire. A list with nothing in it is left out. Source: the service's published interface description. */
export function formOnWire(
  { fields, choices }: LoginForm,
  forms: NonNullable<LoginScenario["forms"]> = "both",
) {
  const canonical = forms !== "discovered";
  const discovered = forms !== "canonical";
  return {
    ...some("fields", canonical ? fields.map(canonicalField) : []),
    ...some("choices", canonical ? choices.map(canonicalChoice) : []),
    ...some("discovered_fields", discovered ? fields.map(discoveredField) : []),
    ...some("mfa_options", discovered ? choices.filter(isMfaMethod).map(mfaOption) : []),
    ...some("sign_in_options", discovered ? choices.filter(isSignInOption).map(signInOption) : []),
    ...some("pending_sso_buttons", discovered ? choices.filter(isSsoProvider).map(ssoButton) : []),
  };
}

function some<Name extends string, Row>(name: Name, rows: readonly Row[]): { [K in Name]?: readonly Row[] } {
  return (rows.length === 0 ? {} : { [name]: rows }) as { [K in Name]?: readonly Row[] };
}

function canonicalField({ id, ref = id, type, label, required = true, selector }: ScenarioField) {
  return { id, ref, type, label, required, observed_selector: selector ?? null };
}

function canonicalChoice({ id, type, label, description, selector }: ScenarioChoice) {
  return { id, type, label, description: description ?? null, observed_selector: selector ?? null };
}

const discoveredTypes = {
  identifier: "text",
  password: "password",
  code: "code",
  totp_code: "totp",
  totp_secret: "text",
  text: "text",
} as const;

function discoveredField(field: ScenarioField) {
  const { id, type, label, placeholder, required = true, selector = `#${id}`, hint } = field;
  return {
    name: fieldName(field),
    type: discoveredTypes[type],
    label,
    ...(placeholder !== undefined && { placeholder }),
    required,
    selector,
    ...(hint !== undefined && { hint }),
  };
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
