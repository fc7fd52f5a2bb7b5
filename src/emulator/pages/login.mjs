// @ts-check
/**
 * The login page's script. It exchanges the code in the page's URL for a token, follows the login's
 * event stream, and submits through the service's own operation. Nothing it receives is ever parsed
 * as HTML.
 *
 * @typedef {{ id: string, label?: string, description?: string | null, type?: string,
 *   target?: string | null }} Option
 * @typedef {{ id: string, ref?: string, name?: string, type: string, label?: string,
 *   required?: boolean, hint?: string | undefined }} Field
 * @typedef {{ label?: string | undefined, detail?: string | null | undefined, body: object }}
 *   Choice
 * @typedef {{ fields: readonly Field[], choices: readonly Choice[],
 *   interaction: string | null | undefined }} Form
 * @typedef {object} LoginState A state event of a login, or the record of its connection.
 * @property {string} [event]
 * @property {string} flow_status
 * @property {string} [flow_step]
 * @property {string | null} [interaction_id]
 * @property {readonly Field[] | null} [fields]
 * @property {readonly Option[] | null} [choices]
 * @property {readonly Field[] | null} [discovered_fields]
 * @property {readonly Option[] | null} [mfa_options]
 * @property {string | null} [external_action_message]
 * @property {string | null} [website_error]
 * @property {string | null} [error_code]
 * @property {string | null} [error_message]
 * @typedef {{ domain?: string, profile_name?: string, flow_expires_at?: string | null }} Connection
 */

import { byId, events, make, Refused, send, tellProblem } from "./elements.mjs";

const title = byId("title");
const status = byId("status");
const step = byId("step");
const until = byId("until");
const connectionId = location.pathname.split("/").pop();
const operations = `/auth/connections/${connectionId}`;
const memory = `login ${connectionId}`;
const address = new URL(location.href);
const [reconnectMsMin, reconnectMsMax] = [1000, 15000];
/** @type {string | undefined} */
let token;
/** @type {Connection} */
let connection = {};
/** The state on the screen, as JSON. */
let shown = "";
/** @type {[text: string, isBusy: boolean]} */
let told = ["", false];
/** What was typed into fields that are not secret, by their ids. @type {Map<string, string>} */
const typed = new Map();
let isOver = false;

/** @type {Readonly<Record<string, [heading: string, text: string]>>} */
const endings = {
  SUCCESS: ["You are signed in", "You can close this page."],
  FAILED: ["The sign-in did not work", "Ask for a new link to try again."],
  EXPIRED: ["This login has expired", "It took too long. Ask for a new link to try again."],
  CANCELED: ["This login was canceled", "Ask for a new link to try again."],
};

say("One moment…", true);
enter().then(follow, (error) => {
  if (error instanceof Refused) {
    showRefusal(error);
  } else {
    say("The service cannot be reached. Load this page again.");
  }
});

/**
 * Calls an operation on the connection.
 *
 * @param {string} path
 * @param {{ method?: string, body?: string }} [options]
 */
function call(path, options) {
  return send(operations + path, { ...options, ...(token && { token }) });
}

/**
 * Exchanges the code, which works once. The token is remembered while the tab is open, so the page
 * can be loaded again.
 */
async function enter() {
  const code = address.searchParams.get("code");
  const remembered = JSON.parse(sessionStorage.getItem(memory) || "null");
  if (remembered && (code === null || remembered.code === code)) {
    token = remembered.jwt;
  } else if (code === null) {
    throw new Refused(404, "no_code", "");
  } else {
    const answer = await call("/exchange", { method: "POST", body: JSON.stringify({ code }) });
    token = (await answer.json()).jwt;
    sessionStorage.setItem(memory, JSON.stringify({ code, jwt: token }));
  }
  address.searchParams.delete("code");
  history.replaceState(null, "", address);
}

