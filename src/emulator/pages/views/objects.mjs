// @ts-check
/**
 * The objects of the emulator: lists, details, changes by hand, and logins.
 *
 * @typedef {import("./control.mjs").Row} Row
 */

import { html } from "../elements.mjs";
import { chosen, control, detailsOf, read, redraw, rowsOf, seen, wanted } from "./control.mjs";
import { askFirst, button, form, open, saveFile } from "./forms.mjs";
import { factsOf, kinds, nameIn, nameOf, oneOf, shownFacts, textOf, titleOf, touched } from "./kinds.mjs";
import { ago, chip, empty, folded, heading, json, line, noneFits, pairs, statusOf } from "./parts.mjs";
import { creation, driftSeen } from "./stacks.mjs";

/** Changes since the tab is open, by the addresses of the objects, the oldest first. @type {Map<string, { name: string, what: string[], at: number }>} */
const changes = new Map(JSON.parse(sessionStorage.getItem("emulator changes") ?? "[]"));
/** Most changes that a reload keeps. */
const keptMax = 100;

/** Notes the changes by a new list of a kind. @param {string} kind @param {readonly Row[]} before @param {readonly Row[]} after */
export function noteChanges(kind, before, after) {
  const [olds, news] = [before, after].map((rows) => new Map(rows.map((row) => [row.id, row])));
  for (const id of new Set([...before, ...after].toReversed().map((row) => row.id))) {
    const [old, row] = [olds?.get(id), news?.get(id)];
    const place = `objects/${kind}/${id}`;
    if (JSON.stringify(old) !== JSON.stringify(row)) {
      const what = row ? (old ? difference(kind, old, row) : ["created"]) : ["deleted"];
      changes.delete(place);
      changes.set(place, { name: nameIn(row ?? old), what, at: Date.now() });
    }
  }
  sessionStorage.setItem("emulator changes", JSON.stringify([...changes].slice(-keptMax)));
}

/** Label of the first fact that changed, as it was and as it is. @param {string} kind @param {Row} old @param {Row} row */
function difference(kind, old, row) {
  const is = new Map(factsOf(kind, row));
  const [label, was] = factsOf(kind, old).find(([label, text]) => text !== is.get(label)) ?? [];
  return label === undefined ? ["changed"] : [label, `${was}`, `${is.get(label)}`];
}

/** Change of an object in the last 15 seconds. @param {string} place Address of the object, or its beginning. */
export const freshChange = (place) =>
  [...changes].findLast(([key, { at }]) => key.startsWith(place) && Date.now() - at < 15_000)?.[1];

/** The last changes, the newest first. */
export function changedSide() {
  const newest = [...changes].toReversed().slice(0, 12);
  const rows = newest.map(([place, { name, what, at }]) => {
    const [label, was, is] = what;
    const values =
      is !== undefined && html`<del>${was || "none"}</del> → <b class="good">${is || "none"}</b>`;
    const inside = html`<b>${name}</b><span class="quiet">${ago(at)}</span>
      <span class="quiet">${oneOf(`${place.split("/")[1]}`)} ${label} ${values}</span>`;
    return line("change", place, inside);
  });
  const none = html`<p class="quiet">Nothing yet. What a request creates, changes or deletes appears here, as it was and as it is.</p>`;
  return html`<h2>Changed</h2>${rows.length > 0 ? html`<ol class="list">${rows}</ol>` : none}`;
}

/** @param {Row} row */
const projectOf = ({ projectId }) => (projectId ? nameOf("projects", projectId) : "");

/** @param {string | undefined} only Kind; undefined for all. */
export function objects(only) {
  const fits = (/** @type {Row} */ row) =>
    `${JSON.stringify(row)} ${projectOf(row)}`.toLowerCase().includes(wanted());
  const lists = (only ? [only] : Object.keys(kinds)).flatMap((kind) => {
    const rows = rowsOf(kind).filter(fits);
    const title = !only && html`<h2><a href="#objects/${kind}">${titleOf(kind)}</a></h2>`;
    const list = html`<ol class="list">${rows.map((row) => objectLine(kind, row))}</ol>`;
    return rows.length > 0 ? html`<section class="stack" data-key=${kind}>${title}${list}</section>` : [];
  });
  if (lists.length > 0 || !only || rowsOf(only).length > 0) {
    return [only && newObject(only), lists.length > 0 ? lists : noneFits(only ? oneOf(only) : "object")];
  }
  return [newObject(only), empty(`No ${oneOf(only)}`, ...creation(kinds[only]?.next))];
}

