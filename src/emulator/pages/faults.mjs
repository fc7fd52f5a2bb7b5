// @ts-check
/**
 * Faults as sentences, the clock, and the data.
 *
 * @typedef {import("./control.mjs").Row} Row
 */

import {
  askFirst,
  button,
  command,
  control,
  empty,
  json,
  open,
  read,
  rowsOf,
  saveFile,
  seen,
  settings,
  submitted,
} from "./control.mjs";
import { byId, draw, html, input } from "./elements.mjs";
import { kinds } from "./objects.mjs";

/** @type {(status: number, code: string, headers?: Row) => Row} */
const answer = (status, code, headers = {}) => ({
  at: "before-commit",
  action: { answer: { status, headers, body: { code, message: "This is a fault of the emulator." } } },
});

/** What a program should survive. @type {Readonly<Record<string, Row>>} */
const effects = {
  "loses its answer": { at: "after-commit", action: "reset" },
  "never arrives": { at: "before-reading", action: "reset" },
  "answers 500 internal_error": answer(500, "internal_error"),
  "answers 429 rate_limited": answer(429, "rate_limited", { "retry-after": "1" }),
  "waits 5 seconds": { at: "before-reading", action: { delayMs: 5000 } },
  "gets half an answer": { at: "while-answering", action: "close" },
  hangs: { at: "before-commit", action: "hang" },
};

/** What a rule does to a request, as the end of a sentence, where it neither answers nor waits. @type {Row} */
const endings = {
  hang: "hangs",
  call: "calls the test",
  "after-commit": "loses its answer",
  "while-answering": "gets half an answer",
};

/** What a rule does to a request, as the end of a sentence. @param {Row} rule */
export function effectOf({ at, action }) {
  if (action.answer) {
    return `answers ${action.answer.status} ${action.answer.body?.code ?? ""}`.trim();
  }
  return action.delayMs === undefined
    ? (endings[action] ?? endings[at] ?? "never arrives")
    : `waits ${action.delayMs / 1000} seconds`;
}

draw(
  byId("effect"),
  Object.keys(effects).map((text) => html`<option>${text}</option>`),
);
draw(
  byId("paths"),
  Object.values(kinds).map(({ path }) => html`<option value=${path}></option>`),
);
draw(
  byId("move"),
  Object.entries({ "+1 hour": 1, "+1 day": 24, "+30 days": 720, "Back to now": 0 }).map(([label, hours]) => {
    const now = () => (hours === 0 ? null : new Date(Date.parse(seen.now) + hours * 3_600_000));
    return button(label, () => control("/clock", "PUT", { now: now() }));
  }),
);
draw(byId("connect"), command(settings()));
byId("set").onsubmit = submitted(() =>
  control("/clock", "PUT", { now: new Date(`${input("time").value}Z`) }),
);
byId("fault").oninput = showRule;
byId("fault").onsubmit = submitted(() => control("/faults", "POST", rule()));
showRule();

/** The rule that the sentence of the form means. */
function rule() {
  const [method, path] = [input("method").value, input("path").value];
  const times = Number(input("times").value) || "always";
  return { ...(method && { method }), ...(path && { path }), ...effects[input("effect").value], times };
}

function showRule() {
  draw(byId("rule"), json("The fault as JSON", rule()));
}

/** Goes to the sentence, filled with a request. @param {string} method @param {string} path */
export function failNext(method, path) {
  [input("method").value, input("path").value] = [method, path];
  showRule();
  location.hash = "faults";
}

async function saveSeed() {
  const { seed, missing } = await read("/seed");
  saveFile(new Blob([`${JSON.stringify(seed, null, 2)}\n`]), "emulator-seed.json");
  const lines = missing.map((/** @type {string} */ sentence) => html`<li class="quiet">${sentence}</li>`);
  draw(byId("saved"), [
    missing.length > 0 && html`<p>The seed has no secret and no archive:</p><ul>${lines}</ul>`,
    command("npx browser-infra emulator --seed emulator-seed.json"),
  ]);
}

/** Difference between the emulator's clock and this machine's; empty below two minutes. */
export function shiftText() {
  const minutes = (Date.parse(seen.now) - Date.now()) / 60_000;
  const [size, unit] =
    Math.abs(minutes) < 59.5 ? [1, "minute"] : Math.abs(minutes) < 1439.5 ? [60, "hour"] : [1440, "day"];
  const shown = { style: "unit", unit, unitDisplay: "long", signDisplay: "always", maximumFractionDigits: 0 };
  return Math.abs(minutes) < 1.5
    ? ""
    : (minutes / size).toLocaleString("en", /** @type {Intl.NumberFormatOptions} */ (shown));
}

/** Shows the clock and the data. */
export function showClock() {
  const count = Object.keys(kinds).reduce((sum, kind) => sum + rowsOf(kind).length, 0);
  const shift = shiftText();
  byId("big").textContent = `${seen.now.slice(0, 19).replace("T", " ")} UTC`;
  byId("shift").textContent = shift
    ? `${shift} from this machine's time. The clock runs on from there.`
    : "The time of this machine.";
  byId("data").textContent =
    `${count} objects, ${rowsOf("faults").length} faults. Without --data, they are lost when the emulator stops.`;
  const reset = () => control("/reset", "POST").then(() => open());
  const question = "Reset? Every object, fault and request goes, and the seed is applied again.";
  draw(byId("reset"), askFirst("Reset", question, reset, button("Save as seed", saveSeed)));
}

/** The rules as sentences. */
export function faultList() {
  const isSpent = (/** @type {Row} */ { times = 1, hits }) => hits >= times;
  const armed = rowsOf("faults").filter((fault) => !isSpent(fault));
  const spent = rowsOf("faults").filter(isSpent);
  return [
    armed.length > 0
      ? html`<ol class="list">${armed.map(line)}</ol>`
      : empty("No fault waits", "Every request gets its own answer."),
    spent.length > 0 && html`<h2>Spent</h2><ol class="list">${spent.map(line)}</ol>`,
    rowsOf("faults").length > 1 && html`<p>${button("Remove all", () => control("/faults", "DELETE"))}</p>`,
  ];
}

/** @param {Row} fault */
function line({ id, method, path, pathPattern, nth = 1, times = 1, hits, ...effect }) {
  const which = [method, path ?? (pathPattern && `/${pathPattern}/`)].filter(Boolean).join(" ") || "request";
  const used = times === "always" ? `used ${hits} times` : `${hits} of ${times} used`;
  const start = times === "always" ? "Every" : nth > 1 ? `After ${nth - 1}, the next` : "The next";
  const remove = () => control(`/faults/${id}`, "DELETE");
  return html`<li class="line fault" data-key=${id}><p>${start} <code>${which}</code> <b>${effectOf(effect)}</b>, <span class="quiet">${used}</span></p>
    ${button("Remove", remove, "act", `Remove: ${which} ${effectOf(effect)}`)}</li>`;
}
