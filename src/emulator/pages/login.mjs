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

import { byId, events, html, Refused, send, tellProblem } from "./elements.mjs";

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
  const parts = site.split(/(?<=\.)/).map((part) => html`${part}<wbr>`);
  title.replaceChildren(text, ...html`<span class="site">${parts}</span>`);
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
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const inputs = [...step.querySelectorAll("input")].map(
      ({ name, value }) => /** @type {const} */ ([name, value]),
    );
    for (const [id, value] of inputs) {
      const field = fields.find((each) => each.id === id);
      if (field && field.type !== "password" && !isCodeField(field)) {
        typed.set(id, value);
      }
    }
    void submit({ field_values: Object.fromEntries(inputs), ...more });
  };
  const ways = choices.map(({ label, detail, body }) => {
    const choose = () => void submit({ ...body, ...more });
    return html`<button type="button" class="choice" @click=${choose}><strong>${label}</strong>${detail && html`<span class="quiet">${detail}</span>`}</button>`;
  });
  const parts = html`${note && html`<p class="quiet">${note}</p>`}
    ${fields.length > 0 && html`<form @submit=${send}>${fields.map(fieldRow)}<button class="main">Continue</button></form>`}
    ${fields.length > 0 && choices.length > 0 && html`<p class="or">or</p>`}
    ${choices.length > 0 && html`<div class="choices" role="group" aria-label="Ways to continue">${ways}</div>`}`;
  step.replaceChildren(...parts);
  const shownInputs = [...step.querySelectorAll("input")];
  (shownInputs.find(({ value }) => value === "") || shownInputs[0] || title).focus();
}

const autocompletes = /** @type {Record<string, string>} */ ({
  password: "current-password",
  identifier: "username",
});

/** A field with its label. The prefix keeps the website's names apart from those of the page. @param {Field} field */
function fieldRow(field) {
  const { id, type, label = id, required, hint } = field;
  const isCode = isCodeField(field);
  const isHideable = type === "password";
  const autocomplete = isCode ? "one-time-code" : (autocompletes[type] ?? "off");
  return html`<div class="field"><label for="field-${id}">${label || id}</label><div class="control">
    <input id="field-${id}" name=${id} type=${["password", "email", "tel", "url"].includes(type) ? type : "text"} required=${required !== false}
      value=${typed.get(id)} class="${isCode && "code"} ${isHideable && "hideable"}" autocomplete=${autocomplete} inputmode=${isCode ? "numeric" : "text"}
      autocapitalize="none" spellcheck="false" aria-describedby=${hint && `field-${id}-hint`}>
    ${isHideable && html`<button type="button" class="show" aria-pressed="false" aria-label="Show ${label || id}" @click=${toggle}>Show</button>`}
    </div>${hint && html`<p id="field-${id}-hint" class="quiet">${hint}</p>`}</div>`;
}

/** Shows or hides the password beside a button. @param {{ currentTarget: HTMLButtonElement }} event */
function toggle({ currentTarget: button }) {
  const input = /** @type {HTMLInputElement} */ (button.previousElementSibling);
  const reveal = input.type === "password";
  input.type = reveal ? "text" : "password";
  button.textContent = reveal ? "Hide" : "Show";
  button.setAttribute("aria-pressed", String(reveal));
  input.focus();
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
