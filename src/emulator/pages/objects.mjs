// @ts-check
/**
 * The objects of the emulator: lists, details, changes by hand, and logins.
 *
 * @typedef {import("./control.mjs").Row} Row
 * @typedef {object} Kind
 * @property {string} title
 * @property {string} path Path of the service's operations.
 * @property {string} [read] End of the path that reads an object, after the id.
 * @property {Readonly<Record<string, string>>} facts Members of a record, by their words on the command line.
 * @property {string} [edit] Members that can be changed, as the service names the members. Default: the name.
 * @property {string} [next] Command that creates an object. Default: a stack with every kind.
 */

import {
  ago,
  askFirst,
  button,
  chip,
  command,
  control,
  detailsOf,
  empty,
  filter,
  isOpen,
  json,
  nameIn,
  nameOf,
  noneFits,
  open,
  pairs,
  read,
  rowsOf,
  saveFile,
  seen,
  statusOf,
  submitted,
} from "./control.mjs";
import { html } from "./elements.mjs";

/** Kinds, by their names in the state: a new kind is one entry. @type {Readonly<Record<string, Kind>>} */
export const kinds = {
  projects: {
    title: "Projects",
    path: "/org/projects",
    facts: { STATUS: "status", SESSIONS: "limits.maxConcurrentSessions", CREATED: "createdAt" },
    edit: "name status",
    next: "npx browser-infra projects create Staging",
  },
  apiKeys: {
    title: "API keys",
    path: "/org/api_keys",
    facts: {
      STATUS: "status",
      KEY: "maskedKey",
      EXPIRES: "expiresAt",
      POLICY: "policy",
      DELETED: "deletedAt",
    },
    next: "npx browser-infra api-keys create ci",
  },
  credentialProviders: {
    title: "Credential providers",
    path: "/org/credential_providers",
    facts: { ENABLED: "enabled", PRIORITY: "priority", CHANGED: "updatedAt" },
    edit: "name enabled priority",
  },
  extensions: {
    title: "Extensions",
    path: "/extensions",
    read: "/metadata",
    facts: { SIZE: "sizeBytes", CHECKSUM: "checksum" },
    next: "npx browser-infra extensions upload ./my-extension",
  },
  browserPools: {
    title: "Browser pools",
    path: "/browser_pools",
    facts: { SIZE: "size", READY: "availableCount", LEASED: "acquiredCount" },
    edit: "name size fill_rate_per_minute timeout_seconds stealth headless",
  },
  profiles: { title: "Profiles", path: "/profiles", facts: { CREATED: "createdAt", CHANGED: "updatedAt" } },
  proxies: {
    title: "Proxies",
    path: "/proxies",
    facts: { TYPE: "type", STATUS: "status", HOST: "config.host", COUNTRY: "config.country" },
  },
  credentials: {
    title: "Credentials",
    path: "/credentials",
    facts: { DOMAIN: "domain", VALUES: "valueNames", CHANGED: "updatedAt" },
  },
  telemetryDestinations: {
    title: "Telemetry destinations",
    path: "/telemetry/destinations",
    facts: { ENDPOINT: "endpoint", HEADERS: "headerNames", FAILURES: "consecutiveFailures" },
    edit: "name endpoint description",
  },
  authConnections: {
    title: "Auth connections",
    path: "/auth/connections",
    facts: { STATUS: "status", PROFILE: "profileName", LOGIN: "login.status" },
    edit: "save_credentials health_check_interval",
  },
};

/** Name of one object of a kind: "API key", "proxy". @param {string} kind */
const oneOf = (kind) =>
  `${kinds[kind]?.title}`
    .replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())
    .replace(/(ies|s)$/, (end) => (end === "ies" ? "y" : ""));

