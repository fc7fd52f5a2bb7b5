// @ts-check
/**
 * What programs have asked: requests in runs, and one request in whole. A run is a guess, because no
 * request names a deployment: same key and program, without a gap of more than three seconds.
 *
 * @typedef {import("./control.mjs").Row} Row
 */

import {
  button,
  command,
  detailsOf,
  empty,
  filter,
  json,
  levelOf,
  nameOf,
  noneFits,
  pairs,
  read,
  redraw,
  rowsOf,
  settings,
  statusOf,
} from "./control.mjs";
import { byId, draw, html } from "./elements.mjs";
import { effectOf, failNext } from "./faults.mjs";
import { linkTo, touched } from "./objects.mjs";

const runGapMs = 3000;
/** Most bars of a strip. */
const barsMax = 60;

const isWrite = (/** @type {Row} */ { method }) => !/^(GET|HEAD)$/.test(method);

/** Which requests can be shown. @type {Record<string, (request: Row) => boolean>} */
const segments = { All: () => true, Writes: isWrite, Errors: (request) => levelOf(request) !== "" };

/** Effects of the faults seen so far, removed ones too, by id. @type {Map<string, string>} */
const effects = new Map();

/** Effect of the fault that applied to a request; null if none. @param {Row} request */
function faultOf({ fault }) {
  for (const rule of rowsOf("faults")) {
    effects.set(rule.id, effectOf(rule));
  }
  return fault && (effects.get(fault) ?? "was struck");
}

