// @ts-check
/**
 * The login page's script. It exchanges the code in the page's URL for a token, follows the login's
 * event stream, and submits through the service's own operation.
 *
 * @typedef {Record<string, any>} Row A connection, a state event of its login, a field, or a choice.
 */

import { byId, draw, events, follow, html, Refused, send, tellProblem } from "./elements.mjs";

const title = byId("title");
const status = byId("status");
const step = byId("step");
const connectionId = location.pathname.split("/").pop();
const memory = `login ${connectionId}`;
const address = new URL(location.href);
/** @type {string | undefined} */
let token;
/** @type {Row} */
let connection = {};
/** The state on the screen, as JSON. */
let shown = "";
/** Values typed into fields that are not secret, by field id. @type {Map<string, string>} */
const typed = new Map();

/**
 * Ends of a login, by its status, and links without a login, by the status of the response.
 *
 * @type {Readonly<Record<string, readonly [heading: string, text: string]>>}
 */
const endings = {
  SUCCESS: ["You are signed in", "You can close this page."],
  FAILED: ["The sign-in did not work", "Ask for a new link to try again."],
  EXPIRED: ["This login has expired", "It took too long. Ask for a new link to try again."],
  CANCELED: ["This login was canceled", "Ask for a new link to try again."],
  401: ["This page has expired", "Ask for a new link to continue."],
  404: ["This link does not work", "It may be incomplete, or its login may be gone. Ask for a new link."],
  410: [
    "This link no longer works",
    "A link works only once, and only during the login. Continue in the tab where you first opened the link, or ask for a new link.",
  ],
};

say("One moment…", true);
enter()
  .then(() => follow(states, show, () => tellProblem("The connection was lost. Trying again…")))
  .catch((error) => {
    if (error instanceof Refused) {
      end(error.httpStatus);
    } else {
      say("The service cannot be reached. Load this page again.");
    }
  });

/** Calls an operation on the connection. @param {string} path @param {unknown} [body] */
function call(path, body) {
  return send(`/auth/connections/${connectionId}${path}`, { method: body ? "POST" : "GET", body, token });
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
    token = (await (await call("/exchange", { code })).json()).jwt;
    sessionStorage.setItem(memory, JSON.stringify({ code, jwt: token }));
  }
  address.searchParams.delete("code");
  history.replaceState(null, "", address);
}

/** States of the login: the record of its connection, and what follows. */
async function* states() {
  connection = await (await call("")).json();
  yield connection;
  for await (const event of events(await call("/events"))) {
    if (event.event === "managed_auth_state") {
      yield event;
    }
  }
}

/** Says what is happening. @param {string} text */
function say(text, isBusy = false) {
  status.className = isBusy ? "busy" : "";
  draw(status, text);
}

/** A domain stays on one line where it fits, and breaks at its dots where it does not. @param {string} text */
function head(text, site = "") {
  const parts = site.split(/(?<=\.)/).map((part) => html`${part}<wbr>`);
  draw(title, [text, html`<span class="site">${parts}</span>`]);
  document.title = text + site;
}

/** Shows a state, and returns whether it ends the login. What is on the screen already stays, with what is typed. @param {Row} state */
function show(state) {
  const { flow_status, flow_step, interaction_id, fields, choices, website_error } = state;
  tellProblem(website_error);
  const key = JSON.stringify([flow_status, flow_step, interaction_id, fields, choices, website_error]);
  if (key === shown) {
    return false;
  }
  shown = key;
  if (flow_status in endings) {
    end(flow_status);
    tellProblem(flow_status === "FAILED" && (state.error_message || website_error));
    leave(state);
    return true;
  }
  const site = connection.domain || "the website";
  const { flow_expires_at: at } = connection;
  const time = new Date(at).toLocaleTimeString([], { timeStyle: "short" });
  draw(byId("until"), at && `This login ends at ${time}.`);
  head("Sign in to ", site);
  step.replaceChildren();
  if (flow_step === "AWAITING_INPUT") {
    const text = fields?.every(isCodeField) ? "One more step: confirm that it is you." : "";
    say(fields?.length > 0 ? text : "Choose how to continue.");
    showForm(state);
  } else if (flow_step === "AWAITING_EXTERNAL_ACTION") {
    say(state.external_action_message || "Finish the sign-in elsewhere.", true);
    showForm(state, "This page continues by itself.");
  } else if (flow_step === "SUBMITTING") {
    say("Signing in…", true);
  } else if (flow_step === "COMPLETED") {
    say("Almost done…", true);
  } else {
    say(`Opening the login page of ${site}…`, true);
  }
  return false;
}

