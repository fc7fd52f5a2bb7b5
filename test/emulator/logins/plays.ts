/** State of a login in short: status, step, and the requested input. */
export type Brief = readonly [status: string, step: string, asks?: string];

/**
 * A person's reaction to a login's request for input: the body of a submission, or `wait` until the
 * login continues or ends by itself.
 */
export type Answer = Readonly<Record<string, unknown>> | "wait";

/** Answers in a scenario, and the states visible to a subscriber. */
export interface Play {
  /** In the order of the questions. */
  readonly answers: readonly Answer[];
  readonly states: readonly Brief[];
  /** Members of the last state. */
  readonly end: Readonly<Record<string, unknown>>;
}

/** States of many logins. */
export const discovering: Brief = ["IN_PROGRESS", "DISCOVERING"];
export const submitting: Brief = ["IN_PROGRESS", "SUBMITTING"];
export const completed: Brief = ["IN_PROGRESS", "COMPLETED"];
export const success: Brief = ["SUCCESS", "COMPLETED"];
/** State in which a login requests the given fields and choices, with the website's error. */
export const asks = (what: string): Brief => ["IN_PROGRESS", "AWAITING_INPUT", what];
/** An answer to the first question of most logins. */
export const credentials = { field_values: { username: "ann", password: "secret" } };

/** Plays of the built-in scenarios, by name. */
export const plays: Readonly<Record<string, Play>> = {
  password: {
    answers: [credentials],
    states: [discovering, asks("username,password"), submitting, completed, success],
    end: { flow_type: "LOGIN", post_login_url: "https://example.com/" },
  },
  "second-factor": {
    answers: [
      credentials,
      { selected_choice_id: "sms" },
      { fields: { code: "000000" } },
      { fields: { code: "123456" } },
    ],
    states: [
      discovering,
      asks("username,password"),
      submitting,
      asks("sms,totp"),
      submitting,
      asks("code"),
      submitting,
      asks("code: That code is not correct."),
      submitting,
      completed,
      success,
    ],
    end: { flow_type: "LOGIN" },
  },
  push: {
    answers: [credentials, "wait"],
    states: [
      discovering,
      asks("username,password"),
      submitting,
      ["IN_PROGRESS", "AWAITING_EXTERNAL_ACTION", "sms"],
      submitting,
      completed,
      success,
    ],
    end: { flow_type: "LOGIN" },
  },
  "single-sign-on": {
    answers: [{ fields: {}, sso_button_selector: '//button[@id="github"]' }, "wait"],
    states: [
      discovering,
      asks("username,password,google,github"),
      submitting,
      ["IN_PROGRESS", "AWAITING_EXTERNAL_ACTION"],
      submitting,
      completed,
      success,
    ],
    end: { flow_type: "LOGIN" },
  },
  "wrong-password": {
    answers: [credentials, { field_values: { username: "ann", password: "correct-password" } }],
    states: [
      discovering,
      asks("username,password"),
      submitting,
      asks("username,password: The name or the password is incorrect."),
      submitting,
      completed,
      success,
    ],
    end: { flow_type: "LOGIN" },
  },
  captcha: {
    answers: [],
    states: [discovering, ["FAILED", "DISCOVERING"]],
    end: {
      error_code: "captcha_blocked",
      error_message: "The website showed a CAPTCHA that could not be solved.",
    },
  },
  expiry: {
    answers: ["wait"],
    states: [discovering, asks("password"), ["EXPIRED", "AWAITING_INPUT"]],
    end: { flow_type: "LOGIN" },
  },
  cancellation: {
    answers: ["wait"],
    states: [discovering, asks("password"), ["CANCELED", "AWAITING_INPUT"]],
    end: { flow_type: "LOGIN" },
  },
  reauthentication: {
    answers: [],
    states: [discovering, submitting, completed, success],
    end: { flow_type: "REAUTH" },
  },
};

/** Members of a login's state that tests read, as the official client returns the state. */
export interface State {
  readonly event: string;
  readonly flow_status: string;
  readonly flow_step: string;
  readonly fields?: readonly { readonly id: string }[];
  readonly choices?: readonly { readonly id: string }[];
  readonly website_error?: string;
  readonly hosted_url?: string;
}

/** A state in short. */
export function brief(state: State): Brief {
  const asked = [...(state.fields ?? []), ...(state.choices ?? [])].map(({ id }) => id).join(",");
  const error = state.website_error === undefined ? "" : `: ${state.website_error}`;
  const head = [state.flow_status, state.flow_step] as const;
  return asked === "" ? head : [...head, asked + error];
}