/** A path, which breaks after a slash. @param {string} path */
const broken = (path) => path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`);

/** Shows the segments, each with its number of requests. */
function showSegments() {
  const choose = (/** @type {string} */ segment) => () => {
    filter.segment = segment;
    redraw();
  };
  draw(
    byId("segments"),
    Object.entries(segments).map(
      ([segment, fits]) =>
        html`<button type="button" aria-pressed=${String(segment === filter.segment)} @click=${choose(segment)}>${segment} ${rowsOf("requests").filter(fits).length}</button>`,
    ),
  );
}

/** The runs. @param {string | undefined} open Id of the request that is open. */
export function activity(open) {
  showSegments();
  const fits = (/** @type {Row} */ request) =>
    segments[filter.segment]?.(request) && wordsOf(request).includes(filter.text);
  const cards = runsOf(rowsOf("requests")).map((run) => run.some(fits) && card(run, run.filter(fits), open));
  if (cards.some(Boolean)) {
    return cards;
  }
  return rowsOf("requests").length > 0
    ? noneFits("request")
    : empty(
        "Nothing has asked yet",
        "Run this in the shell of your program. What the program asks appears here, as it happens.",
        [
          command(`${settings()}\npulumi up`),
          html`<p class="quiet">No program yet? This makes one and deploys it:</p>`,
          command("npx browser-infra init my-browsers --up"),
        ],
      );
}

/** @param {Row} request */
function wordsOf(request) {
  const { method, path, status, requestId, apiKeyId, program } = request;
  const words = [method, path, status ?? "no answer", requestId, nameOf("apiKeys", apiKeyId), program];
  return [...words, touched(request)?.name, faultOf(request)].join(" ").toLowerCase();
}

/** Runs and their requests, the newest first. @param {readonly Row[]} requests */
function runsOf(requests) {
  /** @type {Row[][]} */
  const runs = [];
  for (const request of requests.toReversed()) {
    const { time, apiKeyId, program } = request;
    const run = runs.find(([last]) => last?.apiKeyId === apiKeyId && last?.program === program);
    const gapMs = Date.parse(time) - Date.parse(run?.[0]?.time);
    if (run && gapMs >= 0 && gapMs <= runGapMs) {
      run.unshift(request);
    } else {
      runs.unshift([request]);
    }
  }
  return runs.sort((a, b) => (b[0]?.time < a[0]?.time ? -1 : 1));
}

/** @param {readonly Row[]} run @param {readonly Row[]} rows @param {string | undefined} open */
function card(run, rows, open) {
  const [last = {}, first = last] = [run[0], run.at(-1)];
  const startMs = Date.parse(first.time);
  const seconds = (Date.parse(last.time) + (last.tookMs ?? 0) - startMs) / 1000;
  const about = [
    first.time.slice(11, 19),
    `${seconds.toFixed(1)} s`,
    `key ${nameOf("apiKeys", first.apiKeyId) || "unknown"}`,
    nameOf("projects", last.project),
  ];
  const count = (/** @type {(request: Row) => unknown} */ fits) => run.filter(fits).length;
  const created = count((request) => touched(request)?.verb === "created");
  const tally = [
    { number: run.length, what: run.length === 1 ? "request" : "requests" },
    { number: created, what: "created" },
    { number: count((request) => touched(request)?.verb) - created, what: "changed" },
    { number: count((request) => levelOf(request) === "s4"), what: "refused", level: "s4" },
    { number: count((request) => levelOf(request) === "s5"), what: "failed", level: "s5" },
  ].filter(({ number }) => number > 0);
  const bars = run
    .slice(0, barsMax)
    .toReversed()
    .map((each) => html`<i class="${isWrite(each) && "write"} ${levelOf(each)}"></i>`);
  // The run that loses its oldest request stays the same element.
  const key = first === rowsOf("requests").at(-1) ? "oldest" : first.requestId;
  return html`<section class="list" data-key=${key} aria-label=${programOf(first)}>
    <header><span class="strip" role="img" aria-label=${tally.map(({ number, what }) => `${number} ${what}`).join(", ")}>${bars}</span><h2>${programOf(first)}</h2><p class="quiet">${about.filter(Boolean).join(" · ")}</p>
      <p class="tally">${tally.map(({ number, what, level }) => html`<span class=${level && `chip ${level}`}>${number} ${what}</span> `)}</p></header>
    <ol>${rows.map((request) => line(request, startMs, open))}</ol></section>`;
}

/** @param {Row} request */
const programOf = ({ program }) => program?.split(" ")[0] ?? "unknown program";

/** @param {Row} request @param {number} startMs @param {string | undefined} open */
function line(request, startMs, open) {
  const { requestId, time, method, path } = request;
  const object = touched(request);
  const fault = faultOf(request);
  return html`<li data-key=${requestId}>
    <a class="line request ${isWrite(request) && "write"} ${levelOf(request)}" href="#activity/${requestId}" aria-current=${open === requestId && "true"}>
      <span class="at">+${((Date.parse(time) - startMs) / 1000).toFixed(2)} s</span><span class="method">${method}</span>
      <span class="what"><code>${broken(path)}</code>
        ${fault ? html`<b class="s5">fault: ${fault}</b>` : object?.verb && html`<span class="quiet">${path.includes(object.name) ? "" : `${object.name} · `}${object.verb}</span>`}</span>
      ${statusOf(request)}</a></li>`;
}

/** @param {string} id */
export function requestDetails(id) {
  const request = rowsOf("requests").find(({ requestId }) => requestId === id);
  if (!request) {
    return html`<a href="#activity">← Activity</a><h1 tabindex="-1">It is gone</h1><p class="quiet">The request was forgotten.</p>`;
  }
  const { method, path, time, status, tookMs, apiKeyId, project, program } = request;
  const { query, headers, body, answer } = detailsOf(id, `${tookMs}`, () => read(`/requests/${id}`));
  const object = touched(request);
  const fault = faultOf(request);
  const lost =
    object?.verb === "created" &&
    status === null &&
    ` The service had done the work: ${object.name} was created.`;
  const message = (/** @type {string} */ title, /** @type {Row} */ shown, /** @type {unknown} */ inside) => [
    html`<h2>${title}</h2>`,
    pairs(Object.entries(shown).map(([name, value]) => [name, `${value}`])),
    inside !== undefined && json(`Body ${title.toLowerCase()}`, inside),
  ];
  return [
    html`<a href="#activity">← Activity</a><h1 tabindex="-1" class="mono">${method} ${broken(path)}</h1><p>${statusOf(request)}</p>
      <p>${button("Fail the next one like it", () => failNext(method, path), "")}</p>`,
    fault && html`<p class="notice bad">A fault: the request ${fault}.${lost}</p>`,
    pairs([
      [
        "Object",
        object && [
          object.row ? linkTo(object.kind, object.row) : object.name,
          object.verb && ` · ${object.verb}`,
        ],
      ],
      ["Request id", html`<code>${id}</code>`],
      ["Time", `${time.slice(0, 10)} ${time.slice(11, 23)}${tookMs === null ? "" : `, took ${tookMs} ms`}`],
      ["Key", nameOf("apiKeys", apiKeyId) || "no valid key"],
      ["Project", nameOf("projects", project)],
      ["Program", program],
      ["Query", `${new URLSearchParams(query)}`],
    ]),
    headers && message("Sent", headers, body),
    answer
      ? message("Answered", answer.headers, answer.body)
      : tookMs !== null && headers && html`<p class="quiet">No answer arrived.</p>`,
  ];
}