/** @param {Row} field */
const isCodeField = ({ type }) => type === "code" || type === "totp_code";

/** Shows the requested input. Only the older members of a state have hints and targets. @param {Row} state @param {string} [note] */
function showForm({ fields, choices, discovered_fields, mfa_options, interaction_id }, note) {
  const more = interaction_id ? { interaction_id } : {};
  const submitFields = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const inputs = [...step.querySelectorAll("input")];
    for (const { name, value } of inputs.filter((input) => !input.matches(".hideable, .code"))) {
      typed.set(name, value);
    }
    void submit({
      field_values: Object.fromEntries(inputs.map(({ name, value }) => [name, value])),
      ...more,
    });
  };
  const rows = (fields ?? []).map((/** @type {Row} */ field) =>
    fieldRow(field, discovered_fields?.find((/** @type {Row} */ { name }) => name === field.ref)?.hint),
  );
  const methods = choices?.filter((/** @type {Row} */ { type }) => type === "mfa_method");
  const ways = (choices ?? []).map((/** @type {Row} */ choice) => {
    const choose = () => void submit({ selected_choice_id: choice.id, ...more });
    const detail = mfa_options?.[methods.indexOf(choice)]?.target || choice.description;
    return html`<button type="button" class="choice" @click=${choose}>${choice.label}<span class="quiet">${detail}</span></button>`;
  });
  const parts = html`${note && html`<p class="quiet">${note}</p>`}
    ${rows.length > 0 && html`<form class="stack" @submit=${submitFields}>${rows}<button class="main">Continue</button></form>`}
    ${rows.length > 0 && ways.length > 0 && html`<p class="or quiet">or</p>`}
    ${ways.length > 0 && html`<div class="stack" role="group" aria-label="Ways to continue">${ways}</div>`}`;
  step.replaceChildren(...parts);
  const inputs = [...step.querySelectorAll("input")];
  (inputs.find(({ value }) => value === "") || inputs[0] || title).focus();
}

const autocompletes = /** @type {Row} */ ({ password: "current-password", identifier: "username" });

/** A field with its label. The prefix keeps the website's names apart from those of the page. @param {Row} field @param {string} [hint] */
function fieldRow(field, hint) {
  const { id, type, required, label } = field;
  const isCode = isCodeField(field);
  const isHideable = type === "password";
  const autocomplete = isCode ? "one-time-code" : (autocompletes[type] ?? "off");
  return html`<div class="field"><label for="field-${id}">${label || id}</label><div class="control">
    <input id="field-${id}" name=${id} type=${["password", "email", "tel", "url"].includes(type) ? type : "text"} required=${required !== false}
      value=${typed.get(id)} class="${isCode ? "code" : isHideable && "hideable"}" autocomplete=${autocomplete} inputmode=${isCode ? "numeric" : "text"}
      autocapitalize="none" spellcheck="false" aria-describedby=${hint && `field-${id}-hint`}>
    ${isHideable && html`<button type="button" aria-pressed="false" aria-label="Show ${label || id}" @click=${toggle}>Show</button>`}
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
  const disable = (/** @type {boolean} */ isDisabled) => {
    for (const control of controls) {
      control.disabled = isDisabled;
    }
  };
  disable(true);
  tellProblem();
  try {
    await call("/submit", body);
  } catch (error) {
    disable(false);
    const isRefused = error instanceof Refused;
    // The input came too late. The stream shows the input that the login requests now.
    if (!(isRefused && error.code === "stale_interaction")) {
      tellProblem(isRefused ? error.message : "The service cannot be reached. Try again.");
    }
  }
}

/** Shows an end: of the login, or of a link that does not work. @param {string | number} reason */
function end(reason) {
  const [heading, text] = endings[reason] ?? endings[404] ?? [];
  head(`${heading}`);
  tellProblem();
  say(`${text}`);
  draw(byId("until"), "");
  step.replaceChildren();
  title.focus();
}

/** Goes to the URL that the program which made the link has added to it. @param {Row} state */
function leave({ flow_status, error_code, error_message }) {
  const [name, more] =
    flow_status === "SUCCESS"
      ? ["success_url", { profile_name: connection.profile_name, domain: connection.domain }]
      : ["error_url", { code: error_code, message: error_message || endings[flow_status]?.[0] }];
  const target = address.searchParams.get(name) ?? "";
  if (!URL.canParse(target) || /^(javascript|data|blob):/.test(new URL(target).protocol)) {
    return;
  }
  const next = new URL(target);
  for (const [name, value] of Object.entries(more)) {
    if (value) {
      next.searchParams.set(name, value);
    }
  }
  location.assign(next);
}
