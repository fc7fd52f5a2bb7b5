// @ts-check
/**
 * Faults as sentences, the clock, and the data.
 *
 * @typedef {import("./control.mjs").Row} Row
 */

import { byId, draw, html, input } from "../elements.mjs";
import { chosen, control, read, redraw, rowsOf, seen, settings } from "./control.mjs";
import { askFirst, button, open, optionsOf, saveFile, submitted } from "./forms.mjs";
import { kinds, objectCount } from "./kinds.mjs";
import { command, empty, folded } from "./parts.mjs";

/** @type {(status: number, code: string, headers?: Row) => Row} */
const answer = (status, code, headers = {}) => ({
  at: "before-commit",
  action: { answer: { status, headers, body: { code, message: "This is a fault of the emulator." } } },
});

/** Effects that a program should survive. @type {Readonly<Record<string, Row>>} */
const effects = {
  "loses its response": { at: "after-commit", action: "reset" },
  "never arrives": { at: "before-reading", action: "reset" },
  "answers 500 internal_error": answer(500, "internal_error"),
  "answers 429 rate_limited": answer(429, "rate_limited", { "retry-after": "1" }),
  "waits 5 seconds": { at: "before-reading", action: { delayMs: 5000 } },
  "gets half a response": { at: "while-answering", action: "close" },
  hangs: { at: "before-commit", action: "hang" },
};

/** Ends of the sentences of rules without a response and without a wait. @type {Row} */
const endings = {
  hang: "hangs",
  call: "calls the test",
  "after-commit": "loses its response",
  "while-answering": "gets half a response",
};

/** Effect of a rule on a request, as the end of a sentence. @param {Row} rule */
export function effectOf({ at, action }) {
  const { answer, delayMs } = action;
  const waits = delayMs === undefined ? "" : `waits ${delayMs / 1000} seconds`;
  const answers = answer && `answers ${answer.status} ${answer.body?.code ?? ""}`.trim();
  return answers || waits || (endings[action] ?? endings[at] ?? "never arrives");
}

/** Numbers of requests that a rule applies to, by choice. @type {Row} */
const uses = { once: 1, "3 times": 3, always: "always" };

/** Choices of the sentence, by the ids of the fields. */
const choices = {
  method: ["POST", "GET", "PATCH", "PUT", "DELETE", "request"],
  paths: Object.values(kinds).map(({ path }) => path),
  effect: Object.keys(effects),
  times: Object.keys(uses),
};
for (const [id, options] of Object.entries(choices)) {
  draw(byId(id), optionsOf(options));
}
byId("fault").oninput = showRule;
byId("fault").onsubmit = submitted(() => control("/faults", "POST", rule()));
showRule();

/** The rule that the sentence of the form means. */
function rule() {
  const [method, path, effect, times] = ["method", "path", "effect", "times"].map((id) => input(id).value);
  const which = { ...(/^[A-Z]/.test(`${method}`) && { method }), ...(path && { path }) };
  return { ...which, ...effects[`${effect}`], times: uses[`${times}`] };
}

function showRule() {
  draw(byId("rule"), folded("The same for a test or a seed", rule()));
}

/** Goes to the sentence, filled with a request. @param {string} method @param {string} path */
export function failNext(method, path) {
  [input("method").value, input("path").value] = [method, path];
  showRule();
  location.hash = "faults";
}

/** Sentences about the parts that the last saved seed lacks. @type {string[] | undefined} */
let missing;

async function saveSeed() {
  const told = await read("/seed");
  saveFile(new Blob([`${JSON.stringify(told.seed, null, 2)}\n`]), "emulator-seed.json");
  missing = told.missing;
  redraw();
}

/** Rest of the work with a saved seed. @param {string[]} sentences */
const seedNote = (sentences) => [
  sentences.length > 0 &&
    html`<p>The seed differs from the emulator:</p><ul>${sentences.map((each) => html`<li class="quiet">${each}</li>`)}</ul>`,
  command("npx browser-infra emulator --seed emulator-seed.json"),
];

/** Difference between the emulator's clock and this machine's; empty below two minutes. */
export function shiftText() {
  const minutes = Math.round((Date.parse(seen.now) - Date.now()) / 60_000);
  const distance = Math.abs(minutes);
  const [size, unit] = distance < 60 ? [1, "minute"] : distance < 1440 ? [60, "hour"] : [1440, "day"];
  const count = Math.round(minutes / size);
  const text = `${count.toLocaleString("en", { signDisplay: "always" })} ${unit}`;
  return distance >= 2 ? `${text}${Math.abs(count) === 1 ? "" : "s"}` : "";
}

/** The clock, the data, and how the page and a program work with them. */
export function clock() {
  const shift = shiftText();
  const moves = Object.entries({ "+1 hour": 1, "+1 day": 24, "+30 days": 720, "Back to now": 0 });
  const move = (/** @type {number} */ hours) =>
    control("/clock", "PUT", { now: hours ? new Date(Date.parse(seen.now) + hours * 3_600_000) : null });
  const set = submitted((data) => control("/clock", "PUT", { now: new Date(`${data.get("time")}Z`) }));
  const reset = () => control("/reset", "POST").then(() => open());
  const question = "Reset? Every object, fault and request goes, and the seed is applied again.";
  const turnSlash = () => redraw({ hasSlash: !chosen.hasSlash });
  return html`<div class="stack two"><section class="card"><h2>Clock</h2><b class="big">${seen.now.slice(0, 19).replace("T", " ")} UTC</b>
      <p class="quiet">${shift ? `${shift} from this machine's time. The clock runs on from there.` : "The time of this machine."}</p>
      <div class="row">${moves.map(([label, hours]) => button(label, () => move(hours)))}</div>
      <form class="row" @submit=${set}><input name="time" type="datetime-local" step="1" aria-label="Date and time (UTC)" required>
      <button class="act">Set</button></form></section>
    <section class="card"><h2>Data</h2><p class="quiet">${objectCount()} objects, ${rowsOf("faults").length} faults. Without --data, they are lost when the emulator stops.</p>
      ${askFirst("Reset", question, reset, button("Save as seed", saveSeed))}<div class="stack" role="status">${missing && seedNote(missing)}</div></section>
    <section class="card"><h2>Connect</h2>${command(settings())}</section>
    <section class="card"><h2>Keys</h2><label class="row"><input type="checkbox" checked=${chosen.hasSlash} @click=${turnSlash}> <span><kbd>/</kbd> goes to the filter</span></label>
      <p class="quiet">Arrow keys move in a list, Enter opens, Escape goes back.</p></section></div>`;
}

/** The rules as sentences. */
export function faults() {
  const isSpent = (/** @type {Row} */ { times = 1, hits }) => hits >= times;
  const armed = rowsOf("faults").filter((fault) => !isSpent(fault));
  const spent = rowsOf("faults").filter(isSpent);
  return [
    armed.length > 0
      ? html`<ol class="list">${armed.map(line)}</ol>`
      : empty("No fault waits", "Every request gets its own response."),
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
