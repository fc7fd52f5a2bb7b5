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
  control,
  empty,
  json,
  levelOf,
  nameOf,
  pairs,
  rowsOf,
  settings,
  statusOf,
} from "./control.mjs";
import { html } from "./elements.mjs";
import { effectOf } from "./faults.mjs";
import { linkTo, touched } from "./objects.mjs";

const runGapMs = 3000;
/** Most bars of a strip. */
const barsMax = 60;

const isWrite = (/** @type {Row} */ { method }) => !/^(GET|HEAD)$/.test(method);

/** Which requests are shown. @type {Record<string, (request: Row) => boolean>} */
export const segments = { All: () => true, Writes: isWrite, Errors: (request) => levelOf(request) !== "" };

/** Key of the run of each request: a run stays itself when its oldest request is dropped. @type {Map<string, string>} */
let runKeys = new Map();
/** Faults seen so far, removed ones too. @type {Map<string, Row>} */
const faults = new Map();

/** @param {Row} request */
function faultOf({ fault }) {
  for (const rule of rowsOf("faults")) {
    faults.set(rule.id, rule);
  }
  const rule = faults.get(fault);
  return fault === null ? "" : rule ? effectOf(rule) : "was struck";
}

/** A path, which breaks after a slash. @param {string} path */
const broken = (path) => path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`);

/** @param {string} segment @param {string} text @param {string | undefined} open @param {() => void} showAll */
export function activity(segment, text, open, showAll) {
  const fits = segments[segment] ?? (() => true);
  const cards = runsOf(rowsOf("requests")).map((run) => {
    const rows = run.filter((request) => fits(request) && wordsOf(request).includes(text.toLowerCase()));
    return rows.length > 0 && card(run, rows, open);
  });
  if (cards.some(Boolean)) {
    return cards;
  }
  return rowsOf("requests").length > 0
    ? empty("No request fits", `There is none with “${text || segment}”.`, button("Show all", showAll, ""))
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

/** Runs and their requests, the newest first. @param {readonly Row[]} requests @returns {Row[][]} */
function runsOf(requests) {
  /** @type {Row[][]} */
  const runs = [];
  for (const request of requests.toReversed()) {
    const run = runs.find(
      ([last]) => last?.apiKeyId === request.apiKeyId && last?.program === request.program,
    );
    const gapMs = Date.parse(request.time) - Date.parse(run?.[0]?.time ?? "");
    if (run && gapMs >= 0 && gapMs <= runGapMs) {
      run.unshift(request);
    } else {
      runs.unshift([request]);
    }
  }
  const ids = runs.map((run) => run.map(({ requestId }) => requestId));
  runKeys = new Map(
    ids.flatMap((run) =>
      run.map((id) => [id, run.map((each) => runKeys.get(each)).find(Boolean) ?? run.at(-1)]),
    ),
  );
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
  const done = run.map((request) => touched(request)?.verb).filter(Boolean);
  const created = done.filter((verb) => verb === "created").length;
  const [refused, failed] = ["s4", "s5"].map(
    (level) => run.filter((request) => levelOf(request) === level).length,
  );
  const counts = Object.entries({
    requests: run.length,
    created,
    changed: done.length - created,
    refused,
    failed,
  });
  const tally = counts
    .filter(([, count]) => count)
    .map(([what, count]) => `${count} ${count === 1 ? what.replace(/ts$/, "t") : what}`);
  const bars = run
    .slice(0, barsMax)
    .toReversed()
    .map((each) => html`<i class="${isWrite(each) && "write"} ${levelOf(each)}"></i>`);
  return html`<section class="list" data-key=${runKeys.get(last.requestId)} aria-label=${programOf(first)}>
    <header><h2>${programOf(first)}</h2><p class="quiet">${about.filter(Boolean).join(" · ")}</p>
      <p class="tally">${tally.map((each) => html`<span class=${/refused/.test(each) ? "s4" : /failed/.test(each) ? "s5" : ""}>${each}</span> `)}</p>
      <span class="strip" role="img" aria-label=${tally.join(", ")}>${bars}</span></header>
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

/** Headers and bodies of the request that is open. @type {{ version: string, told?: Row }} */
let contents = { version: "" };

/** @param {string} id @param {(method: string, path: string) => void} failNext @param {() => void} drawAgain */
export function requestDetails(id, failNext, drawAgain) {
  const request = rowsOf("requests").find(({ requestId }) => requestId === id);
  if (!request) {
    return html`<a href="#activity">← Activity</a><h1 tabindex="-1">It is gone</h1><p class="quiet">The request was forgotten.</p>`;
  }
  const { method, path, time, status, tookMs, apiKeyId, project, program } = request;
  if (contents.version !== `${id} ${tookMs}`) {
    const current = { version: `${id} ${tookMs}`, told: {} };
    contents = current;
    void control(`/requests/${id}`)
      .then(async (response) => Object.assign(current, { told: await response.json() }))
      .then(drawAgain, () => {});
  }
  const { query, headers, body, answer } = contents.told ?? {};
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