/** Button that closes a form. */
const cancel = () => button("Cancel", () => open(), "");

/** Makes an object of a kind in the default project, with the members that the kind needs. @param {string} kind */
function newObject(kind) {
  const { make } = /** @type {import("./kinds.mjs").Kind} */ (kinds[kind]);
  const path = `/${kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  const create = async (/** @type {Row} */ values) => {
    const { id } = await (await control(path, "POST", { ...make, ...values })).json();
    redraw({ opened: "" });
    location.hash = `objects/${kind}/${id}`;
  };
  const fields = Object.entries(make ?? {}).flatMap(([id, value]) =>
    typeof value === "object" ? [] : [{ id, type: typeof value, value }],
  );
  const opened = () => form("Create", fields, create, cancel());
  return make && (chosen.opened === "new" ? opened() : button(`New ${oneOf(kind)}…`, () => open("new")));
}

/** @param {string} kind @param {Row} row */
function objectLine(kind, row) {
  const place = `objects/${kind}/${row.id}`;
  const change = freshChange(place);
  const about = [projectOf(row), change && `changed ${ago(change.at)}`].filter(Boolean).join(" · ");
  const facts = shownFacts(kind, row).map(
    ([label, value]) => value !== "" && html`<span><span class="quiet">${label}</span> ${value}</span>`,
  );
  const inside = html`<span><b>${nameIn(row)}</b> <span class="quiet">${about}</span></span><span class="facts">${facts}</span>`;
  return line("object", place, inside);
}

/** Values of members with few values, the present value aside. @type {Readonly<Record<string, readonly string[]>>} */
const choices = { status: ["active", "archived"] };

/** @param {string} kind @param {string} id */
export function objectDetails(kind, id) {
  const { path, read: end = "", edit = "name" } = /** @type {import("./kinds.mjs").Kind} */ (kinds[kind]);
  const place = `objects/${kind}/${id}`;
  const row = rowsOf(kind).find((each) => each.id === id);
  const one = oneOf(kind);
  const head = (/** @type {any} */ title) => heading(`objects/${kind}`, titleOf(kind), title);
  const drift =
    chosen.changed === place && html`<div class="notice stack" role="status">${driftSeen(one)}</div>`;
  if (!row) {
    const name = changes.get(place)?.name;
    return name === undefined && seen.kinds[kind]?.more
      ? [head("Not among the newest"), html`<p class="quiet">The page has the newest 200 of a kind.</p>`]
      : [head("It is gone"), html`<p class="quiet">The ${one} ${name ?? id} does not exist.</p>`, drift];
  }
  const object = `/service${path}/${id}`;
  const project = path.startsWith("/org/") ? null : row.projectId;
  const { says, files, manifest } = detailsOf(place, JSON.stringify(row), async () => ({
    says: await read(object + end, project),
    ...(kind === "extensions" && (await read(`/extensions/${id}`))),
  }));
  const settings = { ...says, ...says?.browser_pool_config };
  const close = () => redraw({ opened: "", changed: place });
  const members = edit.split(" ").filter((member) => member in settings);
  const fields = members.map((id) => {
    const [value, others] = [settings[id], choices[id]];
    return { id, type: typeof value, value, options: others && [...new Set([value, ...others])] };
  });
  // The service has no operation that renames an extension.
  const [target, method] = kind === "extensions" ? [`/extensions/${id}/rename`, "POST"] : [object, "PATCH"];
  const save = (/** @type {Row} */ changed) => control(target, method, changed, project).then(close);
  const remove = () => control(object, "DELETE", undefined, project).then(close);
  const download = async () =>
    saveFile(await (await control(`/extensions/${id}/archive`)).blob(), `${row.name ?? id}.zip`);
  const actions = [
    edit !== "" && button(edit === "name" ? "Rename" : "Edit", () => open("edit")),
    kind === "browserPools" && button("Fill", () => control(`/browser_pools/${id}/fill`, "POST")),
    kind === "extensions" && button("Download", download),
  ];
  const requests = rowsOf("requests").filter((request) => touched(request)?.row === row);
  const lines = requests.slice(0, 20).map((request) => {
    const what = html`<code>${request.method} ${request.path}</code>`;
    return line("", `activity/${request.requestId}`, [statusOf(request), what]);
  });
  return [
    head(nameIn(row)),
    html`<p class="quiet">${one}${projectOf(row) && ` in ${projectOf(row)}`} <code>${id}</code></p>`,
    chosen.opened === "edit"
      ? form("Save", fields, save, cancel())
      : askFirst("Delete", `Delete ${nameIn(row)}?`, remove, actions),
    drift,
    pairs(shownFacts(kind, row)),
    kind === "authConnections" && loginPart(row),
    row.log?.length > 0 && json("Log", row.log.join("")),
    row.browsers?.length > 0 && browsersPart(row),
    files &&
      html`<h2>Files</h2>${pairs(files.map((/** @type {Row} */ file) => [file.path, textOf("sizeBytes", file)]))}`,
    manifest && folded("Manifest", manifest),
    folded("Record of the service", says),
    lines.length > 0 && html`<h2>Requests about it</h2><ol class="list">${lines}</ol>`,
  ];
}

/** @param {Row} pool */
function browsersPart({ id, browsers }) {
  const lines = browsers.map((/** @type {Row} */ { sessionId, acquiredAt }) => {
    const release = () => control(`/browser_pools/${id}/release`, "POST", { sessionId });
    return html`<li class="row" data-key=${sessionId}>${chip(acquiredAt ? "LEASED" : "READY")}<code>${acquiredAt ? html`<a href="#browsers/${sessionId}">${sessionId}</a>` : sessionId}</code>
      ${acquiredAt && button("Release", release, "act", `Release ${sessionId}`)}</li>`;
  });
  return html`<h2>Browsers</h2><ol class="list">${lines}</ol>`;
}

const scenarios =
  "password second-factor push single-sign-on wrong-password captcha expiry cancellation reauthentication";

/** The last login of a connection: the steps so far, with the form of the present step. @param {Row} connection */
function loginPart({ id, status, scenario, login }) {
  const call = (/** @type {string} */ method, /** @type {unknown} */ body = {}) =>
    control(`/auth_connections/${id}/${method}`, "POST", body);
  const options = [...new Set([scenario ?? "password", ...scenarios.split(" ")])];
  const start = (/** @type {Row} */ values) => call("set_scenario", values).then(() => call("start_login"));
  const signOut = () => call("record_health_check", { status: "NEEDS_AUTH" });
  const fields = [{ id: "scenario", label: "Scenario", options }];
  return html`<h2>Login ${login && chip(login.status)}</h2>
    ${login ? html`<ol class="steps">${login.steps.map((/** @type {Row} */ _, /** @type {number} */ at) => step(login, at, call))}</ol>` : html`<p class="quiet">None was started.</p>`}
    ${login?.status !== "IN_PROGRESS" && form(login ? "Start again" : "Start login", fields, start, status === "AUTHENTICATED" && button("Sign out", signOut))}`;
}

/** @param {Row} login @param {number} at @param {(method: string, body?: unknown) => Promise<unknown>} call */
function step({ steps, status, form: asked, hostedUrl, websiteError, errorMessage }, at, call) {
  const [{ step: name, atMs }, next] = [steps[at], steps[at + 1]];
  const isNow = !next && status === "IN_PROGRESS";
  const look = /^(FAILED|EXPIRED|CANCELED)$/.test(name) ? "bad" : "good";
  const choice = (/** @type {Row} */ { id, label }) => button(label, () => call("submit", { answer: id }));
  const answer = (/** @type {Row} */ values) => call("submit", { answer: values });
  const ways = [
    asked.choices.map(choice),
    name !== "AWAITING_INPUT" && button("Go on", () => call("proceed")),
    button("Cancel login", () => call("end_login", { status: "CANCELED" })),
    html`<a href=${hostedUrl} target="_blank" rel="noopener">Open its page (once)</a>`,
  ];
  const took = next ? `${((next.atMs - atMs) / 1000).toFixed(1)} s` : isNow && "now";
  return html`<li data-key="${at} ${name}" aria-current=${isNow && "step"}><b class=${look} aria-hidden="true">${isNow ? "◉" : "●"}</b><code>${name}</code><span class="quiet">${took}</span>
    ${!next && (errorMessage ?? websiteError) && html`<p class="bad">${errorMessage ?? websiteError}</p>`}${isNow && form("Submit", asked.fields, answer, ways)}</li>`;
}
