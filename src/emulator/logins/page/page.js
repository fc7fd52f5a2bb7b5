/**
 * What the login page does, as the text of a script for the browser. It exchanges the code of its
 * address for a token, follows the login's event stream, and submits through the service's own
 * operation. Nothing it gets is ever parsed as HTML.
 */
export const loginPageScript = String.raw`"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const [title, problem, status, step, until] = ["title", "problem", "status", "step", "until"].map(byId);
  const connectionId = location.pathname.split("/").pop();
  const operations = "/auth/connections/" + connectionId;
  const memory = "login " + connectionId;
  const address = new URL(location.href);
  const finals = ["SUCCESS", "FAILED", "EXPIRED", "CANCELED"];
  const [reconnectMsMin, reconnectMsMax] = [1000, 15000];
  let token, connection = {};
  let shown = "", told = ["", false];
  const typed = new Map();
  let isOver = false;

  class Refused extends Error {
    constructor(status, code, message) {
      super(message);
      this.status = status;
      this.code = code;
    }
  }

  async function call(path, options = {}) {
    const headers = { ...options.headers };
    if (token) headers.authorization = "Bearer " + token;
    if (options.body) headers["content-type"] = "application/json";
    const response = await fetch(operations + path, { ...options, headers, cache: "no-store" });
    if (response.ok) return response;
    const { code = "", message = "The service answered with " + response.status + "." } = await response.json().catch(() => ({}));
    throw new Refused(response.status, code, message);
  }

  /**
   * Exchanges the code, once: what it gave is remembered for as long as the tab is open, so that
   * the page can be loaded again.
   */
  async function enter() {
    const code = address.searchParams.get("code");
    const remembered = JSON.parse(sessionStorage.getItem(memory) || "null");
    if (remembered && (code === null || remembered.code === code)) token = remembered.jwt;
    else if (code === null) throw new Refused(404, "no_code", "");
    else {
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
        connection = await (await call("")).json();
        tellEnd();
        show(connection);
        if (isOver) return;
        const response = await call("/events", { headers: { accept: "text/event-stream" } });
        for await (const event of events(response.body)) {
          waitMs = reconnectMsMin;
          if (event.event === "managed_auth_state") show(event);
          if (isOver) return;
        }
      } catch (error) {
        if (error instanceof Refused && error.status < 500 && error.status !== 429) return showRefusal(error);
        tell("The connection was lost. Trying again…", true);
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(waitMs * 2, reconnectMsMax);
    }
  }

  async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const data = block.split("\n").find((line) => line.startsWith("data: "));
        if (data) yield JSON.parse(data.slice(6));
      }
    }
  }

  function make(name, members = {}, ...children) {
    const element = document.createElement(name);
    for (const [member, value] of Object.entries(members)) {
      member in element ? (element[member] = value) : element.setAttribute(member, value);
    }
    element.append(...children);
    return element;
  }

  /** Tells what goes on; said again once a lost connection is back. */
  function say(text, isBusy = false) {
    told = [text, isBusy];
    tell(text, isBusy);
  }

  function tell(text, isBusy) {
    status.className = isBusy ? "busy" : "";
    if (status.textContent !== text) status.textContent = text;
  }

  function tellProblem(text) {
    problem.hidden = !text;
    if (problem.textContent !== (text || "")) problem.textContent = text || "";
  }

  /** A domain stays on one line where it can, and breaks at its dots where it cannot. */
  function head(text, site = "") {
    const parts = site.split(/(?<=\.)/).flatMap((part) => [part, make("wbr")]);
    title.replaceChildren(text, make("span", { className: "site" }, ...parts));
    document.title = text + site;
  }

  function tellEnd() {
    until.hidden = !connection.flow_expires_at;
    if (until.hidden) return;
    const at = new Date(connection.flow_expires_at);
    until.textContent = "This login ends at " + at.toLocaleTimeString([], { timeStyle: "short" }) + ".";
  }

  /**
   * Shows a state. One that is on the screen stays as it is, with what is typed and where the
   * cursor is.
   */
  function show(state) {
    const form = formOf(state);
    const key = JSON.stringify([state.flow_status, state.flow_step, state.interaction_id, form, state.website_error]);
    if (key === shown) return tell(...told);
    shown = key;
    isOver = finals.includes(state.flow_status);
    if (isOver) return showEnd(state);
    const site = connection.domain || "the website";
    head("Sign in to ", site);
    tellProblem(state.website_error);
    step.replaceChildren();
    if (state.flow_step === "AWAITING_INPUT") {
      const codeOnly = form.fields.length > 0 && form.fields.every(({ type }) => type === "code" || type === "totp_code");
      say(form.fields.length === 0 ? "Choose how to go on." : codeOnly ? "One more step: confirm that it is you." : "");
      showForm(form);
    } else if (state.flow_step === "AWAITING_EXTERNAL_ACTION") {
      say(state.external_action_message || "Finish the sign-in elsewhere.", true);
      showForm(form, "This page goes on by itself.");
    } else if (state.flow_step === "SUBMITTING") say("Signing in…", true);
    else if (state.flow_step === "COMPLETED") say("Almost done…", true);
    else say("Opening the login page of " + site + "…", true);
  }

  /**
   * What is asked for, in the canonical form, or made of the older one where the service sends only
   * that.
   */
  function formOf(state) {
    const found = state.discovered_fields || [];
    const options = state.mfa_options || [];
    const methods = (state.choices || []).filter(({ type }) => type === "mfa_method");
    const canonical = state.fields || state.choices;
    const fields = state.fields
      ? state.fields.map((field) => ({ ...found.find(({ name }) => name === field.ref), ...field, member: "field_values" }))
      : canonical ? [] : found.map((field) => ({ ...field, id: field.name, member: "fields", type: field.type === "totp" ? "totp_code" : field.type }));
    const choices = canonical
      ? (state.choices || []).map((choice) => ({ detail: (options[methods.indexOf(choice)] || {}).target || choice.description, label: choice.label, body: { selected_choice_id: choice.id } }))
      : [
          ...(state.pending_sso_buttons || []).map(({ label, selector }) => ({ label, body: { sso_button_selector: selector } })),
          ...options.map(({ type, label, target, description }) => ({ label, detail: target || description, body: { mfa_option_id: type } })),
          ...(state.sign_in_options || []).map(({ id, label, description }) => ({ label, detail: description, body: { sign_in_option_id: id } })),
        ];
    return { fields, choices, interaction: state.interaction_id };
  }

  function showForm({ fields, choices, interaction }, note) {
    const more = interaction ? { interaction_id: interaction } : {};
    if (note) step.append(make("p", { className: "quiet", textContent: note }));
    if (fields.length > 0) {
      const inputs = new Map();
      const rows = fields.map((field) => fieldRow(field, inputs));
      const form = make("form", {}, ...rows, make("button", { className: "main", textContent: "Continue" }));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        for (const { id, type } of fields) if (type !== "password" && !type.includes("code")) typed.set(id, inputs.get(id).value);
        const values = Object.fromEntries([...inputs].map(([id, { value }]) => [id, value]));
        void submit({ [fields[0].member]: values, ...more });
      });
      step.append(form);
    }
    if (choices.length > 0) {
      if (fields.length > 0) step.append(make("p", { className: "or", textContent: "or" }));
      const list = make("div", { className: "choices", role: "group", "aria-label": "Ways to go on" });
      for (const { label, detail, body } of choices) {
        const button = make("button", { type: "button", className: "choice" }, make("strong", { textContent: label }));
        if (detail) button.append(make("span", { className: "quiet", textContent: detail }));
        button.addEventListener("click", () => void submit({ ...body, ...more }));
        list.append(button);
      }
      step.append(list);
    }
    const shownInputs = [...step.querySelectorAll("input")];
    (shownInputs.find(({ value }) => value === "") || shownInputs[0] || title).focus();
  }

  /** A field with its label. What the website calls it must not meet a name of the page's own. */
  function fieldRow({ id, type, label, required, hint, placeholder }, inputs) {
    const inputId = "field-" + id;
    const isCode = type === "code" || type === "totp_code";
    const input = make("input", {
      id: inputId, name: id, required: required !== false, autocapitalize: "none", spellcheck: false,
      type: ["password", "email", "tel", "url"].includes(type) ? type : "text",
      autocomplete: type === "password" ? "current-password" : isCode ? "one-time-code" : type === "identifier" ? "username" : "off",
      inputMode: isCode ? "numeric" : "text", className: isCode ? "code" : "", placeholder: placeholder || "", value: typed.get(id) || "",
    });
    inputs.set(id, input);
    const control = make("div", { className: "control" }, input);
    const row = make("div", { className: "field" }, make("label", { htmlFor: inputId, textContent: label || id }), control);
    if (type === "password") {
      input.classList.add("hideable");
      const toggle = make("button", { type: "button", className: "show", textContent: "Show", "aria-pressed": "false", "aria-label": "Show " + (label || id) });
      toggle.addEventListener("click", () => {
        const reveal = input.type === "password";
        input.type = reveal ? "text" : "password";
        toggle.textContent = reveal ? "Hide" : "Show";
        toggle.setAttribute("aria-pressed", String(reveal));
        input.focus();
      });
      control.append(toggle);
    }
    if (hint) {
      row.append(make("p", { id: inputId + "-hint", className: "quiet", textContent: hint }));
      input.setAttribute("aria-describedby", inputId + "-hint");
    }
    return row;
  }

  async function submit(body) {
    const controls = [...step.querySelectorAll("input, button")];
    for (const control of controls) control.disabled = true;
    tellProblem("");
    tell("Signing in…", true);
    try {
      await call("/submit", { method: "POST", body: JSON.stringify(body) });
    } catch (error) {
      for (const control of controls) control.disabled = false;
      tell(...told);
      // What it asked for has gone by; what it asks for now comes over the stream.
      if (error.code !== "stale_interaction")
        tellProblem(error instanceof Refused ? error.message : "The service cannot be reached. Try again.");
    }
  }

  const endings = {
    SUCCESS: ["You are signed in", "You can close this page."],
    FAILED: ["The sign-in did not work", "Ask for a new link to try again."],
    EXPIRED: ["This login has expired", "It took too long. Ask for a new link to try again."],
    CANCELED: ["This login was canceled", "Ask for a new link to try again."],
  };

  function showEnd(state) {
    const [heading, text] = endings[state.flow_status];
    head(heading);
    until.hidden = true;
    tellProblem(state.flow_status === "FAILED" ? state.error_message || state.website_error : "");
    say(text);
    step.replaceChildren();
    title.focus();
    leave(address.searchParams.get(state.flow_status === "SUCCESS" ? "success_url" : "error_url"), state);
  }

  /** Goes on to the address that the program which made the link has added to it. */
  function leave(target, state) {
    const next = target && URL.canParse(target) && new URL(target);
    if (!next || ["javascript:", "data:", "blob:"].includes(next.protocol)) return;
    const more = state.flow_status === "SUCCESS"
      ? { profile_name: connection.profile_name, domain: connection.domain }
      : { code: state.error_code, message: state.error_message || endings[state.flow_status][0] };
    for (const [name, value] of Object.entries(more)) if (value) next.searchParams.set(name, value);
    location.assign(next);
  }

  function showRefusal({ status: code }) {
    isOver = true;
    until.hidden = true;
    const [text, advice] =
      code === 410 ? ["This link cannot be used any more", "It works once, and until its login is over. Go on in the tab where you opened it first, or ask for a new link."]
      : code === 401 ? ["This page has expired", "Ask for a new link to go on."]
      : ["This link does not work", "It may be incomplete, or its login is gone. Ask for a new link."];
    head(text);
    tellProblem("");
    say(advice);
    step.replaceChildren();
    title.focus();
  }

  say("One moment…", true);
  enter().then(follow, (error) =>
    error instanceof Refused ? showRefusal(error) : say("The service cannot be reached. Load this page again."),
  );
})();
`;
