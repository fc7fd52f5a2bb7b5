// @ts-check
/**
 * Buttons, forms and questions of the emulator's page.
 *
 * @typedef {import("./control.mjs").Row} Row
 */

import { html } from "../elements.mjs";
import { act, chosen, redraw } from "./control.mjs";

/** A button. With the class `act`, the button needs the emulator. @param {string} label @param {(event: any) => unknown} work */
export const button = (label, work, look = "act", title = label) =>
  html`<button type="button" class="${look}" aria-label=${title} @click=${(/** @type {Event} */ event) => void act(() => work(event))}>${label}</button>`;

/** Does the work of a form when a person submits the form. @param {(data: FormData) => unknown} work */
export const submitted = (work) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  void act(() => work(new FormData(/** @type {HTMLFormElement} */ (event.target))));
};

/** @param {readonly string[]} options */
export const optionsOf = (options) => options.map((option) => html`<option>${option}</option>`);

/** A field with its label: a choice if it has options. @param {Row} field */
function fieldOf({ id, label = id, type, value, hint, options }) {
  if (type === "boolean") {
    return html`<label class="row"><input type="checkbox" name=${id} checked=${value}> ${label}</label>`;
  }
  const input = options
    ? html`<select name=${id}>${optionsOf(options)}</select>`
    : html`<input name=${id} type=${/^(password|number)$/.test(type) ? type : "text"} value=${value} autocomplete="off">`;
  return html`<label class="field"><span>${label}</span>${input}${hint && html`<span class="quiet">${hint}</span>`}</label>`;
}

/** Value that was typed into a field. @param {FormData} data @param {Row} field */
const typedIn = (data, { id, type }) =>
  type === "boolean" ? data.has(id) : type === "number" ? Number(data.get(id)) : data.get(id);

/** A form, which submits the changed values. Without fields, the form has only the other buttons. @param {string} label @param {Row[]} fields @param {(values: Row) => unknown} work @param {any} others */
export function form(label, fields, work, others) {
  const submit = submitted((data) => {
    const changed = fields.filter((field) => typedIn(data, field) !== field.value);
    return work(Object.fromEntries(changed.map((field) => [field.id, typedIn(data, field)])));
  });
  return html`<form class="stack" data-key=${label} @submit=${submit}>${fields.map(fieldOf)}
    <div class="row">${fields.length > 0 && html`<button class="main act">${label}</button>`}${others}</div></form>`;
}

/** Opens a form or a question, or closes the open one. False if none was open. @param {string} [opened] */
export function open(opened = "") {
  const wasOpen = chosen.opened !== "";
  redraw({ opened });
  /** @type {HTMLElement | null} */ (
    document.querySelector("[data-key=Save] input, [data-key=Create] input, .keep")
  )?.focus();
  return wasOpen;
}

/** Buttons, the last of which asks before something is lost. @param {string} label @param {string} question @param {() => unknown} work @param {any} others */
export const askFirst = (label, question, work, others) =>
  chosen.opened === question
    ? html`<div class="notice bad stack" role="alert"><p>${question}</p>
      <div class="row">${button(label, work, "act bad")}${button("Keep", () => open(), "keep")}</div></div>`
    : html`<div class="row">${others}${button(`${label}…`, () => open(question), "act bad")}</div>`;

/** @param {Blob} blob @param {string} download */
export function saveFile(blob, download) {
  const href = URL.createObjectURL(blob);
  const [link] = html`<a href=${href} download=${download}></a>`;
  /** @type {HTMLElement} */ (link).click();
  URL.revokeObjectURL(href);
}