/** Follows the login to its end, over as many connections as that takes. */
async function follow() {
  let waitMs = reconnectMsMin;
  while (!isOver) {
    try {
      const record = await (await call("")).json();
      connection = record;
      tellEnd();
      show(record);
      if (isOver) {
        return;
      }
      for await (const event of events(await call("/events"))) {
        waitMs = reconnectMsMin;
        if (event.event === "managed_auth_state") {
          show(event);
        }
        if (isOver) {
          return;
        }
      }
    } catch (error) {
      if (error instanceof Refused && error.httpStatus < 500 && error.httpStatus !== 429) {
        showRefusal(error);
        return;
      }
      tell("The connection was lost. Trying again…", true);
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(waitMs * 2, reconnectMsMax);
  }
}

/** Says what is happening; said again once a lost connection is back. @param {string} text */
function say(text, isBusy = false) {
  told = [text, isBusy];
  tell(text, isBusy);
}

/** @param {string} text @param {boolean} isBusy */
function tell(text, isBusy) {
  status.className = isBusy ? "busy" : "";
  if (status.textContent !== text) {
    status.textContent = text;
  }
}

/**
 * A domain stays on one line where it fits, and breaks at its dots where it does not.
 *
 * @param {string} text
 */
function head(text, site = "") {
  const parts = site.split(/(?<=\.)/).flatMap((part) => [part, make("wbr")]);
  title.replaceChildren(text, make("span", { className: "site" }, ...parts));
  document.title = text + site;
}

function tellEnd() {
  const { flow_expires_at: end } = connection;
  until.hidden = !end;
  if (end) {
    const time = new Date(end).toLocaleTimeString([], { timeStyle: "short" });
    until.textContent = `This login ends at ${time}.`;
  }
}

/**
 * Shows a state. One that is already on the screen stays, with what is typed and where the cursor
 * is.
 *
 * @param {LoginState} state
 */
function show(state) {
  const form = formOf(state);
  const { flow_status, flow_step, interaction_id, website_error } = state;
  const key = JSON.stringify([flow_status, flow_step, interaction_id, form, website_error]);
  if (key === shown) {
    tell(...told);
    return;
  }
  shown = key;
  const ending = endings[flow_status];
  isOver = ending !== undefined;
  if (ending) {
    showEnd(state, ending);
    return;
  }
  const site = connection.domain || "the website";
  head("Sign in to ", site);
  tellProblem(website_error);
  step.replaceChildren();
  if (flow_step === "AWAITING_INPUT") {
    const isCode = form.fields.length > 0 && form.fields.every((field) => isCodeField(field));
    const text = isCode ? "One more step: confirm that it is you." : "";
    say(form.fields.length === 0 ? "Choose how to continue." : text);
    showForm(form);
  } else if (flow_step === "AWAITING_EXTERNAL_ACTION") {
    say(state.external_action_message || "Finish the sign-in elsewhere.", true);
    showForm(form, "This page continues by itself.");
  } else if (flow_step === "SUBMITTING") {
    say("Signing in…", true);
  } else if (flow_step === "COMPLETED") {
    say("Almost done…", true);
  } else {
    say(`Opening the login page of ${site}…`, true);
  }
}

/**
 * What is asked for. Hints and targets are in the older members of a state only.
 *
 * @param {LoginState} state
 * @returns {Form}
 */
function formOf({ fields, choices, discovered_fields, mfa_options, interaction_id: interaction }) {
  const methods = (choices ?? []).filter(({ type }) => type === "mfa_method");
  return {
    fields: (fields ?? []).map((field) => ({
      ...field,
      hint: discovered_fields?.find(({ name }) => name === field.ref)?.hint,
    })),
    choices: (choices ?? []).map((choice) => ({
      label: choice.label,
      detail: mfa_options?.[methods.indexOf(choice)]?.target || choice.description,
      body: { selected_choice_id: choice.id },
    })),
    interaction,
  };
}

/** @param {Field} field */
function isCodeField({ type }) {
  return type === "code" || type === "totp_code";
}

/** @param {Form} form @param {string} [note] */
function showForm({ fields, choices, interaction }, note) {
  const more = interaction ? { interaction_id: interaction } : {};
  if (note) {
    step.append(make("p", { className: "quiet", textContent: note }));
  }
  if (fields.length > 0) {
    /** @type {Map<string, HTMLInputElement>} */
    const inputs = new Map();
    const rows = fields.map((field) => fieldRow(field, inputs));
    const form = make("form", {}, ...rows, make("button", { className: "main", textContent: "Continue" }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      for (const field of fields) {
        if (field.type !== "password" && !isCodeField(field)) {
          typed.set(field.id, inputs.get(field.id)?.value ?? "");
        }
      }
      const values = Object.fromEntries([...inputs].map(([id, { value }]) => [id, value]));
      void submit({ field_values: values, ...more });
    });
    step.append(form);
  }
  if (choices.length > 0) {
    if (fields.length > 0) {
      step.append(make("p", { className: "or", textContent: "or" }));
    }
    const list = make("div", { className: "choices", role: "group", "aria-label": "Ways to continue" });
    for (const { label, detail, body } of choices) {
      const button = make(
        "button",
        { type: "button", className: "choice" },
        make("strong", { textContent: label }),
      );
      if (detail) {
        button.append(make("span", { className: "quiet", textContent: detail }));
      }
      button.addEventListener("click", () => void submit({ ...body, ...more }));
      list.append(button);
    }
    step.append(list);
  }
  const shownInputs = [...step.querySelectorAll("input")];
  (shownInputs.find(({ value }) => value === "") || shownInputs[0] || title).focus();
}

/**
 * A field with its label. The prefix keeps the website's names apart from those of the page.
 *
 * @param {Field} field
 * @param {Map<string, HTMLInputElement>} inputs
 */
function fieldRow(field, inputs) {
  const { id, type, label, required, hint } = field;
  const inputId = `field-${id}`;
  const isCode = isCodeField(field);
  const autocomplete =
    type === "password"
      ? "current-password"
      : isCode
        ? "one-time-code"
        : type === "identifier"
          ? "username"
          : "off";
  const input = make("input", {
    id: inputId,
    name: id,
    required: required !== false,
    autocapitalize: "none",
    spellcheck: false,
    type: ["password", "email", "tel", "url"].includes(type) ? type : "text",
    autocomplete,
    inputMode: isCode ? "numeric" : "text",
    className: isCode ? "code" : "",
    value: typed.get(id) || "",
  });
  inputs.set(id, input);
  const control = make("div", { className: "control" }, input);
  const row = make(
    "div",
    { className: "field" },
    make("label", { htmlFor: inputId, textContent: label || id }),
    control,
  );
  if (type === "password") {
    input.classList.add("hideable");
    control.append(showButton(input, label || id));
  }
  if (hint) {
    row.append(make("p", { id: `${inputId}-hint`, className: "quiet", textContent: hint }));
    input.setAttribute("aria-describedby", `${inputId}-hint`);
  }
  return row;
}

/**
 * The button that shows and hides a password.
 *
 * @param {HTMLInputElement} input
 * @param {string} label
 */
function showButton(input, label) {
  const toggle = make("button", {
    type: "button",
    className: "show",
    textContent: "Show",
    "aria-pressed": "false",
    "aria-label": `Show ${label}`,
  });
  toggle.addEventListener("click", () => {
    const reveal = input.type === "password";
    input.type = reveal ? "text" : "password";
    toggle.textContent = reveal ? "Hide" : "Show";
    toggle.setAttribute("aria-pressed", String(reveal));
    input.focus();
  });
  return toggle;
}

/** @param {object} body */
async function submit(body) {
  const controls = [...step.querySelectorAll("input"), ...step.querySelectorAll("button")];
  for (const control of controls) {
    control.disabled = true;
  }
  tellProblem();
  tell("Signing in…", true);
  try {
    await call("/submit", { method: "POST", body: JSON.stringify(body) });
  } catch (error) {
    for (const control of controls) {
      control.disabled = false;
    }
    tell(...told);
    const isRefused = error instanceof Refused;
    // A stale answer came too late: what the login asks for now comes over the stream.
    if (!(isRefused && error.code === "stale_interaction")) {
      tellProblem(isRefused ? error.message : "The service cannot be reached. Try again.");
    }
  }
}

/** @param {LoginState} state @param {[heading: string, text: string]} ending */
function showEnd(state, [heading, text]) {
  head(heading);
  until.hidden = true;
  tellProblem(state.flow_status === "FAILED" ? state.error_message || state.website_error : "");
  say(text);
  step.replaceChildren();
  title.focus();
  const isSuccess = state.flow_status === "SUCCESS";
  leave(
    address.searchParams.get(isSuccess ? "success_url" : "error_url"),
    isSuccess
      ? { profile_name: connection.profile_name, domain: connection.domain }
      : { code: state.error_code, message: state.error_message || heading },
  );
}

/**
 * Goes to the URL that the program which made the link has added to it.
 *
 * @param {string | null} target
 * @param {Readonly<Record<string, string | null | undefined>>} more
 */
function leave(target, more) {
  const next = target !== null && URL.canParse(target) ? new URL(target) : undefined;
  if (next === undefined || ["javascript:", "data:", "blob:"].includes(next.protocol)) {
    return;
  }
  for (const [name, value] of Object.entries(more)) {
    if (value) {
      next.searchParams.set(name, value);
    }
  }
  location.assign(next);
}

/** @param {Refused} refusal */
function showRefusal({ httpStatus }) {
  isOver = true;
  until.hidden = true;
  const [text, advice] =
    httpStatus === 410
      ? [
          "This link no longer works",
          "A link works only once, and only during the login. Continue in the tab where you first opened the link, or ask for a new link.",
        ]
      : httpStatus === 401
        ? ["This page has expired", "Ask for a new link to continue."]
        : ["This link does not work", "It may be incomplete, or its login may be gone. Ask for a new link."];
  head(text);
  tellProblem();
  say(advice);
  step.replaceChildren();
  title.focus();
}
