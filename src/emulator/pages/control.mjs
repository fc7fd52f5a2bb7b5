// @ts-check
/**
 * How the emulator's page controls the emulator: as a test does, under `/_emulator`, with a key. And
 * what several views show.
 *
 * @typedef {Record<string, any>} Row A record, as `GET /_emulator/state` has it.
 */

import { html, input, Refused, send, tellProblem } from "./elements.mjs";

const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
/** Key that is valid when none is given at the emulator's start. Everybody knows the key. */
const usualKey = "sk_emulator";
/** Key that was typed, which the tab remembers until it is closed. Else, on this machine, the usual key. */
let key = sessionStorage.getItem("emulator key") ?? (isLoopback ? usualKey : "");

/** What the stream has told so far. @type {{ now: string, kinds: Record<string, { rows: Row[], more?: boolean }> }} */
export const seen = { now: "", kinds: {} };

/** Draws the page again, now. */
export const redraw = () => dispatchEvent(new Event("redraw"));

/** What a person has chosen to see: which requests, and a text. */
export const filter = {
  segment: "All",
  get text() {
    return input("search").value.toLowerCase();
  },
};

/** @param {string} kind */
export const rowsOf = (kind) => seen.kinds[kind]?.rows ?? [];

/** @param {Row | undefined} row */
export const nameIn = (row) => row && (row.name ?? row.domain ?? row.id);

/** @param {string} kind @param {string | null} id */
export const nameOf = (kind, id) => nameIn(rowsOf(kind).find((row) => row.id === id)) ?? id ?? "";

/** @param {string} typed */
export function useKey(typed) {
  key = typed;
  sessionStorage.setItem("emulator key", typed);
}

/** Shell lines that lead a program here. A typed key is not repeated. */
export const settings = () =>
  `export BROWSER_INFRA_BASE_URL=${location.origin}\nexport BROWSER_INFRA_API_KEY=${key === usualKey ? key : "<your key>"}`;

/**
 * Sends a control request. The service's own operations are below `/service`.
 *
 * @param {string} path @param {string} [method] @param {unknown} [body] @param {string | null} [project]
 */
export const control = (path, method = "GET", body = undefined, project = null) =>
  send(`/_emulator${path}`, { method, body, token: key, project });

/** @param {string} path @param {string | null} [project] */
export const read = async (path, project) => (await control(path, "GET", undefined, project)).json();

/** What was read about what is open. */
let details = { id: "", version: "", told: /** @type {Row} */ ({}) };

/**
 * What the emulator tells about what is open: nothing at first, and the page is drawn again when it is
 * there. Another version is read again.
 *
 * @param {string} id @param {string} version @param {() => Promise<Row>} load
 */
export function detailsOf(id, version, load) {
  if (details.id !== id) {
    details = { id, version: "", told: {} };
  }
  if (details.version !== version) {
    const current = Object.assign(details, { version });
    void load().then(
      (told) => {
        current.told = told;
        redraw();
      },
      () => {},
    );
  }
  return details.told;
}

/** Does what a person asked for, and says so if it fails. @param {() => unknown} work */
export async function act(work) {
  tellProblem();
  try {
    await work();
  } catch (error) {
    tellProblem(error instanceof Refused ? error.message : "The emulator does not answer. Try again.");
  }
}

/** A button. With the class `act`, the button needs the emulator. @param {string} label @param {(event: any) => unknown} work */
export const button = (label, work, look = "act", title = label) =>
  html`<button type="button" class="${look}" aria-label=${title} @click=${(/** @type {Event} */ event) => void act(() => work(event))}>${label}</button>`;

/** What a form does when it is submitted. @param {(form: HTMLFormElement) => unknown} work */
export const submitted = (work) => (/** @type {Event} */ event) => {
  event.preventDefault();
  void act(() => work(/** @type {HTMLFormElement} */ (event.target)));
};

/** A command to copy. @param {string} text */
export function command(text) {
  const copy = async (/** @type {any} */ { target }) => {
    await navigator.clipboard.writeText(text);
    target.textContent = "Copied";
  };
  return html`<div class="command"><code>${text}</code>${button("Copy", copy, "", `Copy: ${text}`)}</div>`;
}

/** Label and value, without what has no value. @param {readonly (readonly [string, any])[]} facts */
export const pairs = (facts) =>
  html`<dl>${facts.map(([label, value]) => (value ?? "") !== "" && html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;

/** @param {string} label @param {unknown} value */
export const json = (label, value) =>
  html`<pre tabindex="0" role="region" aria-label=${label}>${typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>`;

/** @param {string} title @param {string} text @param {any} more */
export const empty = (title, text, more = "") =>
  html`<div class="card"><h2>${title}</h2><p class="quiet">${text}</p>${more}</div>`;

/** In place of a list of which the filter shows nothing. @param {string} noun */
export function noneFits(noun) {
  const showAll = () => {
    [filter.segment, input("search").value] = ["All", ""];
    redraw();
  };
  const text = `There is none with “${input("search").value || filter.segment}”.`;
  return empty(`No ${noun} fits`, text, button("Show all", showAll, ""));
}

/** The form or the question that is open in place of buttons. */
let opened = "";

/** @param {string} form */
export const isOpen = (form) => opened === form;

/** Opens a form or a question, or closes the open one. False if none was open. @param {string} [form] */
export function open(form = "") {
  const wasOpen = opened !== "";
  opened = form;
  redraw();
  /** @type {HTMLElement | null} */ (document.querySelector("form[data-key=edit] input, .keep"))?.focus();
  return wasOpen;
}

/** Buttons, the last of which asks before something is lost. @param {string} label @param {string} question @param {() => unknown} work @param {any} others */
export const askFirst = (label, question, work, others) =>
  isOpen(question)
    ? html`<div class="notice bad stack" role="alert"><p>${question}</p>
      <div class="row">${button(label, work, "act danger")}${button("Keep", () => open(), "keep")}</div></div>`
    : html`<div class="row">${others}${button(`${label}…`, () => open(question), "act danger")}</div>`;

/** Good, waiting and bad words of the service and of the command line. */
const words = {
  good: /^(AUTHENTICATED|SUCCESS|valid|available)$/,
  s4: /^(NEEDS_AUTH|IN_PROGRESS|archived)$/,
  s5: /^(FAILED|EXPIRED|CANCELED|expired|deleted|unavailable)$/,
};

/** @param {string} word */
export const chip = (word) =>
  html`<span class="chip ${Object.entries(words).find(([, fits]) => fits.test(word))?.[0]}">${word}</span>`;

/** Look of a request that was refused, or failed. @param {Row} request */
export const levelOf = ({ status, tookMs }) =>
  (status === null && tookMs !== null) || status >= 500 ? "s5" : status >= 400 ? "s4" : "";

/** @param {Row} request */
export function statusOf(request) {
  const level = levelOf(request);
  return html`<span class=${level ? `chip ${level}` : "quiet mono"}>${request.status ?? (level ? "no answer" : "…")}</span>`;
}

/** @param {number} ms */
export function ago(ms) {
  const seconds = Math.max(0, Math.round((Date.now() - ms) / 1000));
  return seconds < 60 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`;
}

/** @param {Blob} blob @param {string} download */
export function saveFile(blob, download) {
  const href = URL.createObjectURL(blob);
  const [link] = html`<a href=${href} download=${download}></a>`;
  /** @type {HTMLElement} */ (link).click();
  URL.revokeObjectURL(href);
}
