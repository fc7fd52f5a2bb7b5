// @ts-check
/**
 * Parts of the emulator's page that several views show.
 *
 * @typedef {import("./control.mjs").Row} Row
 */

import { html, input } from "../elements.mjs";
import { chosen, redraw } from "./control.mjs";
import { button } from "./forms.mjs";

/** A command to copy. @param {string} text */
export function command(text) {
  const copy = () => navigator.clipboard.writeText(text).then(() => redraw({ copied: text }));
  const label = chosen.copied === text ? "Copied" : "Copy";
  return html`<div class="notice command"><code>${text}</code>${button(label, copy, "", `Copy: ${text}`)}</div>`;
}

/** Label and value, without what has no value. @param {readonly (readonly [string, any])[]} facts */
export const pairs = (facts) =>
  html`<dl>${facts.map(([label, value]) => (value ?? "") !== "" && html`<dt class="quiet">${label}</dt><dd>${value}</dd>`)}</dl>`;

/** @param {string} label @param {unknown} value */
export const json = (label, value) =>
  html`<pre class="notice" tabindex="0" role="region" aria-label=${label}>${typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>`;

/** @param {string} label @param {unknown} value */
export const folded = (label, value) =>
  html`<details><summary>${label}</summary>${json(label, value)}</details>`;

/** Heading of details, below the link back to the list. @param {string} list @param {string} label @param {any} title */
export const heading = (list, label, title) =>
  html`<a href="#${list}">← ${label}</a><h1 tabindex="-1">${title}</h1>`;

/** Row of a list, a link. @param {string} look @param {string} place Address of the link. @param {any} inside */
export const line = (look, place, inside) =>
  html`<li data-key=${place}><a class="line ${look}" href="#${place}" aria-current=${location.hash === `#${place}` && "true"}>${inside}</a></li>`;

/** @param {string} title @param {string} text @param {any} more */
export const empty = (title, text, more = "") =>
  html`<div class="card"><h2>${title}</h2><p class="quiet">${text}</p>${more}</div>`;

/** Stands in place of a list without rows that fit the filter. @param {string} noun */
export function noneFits(noun) {
  const showAll = () => {
    input("search").value = "";
    redraw({ segment: "All" });
  };
  const text = `There is none with “${input("search").value || chosen.segment}”.`;
  return empty(`No ${noun} fits`, text, button("Show all", showAll, ""));
}

/** Good, waiting and bad words of the service and of the command line. */
const words = {
  good: /^(AUTHENTICATED|running|SUCCESS|valid|available)$/,
  warn: /^(NEEDS_AUTH|queued|in_progress|IN_PROGRESS|archived)$/,
  bad: /^(FAILED|failed|stopped|EXPIRED|CANCELED|expired|deleted|unavailable)$/,
};

/** @param {string} word */
export const chip = (word) =>
  html`<span class="chip ${Object.entries(words).find(([, fits]) => fits.test(word))?.[0]}">${word}</span>`;

/** Look of a request that was refused, or failed. @param {Row} request */
export const levelOf = ({ status, tookMs }) =>
  (status === null && tookMs !== null) || status >= 500 ? "bad" : status >= 400 ? "warn" : "";

/** @param {Row} request */
export function statusOf(request) {
  const level = levelOf(request);
  return html`<span class=${level ? `chip ${level}` : "quiet mono"}>${request.status ?? (level ? "no response" : "…")}</span>`;
}

/** @param {number} ms */
export function ago(ms) {
  const seconds = Math.max(0, Math.round((Date.now() - ms) / 1000));
  return seconds < 60 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`;
}
