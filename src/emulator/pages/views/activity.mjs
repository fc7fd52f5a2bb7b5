// @ts-check
/**
 * Requests of programs: in runs, and one request in whole. A run is a guess, because no request names a
 * deployment: same key, program and command, without a gap of more than three seconds.
 *
 * @typedef {import("./control.mjs").Row} Row
 */

import { byId, draw, html } from "../elements.mjs";
import { chosen, detailsOf, read, redraw, rowsOf, settings, wanted } from "./control.mjs";
import { effectOf, failNext } from "./faults.mjs";
import { button } from "./forms.mjs";
import { linkTo, nameOf, touched } from "./kinds.mjs";
import { command, empty, heading, json, levelOf, line, noneFits, pairs, statusOf } from "./parts.mjs";
import { firstSteps } from "./stacks.mjs";

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
  return fault && (effects.get(fault) ?? "was changed by a removed fault");
}

/** A path, which breaks after a slash. @param {string} path */
const broken = (path) => path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`);

/** The runs. Beside the filter, the segments have their numbers of requests. */
export function activity() {
  const buttons = Object.entries(segments).map(([segment, fits]) => {
    const choose = () => redraw({ segment });
    const isOn = segment === chosen.segment;
    return html`<button type="button" class=${isOn && "main"} aria-pressed=${`${isOn}`} @click=${choose}>${segment} ${rowsOf("requests").filter(fits).length}</button>`;
  });
  draw(byId("segments"), buttons);
  const fits = (/** @type {Row} */ request) =>
    segments[chosen.segment]?.(request) && wordsOf(request).includes(wanted());
  const runs = runsOf(rowsOf("requests")).filter((run) => run.some(fits));
  if (runs.length > 0 || rowsOf("requests").length > 0) {
    return runs.length > 0 ? runs.map((run) => card(run, run.filter(fits))) : noneFits("request");
  }
  const text = "Run this in the shell of your program. Its requests appear here at once.";
  return empty("No requests yet", text, firstSteps(settings()));
}

/** @param {Row} request */
function wordsOf(request) {
  const { method, path, status, requestId, apiKeyId, program } = request;
  const words = [method, path, status ?? "no response", requestId, nameOf("apiKeys", apiKeyId), program];
  return [...words, touched(request)?.name, faultOf(request)].join(" ").toLowerCase();
}

/** Runs and their requests, the newest first. @param {readonly Row[]} requests */
function runsOf(requests) {
  /** @type {Row[][]} */
  const runs = [];
  for (const request of requests) {
    const { time, apiKeyId, program } = request;
    const run = runs.findLast(([newest]) => newest?.apiKeyId === apiKeyId && newest?.program === program);
    const gapMs = Date.parse(run?.at(-1)?.time) - Date.parse(time);
    if (run && gapMs >= 0 && gapMs <= runGapMs) {
      run.push(request);
    } else {
      runs.push([request]);
    }
  }
  return runs;
}

/** A run, with the rows that fit the filter. @param {readonly Row[]} run @param {readonly Row[]} rows */
function card(run, rows) {
  const [last = {}, first = last] = [run[0], run.at(-1)];
  const startMs = Date.parse(first.time);
  const seconds = (Date.parse(last.time) + (last.tookMs ?? 0) - startMs) / 1000;
  const key = `key ${nameOf("apiKeys", first.apiKeyId) || "unknown"}`;
  const about = [first.time.slice(11, 19), `${seconds.toFixed(1)} s`, key, nameOf("projects", last.project)];
  const number = (/** @type {(request: Row) => unknown} */ fits) => run.filter(fits).length;
  const created = number((request) => touched(request)?.verb === "created");
  const tally = Object.entries({
    [run.length === 1 ? "request" : "requests"]: run.length,
    created,
    changed: number((request) => touched(request)?.verb) - created,
    refused: number((request) => levelOf(request) === "warn"),
    failed: number((request) => levelOf(request) === "bad"),
  }).filter(([, count]) => count > 0);
  const bars = run.slice(0, barsMax).toReversed();
  const counts = tally.map(([what, count]) => html`<span class=${levels[what]}>${count} ${what}</span> `);
  const told = tally.map(([what, count]) => `${count} ${what}`).join(", ");
  // The run that loses its oldest request stays the same element.
  const id = first === rowsOf("requests").at(-1) ? "oldest" : first.requestId;
  return html`<section class="list" data-key=${id} aria-label=${programOf(first)}>
    <header><span class="strip" role="img" aria-label=${told}>${bars.map((each) => html`<i class=${lookOf(each)}></i>`)}</span><h2>${programOf(first)}</h2>
      <p class="quiet">${about.filter(Boolean).join(" · ")}</p><p class="tally quiet">${counts}</p></header>
    <ol>${rows.map((request) => requestLine(request, startMs))}</ol></section>`;
}

/** Looks of what a tally counts. @type {Readonly<Record<string, string>>} */
const levels = { refused: "chip warn", failed: "chip bad" };

/** @param {Row} request */
const lookOf = (request) => `${isWrite(request) ? "write" : ""} ${levelOf(request)}`;

/** Command that the program names, else the program. @param {Row} request */
const programOf = ({ program }) =>
  /\(([a-z-]+(?: [a-z-]+)+)\)$/.exec(program ?? "")?.[1] ?? program?.split(" ")[0] ?? "unknown program";

/** @param {Row} request @param {number} startMs */
function requestLine(request, startMs) {
  const { requestId, time, method, path } = request;
  const object = touched(request);
  const fault = faultOf(request);
  const done = object?.verb && [!path.includes(object.name) && `${object.name} · `, object.verb];
  const inside = html`<span class="at quiet">+${((Date.parse(time) - startMs) / 1000).toFixed(2)} s</span><span class="method ${isWrite(request) ? "good" : "quiet"}">${method}</span>
    <span class="what"><code>${broken(path)}</code>${fault ? html`<b class="bad">fault: ${fault}</b>` : done && html`<span class="quiet">${done}</span>`}</span>${statusOf(request)}`;
  return line(`request ${lookOf(request)}`, `activity/${requestId}`, inside);
}

const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a command, with the key of the shell. @param {Row} request @param {Row} contents */
function curlOf({ method, path }, { query = "", headers, body }) {
  const search = `${new URLSearchParams(query)}`;
  const kept = Object.entries(headers).filter(([name]) => /^(content-type|x-kernel-project)/.test(name));
  const data =
    body === undefined ? [] : ["-d", quoted(typeof body === "string" ? body : JSON.stringify(body))];
  const lines = kept.flatMap(([name, value]) => ["-H", quoted(`${name}: ${value}`)]);
  const key = '-H "authorization: Bearer $BROWSER_INFRA_API_KEY"';
  return [
    "curl -X",
    method,
    quoted(location.origin + path + (search && `?${search}`)),
    key,
    ...lines,
    ...data,
  ].join(" ");
}

/** @param {string} id */
export function requestDetails(id) {
  const head = (/** @type {any} */ title) => heading("activity", "Activity", title);
  const request = rowsOf("requests").find(({ requestId }) => requestId === id);
  if (!request) {
    return [head("It is gone"), html`<p class="quiet">The request was forgotten.</p>`];
  }
  const { method, path, time, status, tookMs, apiKeyId, project, program } = request;
  const { query, headers, body, answer } = detailsOf(id, `${tookMs}`, () => read(`/requests/${id}`));
  const object = touched(request);
  const fault = faultOf(request);
  const isLost = object?.verb === "created" && status === null;
  const lost = isLost && ` The service had done the work: ${object.name} was created.`;
  const link = object && [linkTo(object), object.verb && ` · ${object.verb}`];
  const took = tookMs === null ? "" : `, took ${tookMs} ms`;
  const message = (/** @type {string} */ title, /** @type {Row} */ shown, /** @type {unknown} */ inside) => [
    html`<h2>${title}</h2>`,
    pairs(Object.entries(shown).map(([name, value]) => [name, `${value}`])),
    inside !== undefined && json(`Body ${title.toLowerCase()}`, inside),
  ];
  const noResponse = tookMs !== null && headers && html`<p class="quiet">No response arrived.</p>`;
  return [
    head(html`<span class="mono">${method} ${broken(path)}</span>`),
    html`<p class="row">${statusOf(request)}${button("Fail the next one like it", () => failNext(method, path), "")}</p>`,
    fault && html`<p class="notice bad">A fault: the request ${fault}.${lost}</p>`,
    pairs([
      ["Object", link],
      ["Request id", html`<code>${id}</code>`],
      ["Time", `${time.slice(0, 10)} ${time.slice(11, 23)}${took}`],
      ["Key", nameOf("apiKeys", apiKeyId) || "no valid key"],
      ["Project", nameOf("projects", project)],
      ["Program", program],
      ["Query", `${new URLSearchParams(query)}`],
    ]),
    headers &&
      !/multipart/.test(headers["content-type"]) &&
      command(curlOf(request, { query, headers, body })),
    headers && message("Sent", headers, body),
    answer ? message("Answered", answer.headers, answer.body) : noResponse,
  ];
}
