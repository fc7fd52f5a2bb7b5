// @ts-check
/**
 * How the emulator's page controls the emulator: as a test does, under `/_emulator`, with a key. And
 * what several views show.
 *
 * @typedef {Record<string, any>} Row A record, as `GET /_emulator/state` has it.
 */

import { html, Refused, send, tellProblem } from "./elements.mjs";

const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
/** Key that is valid when none is given at the emulator's start. Everybody knows the key. */
const usualKey = "sk_emulator";
/** Key that was typed, which the tab remembers until it is closed. Else, on this machine, the usual key. */
let key = sessionStorage.getItem("emulator key") ?? (isLoopback ? usualKey : "");

/** What the stream has told so far. @type {{ now: string, kinds: Record<string, { rows: Row[], more?: boolean }> }} */
export const seen = { now: "", kinds: {} };

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
export function control(path, method = "GET", body = undefined, project = null) {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  return send(`/_emulator${path}`, { method, token: key, project, ...json });
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
  return html`<div class="command"><code>${text}</code>${button("Copy", copy, "plain", `Copy: ${text}`)}</div>`;
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

/** A question before something is lost. @param {string} question @param {string} label @param {() => unknown} work @param {() => void} keep */
export const ask = (question, label, work, keep) =>
  html`<div class="notice bad stack" role="alert"><p>${question}</p>
    <div class="row">${button(label, work, "act danger")}${button("Keep", keep, "keep")}</div></div>`;

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
export const statusOf = (request) =>
  html`<span class="chip code ${levelOf(request)}">${request.status ?? (request.tookMs === null ? "…" : "no answer")}</span>`;

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