/** How a member is shown, where not as it is. @type {Readonly<Record<string, (value: any) => any>>} */
const shownAs = {
  status: chip,
  "login.status": chip,
  sizeBytes: (bytes) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`),
  checksum: (sha256) => sha256.slice(0, 12),
  policy: () => "limited",
};

/** @param {Row} row @param {string} member */
const valueOf = (row, member) =>
  member.split(".").reduce((/** @type {any} */ outer, part) => outer?.[part], row) ?? "";

/** Label and value of what a record has. @param {string} kind @param {Row} row @returns {[string, any][]} */
const factsOf = (kind, row) =>
  Object.entries(kinds[kind]?.facts ?? {}).flatMap(([label, member]) => {
    const value = valueOf(row, member);
    return value === "" ? [] : [[label, shownValue(member, value)]];
  });

/** @param {string} member @param {any} value */
function shownValue(member, value) {
  if (member.endsWith("At")) {
    return value.slice(0, 16).replace("T", " ");
  }
  return Array.isArray(value) ? value.join(", ") : (shownAs[member]?.(value) ?? value);
}

/** @param {string} kind @param {Row} row */
export const linkTo = (kind, row) => html`<a href="#objects/${kind}/${row.id}">${nameIn(row)}</a>`;

/** Changes since the page is open, by kind and id, the oldest first. @type {Map<string, { name: string, what: string[], at: number }>} */
const changes = new Map();

/** Notes what a new list of a kind changes. @param {string} kind @param {readonly Row[]} before @param {readonly Row[]} after */
export function noteChanges(kind, before, after) {
  const known = new Map(before.map((row) => [row.id, row]));
  const note = (/** @type {Row} */ row, /** @type {string[]} */ what) => {
    const key = `${kind}/${row.id}`;
    changes.delete(key);
    changes.set(key, { name: nameIn(row), what, at: Date.now() });
  };
  for (const row of after.toReversed()) {
    const old = known.get(row.id);
    known.delete(row.id);
    if (old === undefined) {
      note(row, ["created"]);
    } else if (JSON.stringify(old) !== JSON.stringify(row)) {
      const values = Object.entries({ NAME: "name", ...kinds[kind]?.facts }).map(([label, member]) => [
        label,
        `${valueOf(old, member)}`,
        `${valueOf(row, member)}`,
      ]);
      note(row, values.find(([, was, is]) => was !== is) ?? ["changed"]);
    }
  }
  for (const row of known.values()) {
    note(row, ["deleted"]);
  }
}

/** Change of an object in the last 15 seconds. @param {string} place Kind, slash and id; the id is left out for any object. */
export const freshChange = (place) =>
  [...changes].findLast(([key, { at }]) => key.startsWith(place) && Date.now() - at < 15_000)?.[1];

/** What changed last, the newest first. */
export function changedSide() {
  const rows = [...changes]
    .toReversed()
    .slice(0, 12)
    .map(([key, { name, what, at }]) => {
      const [label = "", was, is] = what;
      const told =
        is === undefined
          ? label
          : html`<span class="label">${label}</span> <del>${was || "none"}</del> → <ins>${is || "none"}</ins>`;
      return html`<li data-key=${key}><a class="change" href="#objects/${key}"><b>${name}</b><span class="quiet">${ago(at)}</span>
      <span class="quiet">${oneOf(`${key.split("/")[0]}`)} ${told}</span></a></li>`;
    });
  const none =
    "Nothing yet. What a request creates, changes or deletes appears here, as it was and as it is.";
  return html`<h2>Changed</h2>${rows.length > 0 ? html`<ol>${rows}</ol>` : html`<p class="quiet">${none}</p>`}`;
}

/** Object of a request, and what the request did to the object. @param {Row} request */
export function touched({ method, path, status, createdId }) {
  const [kind = "", { path: list = "" } = {}] =
    Object.entries(kinds).find(([, each]) => `${path}/`.startsWith(`${each.path}/`)) ?? [];
  const [named = ""] = path.slice(list.length + 1).split("/");
  const wanted = createdId ?? (/%(?![0-9a-f]{2})/i.test(named) ? named : decodeURI(named));
  const row = rowsOf(kind).find(({ id, name }) => id === wanted || name === wanted);
  const isDone = status !== null && status < 400;
  const verbs = /** @type {Row} */ ({ POST: "changed", PATCH: "changed", PUT: "changed", DELETE: "deleted" });
  const verb = createdId ? "created" : (isDone && verbs[method]) || "";
  return kind === "" || wanted === "" ? undefined : { kind, row, name: nameIn(row) ?? wanted, verb };
}

/** @param {string | undefined} only Kind; undefined for all. @param {string | undefined} opened Id. */
export function objects(only, opened) {
  const lists = Object.entries(kinds).map(
    ([kind, { title, next = "npx browser-infra init my-browsers --up" }]) => {
      const rows = rowsOf(kind).filter((row) =>
        `${JSON.stringify(row)} ${projectOf(row)}`.toLowerCase().includes(filter.text),
      );
      if ((only ?? kind) !== kind || (!only && rows.length === 0)) {
        return false;
      }
      const one = oneOf(kind);
      const none =
        rowsOf(kind).length > 0
          ? noneFits(one)
          : empty(`No ${one}`, "A program creates one, or this command:", command(next));
      return html`<section class="stack" data-key=${kind}>${!only && html`<h2><a href="#objects/${kind}">${title}</a></h2>`}
      ${rows.length > 0 ? html`<ol class="list">${rows.map((row) => line(kind, row, opened))}</ol>` : none}</section>`;
    },
  );
  return lists.some(Boolean) ? lists : noneFits("object");
}

/** @param {Row} row */
const projectOf = ({ projectId }) => (projectId ? nameOf("projects", projectId) : "");

/** @param {string} kind @param {Row} row @param {string | undefined} opened */
function line(kind, row, opened) {
  const change = freshChange(`${kind}/${row.id}`);
  const about = [projectOf(row), change && `changed ${ago(change.at)}`].filter(Boolean).join(" · ");
  const facts = factsOf(kind, row).map(
    ([label, value]) => html`<span><span class="label">${label}</span> ${value}</span>`,
  );
  return html`<li data-key=${row.id}><a class="line object" href="#objects/${kind}/${row.id}" aria-current=${opened === row.id && "true"}>
    <span><b>${nameIn(row)}</b> <span class="quiet">${about}</span></span><span class="facts">${facts}</span></a></li>`;
}

/** Kind and id of what a person changed last, here. */
let changedHere = "";

/** @param {string} kind @param {string} id */
export function objectDetails(kind, id) {
  const { title, path, read: end = "", edit = "name" } = /** @type {Kind} */ (kinds[kind]);
  const key = `${kind}/${id}`;
  const one = oneOf(kind);
  const row = rowsOf(kind).find((each) => each.id === id);
  const back = html`<a href="#objects/${kind}">← ${title}</a>`;
  const drift =
    changedHere === key &&
    html`<div class="notice stack" role="status"><p>Changed here, not by a program. A stack with the ${one} sees the drift:</p>${command("npx browser-infra drift")}</div>`;
  if (!row) {
    const name = changes.get(key)?.name;
    const [heading, text] =
      name === undefined && seen.kinds[kind]?.more
        ? ["Not among the newest", "The page has the newest 200 of a kind."]
        : ["It is gone", `The ${one} ${name ?? id} does not exist.`];
    return [back, html`<h1 tabindex="-1">${heading}</h1><p class="quiet">${text}</p>`, drift];
  }
  const object = `/service${path}/${id}`;
  const project = path.startsWith("/org/") ? null : row.projectId;
  const { says, files, manifest } = detailsOf(key, JSON.stringify(row), async () => ({
    says: await read(object + end, project),
    ...(kind === "extensions" && (await read(`/extensions/${id}`))),
  }));
  const settings = { ...says, ...says?.browser_pool_config };
  const close = () => {
    changedHere = key;
    open();
  };
  const save = submitted(async (form) => {
    const inputs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input")]);
    const values = inputs.map(({ name, type, checked, value }) => [
      name,
      type === "checkbox" ? checked : type === "number" ? Number(value) : value,
    ]);
    const changed = Object.fromEntries(values.filter(([name, value]) => value !== settings[`${name}`]));
    // The service has no operation that renames an extension.
    await (kind === "extensions"
      ? control(`/extensions/${id}/rename`, "POST", changed)
      : control(object, "PATCH", changed, project));
    close();
  });
  const remove = () => control(object, "DELETE", undefined, project).then(close);
  const download = async () =>
    saveFile(await (await control(`/extensions/${id}/archive`)).blob(), `${row.name ?? id}.zip`);
  const members = edit.split(" ").filter((member) => member in settings);
  const editor = html`<form class="stack" data-key="edit" @submit=${save}>${members.map((member) => inputFor(member, settings[member]))}
    <div class="row"><button class="main act">Save</button>${button("Cancel", () => open(), "")}</div></form>`;
  const actions = askFirst("Delete", `Delete ${nameIn(row)}?`, remove, [
    button(edit === "name" ? "Rename" : "Edit", () => open("edit")),
    kind === "browserPools" && button("Fill", () => control(`/browser_pools/${id}/fill`, "POST")),
    kind === "extensions" && button("Download", download),
  ]);
  const requests = rowsOf("requests")
    .filter((request) => touched(request)?.row === row)
    .slice(0, 20);
  return [
    back,
    html`<div><p class="label">${one}${projectOf(row) && ` in ${projectOf(row)}`}</p><h1 tabindex="-1">${nameIn(row)}</h1><code class="quiet">${id}</code></div>`,
    isOpen("edit") ? editor : actions,
    drift,
    pairs(factsOf(kind, row)),
    kind === "authConnections" && loginPart(row),
    row.browsers?.length > 0 && browsersPart(row),
    files && [
      html`<h2>Files</h2>`,
      pairs(files.map((/** @type {Row} */ file) => [file.path, shownValue("sizeBytes", file.sizeBytes)])),
    ],
    manifest && html`<details><summary>Manifest</summary>${json("Manifest", manifest)}</details>`,
    html`<details><summary>What the service says</summary>${json("What the service says", says)}</details>`,
    requests.length > 0 &&
      html`<h2>Requests about it</h2><ol>${requests.map(
        (request) => html`<li class="row" data-key=${request.requestId}>
      ${statusOf(request)}<a class="mono" href="#activity/${request.requestId}">${request.method} ${request.path}</a></li>`,
      )}</ol>`,
  ];
}

/** @param {string} member @param {unknown} value */
const inputFor = (member, value) =>
  typeof value === "boolean"
    ? html`<label class="row"><input type="checkbox" name=${member} checked=${value}> ${member}</label>`
    : html`<label class="field"><span>${member}</span><input name=${member} type=${typeof value} value=${value} autocomplete="off"></label>`;

/** @param {Row} pool */
function browsersPart({ id, browsers }) {
  const lines = browsers.map((/** @type {Row} */ { sessionId, acquiredAt }) => {
    const release = () => control(`/browser_pools/${id}/release`, "POST", { sessionId });
    return html`<li class="row" data-key=${sessionId}>${chip(acquiredAt ? "LEASED" : "READY")}<code>${sessionId}</code>
      ${acquiredAt && button("Release", release, "act", `Release ${sessionId}`)}</li>`;
  });
  return html`<h2>Browsers</h2><ol>${lines}</ol>`;
}

const scenarios =
  "password second-factor push single-sign-on wrong-password captcha expiry cancellation reauthentication";

/** The last login of a connection: the steps so far, with the form of the present step. @param {Row} connection */
function loginPart({ id, status, scenario, login }) {
  const call = (/** @type {string} */ method, /** @type {unknown} */ body = {}) =>
    control(`/auth_connections/${id}/${method}`, "POST", body);
  const names = new Set([scenario ?? "password", ...scenarios.split(" ")]);
  const start = submitted(async (made) => {
    await call("set_scenario", { scenario: new FormData(made).get("scenario") });
    await call("start_login");
  });
  const starter = html`<form class="stack" data-key="start" @submit=${start}><label class="field"><span>Scenario</span>
      <select name="scenario">${[...names].map((name) => html`<option>${name}</option>`)}</select></label>
    <div class="row"><button class="main act">${login ? "Start again" : "Start login"}</button>
      ${status === "AUTHENTICATED" && button("Sign out", () => call("record_health_check", { status: "NEEDS_AUTH" }))}</div></form>`;
  return html`<h2>Login ${login && chip(login.status)}</h2>
    ${login ? html`<ol class="steps">${login.steps.map((/** @type {Row} */ _, /** @type {number} */ at) => step(login, at, call))}</ol>` : html`<p class="quiet">None was started.</p>`}
    ${login?.status !== "IN_PROGRESS" && starter}`;
}

/** @param {Row} login @param {number} at @param {(method: string, body?: unknown) => Promise<unknown>} call */
function step({ steps, status, form, hostedUrl, websiteError, errorMessage }, at, call) {
  const [{ step: name, atMs }, next] = [steps[at], steps[at + 1]];
  const isNow = !next && status === "IN_PROGRESS";
  const look = isNow ? "now" : /^(FAILED|EXPIRED|CANCELED)$/.test(name) ? "failed" : "done";
  const answer = submitted((made) => call("submit", { answer: Object.fromEntries(new FormData(made)) }));
  const fields = form.fields.map(
    (/** @type {Row} */ { id, type, label, hint = "" }) =>
      html`<label class="field"><span>${label}</span><input name=${id} type=${type === "password" ? type : "text"} autocomplete="off"><span class="quiet">${hint}</span></label>`,
  );
  const choices = form.choices.map((/** @type {Row} */ { id, label }) =>
    button(label, () => call("submit", { answer: id })),
  );
  const now =
    isNow &&
    html`<form class="stack" @submit=${answer}>${fields}<div class="row">${choices}
    ${fields.length > 0 && html`<button class="main act">Submit</button>`}${name !== "AWAITING_INPUT" && button("Go on", () => call("proceed"))}
    ${button("Cancel login", () => call("end_login", { status: "CANCELED" }))}</div>
    <a href=${hostedUrl} target="_blank" rel="noopener">Open its page (once)</a></form>`;
  const took = next ? `${((next.atMs - atMs) / 1000).toFixed(1)} s` : isNow && "now";
  return html`<li class=${look} data-key="${at} ${name}" aria-current=${isNow && "step"}><code>${name}</code><span class="quiet">${took}</span>
    ${!next && (errorMessage ?? websiteError) && html`<p class="s5">${errorMessage ?? websiteError}</p>`}${now}</li>`;
}
