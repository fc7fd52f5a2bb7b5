// @ts-check
/**
 * The objects of the emulator: lists, details, changes by hand, and logins.
 *
 * @typedef {import("./control.mjs").Row} Row
 * @typedef {object} Kind
 * @property {string} title
 * @property {string} one Name of one object.
 * @property {string} path Path of the service's operations.
 * @property {string} [read] End of the path that reads an object, after the id.
 * @property {string} facts Members of a record, each after its word on the command line.
 * @property {string} edit Members that can be changed, as the service names the members.
 * @property {string} next Command that creates an object.
 */

import {
  ago,
  ask,
  button,
  chip,
  command,
  control,
  empty,
  json,
  nameIn,
  nameOf,
  pairs,
  rowsOf,
  saveFile,
  seen,
  statusOf,
  submitted,
} from "./control.mjs";
import { html } from "./elements.mjs";

const up = "npx browser-infra init my-browsers --up";

/** Kinds, by their names in the state: a new kind is one entry. @type {Readonly<Record<string, Kind>>} */
export const kinds = {
  projects: {
    ...{
      title: "Projects",
      one: "project",
      path: "/org/projects",
      next: "npx browser-infra projects create Staging",
    },
    ...{
      facts: "STATUS status SESSIONS limits.maxConcurrentSessions CREATED createdAt",
      edit: "name status",
    },
  },
  apiKeys: {
    ...{
      title: "API keys",
      one: "API key",
      path: "/org/api_keys",
      next: "npx browser-infra api-keys create ci",
    },
    ...{
      facts: "STATUS status KEY maskedKey EXPIRES expiresAt POLICY policy DELETED deletedAt",
      edit: "name",
    },
  },
  credentialProviders: {
    ...{
      title: "Credential providers",
      one: "credential provider",
      path: "/org/credential_providers",
      next: up,
    },
    ...{ facts: "ENABLED enabled PRIORITY priority CHANGED updatedAt", edit: "name enabled priority" },
  },
  extensions: {
    ...{ title: "Extensions", one: "extension", path: "/extensions", read: "/metadata", edit: "name" },
    ...{
      facts: "SIZE sizeBytes CHECKSUM checksum",
      next: "npx browser-infra extensions upload ./my-extension",
    },
  },
  browserPools: {
    ...{ title: "Browser pools", one: "browser pool", path: "/browser_pools", next: up },
    facts: "SIZE size READY availableCount LEASED acquiredCount",
    edit: "name size fill_rate_per_minute timeout_seconds stealth headless",
  },
  profiles: {
    ...{ title: "Profiles", one: "profile", path: "/profiles", next: up },
    ...{ facts: "CREATED createdAt CHANGED updatedAt", edit: "name" },
  },
  proxies: {
    ...{ title: "Proxies", one: "proxy", path: "/proxies", next: up },
    ...{ facts: "TYPE type STATUS status HOST config.host COUNTRY config.country", edit: "name" },
  },
  credentials: {
    ...{ title: "Credentials", one: "credential", path: "/credentials", next: up },
    ...{ facts: "DOMAIN domain VALUES valueNames CHANGED updatedAt", edit: "name" },
  },
  telemetryDestinations: {
    ...{ title: "Telemetry destinations", one: "telemetry destination", path: "/telemetry/destinations" },
    ...{
      facts: "ENDPOINT endpoint HEADERS headerNames FAILURES consecutiveFailures",
      edit: "name endpoint description",
      next: up,
    },
  },
  authConnections: {
    ...{ title: "Auth connections", one: "auth connection", path: "/auth/connections", next: up },
    ...{
      facts: "STATUS status PROFILE profileName LOGIN login.status",
      edit: "save_credentials health_check_interval",
    },
  },
};

const time = (/** @type {string} */ iso) => iso.slice(0, 16).replace("T", " ");

/** How a member is shown, where not as it is. @type {Readonly<Record<string, (value: any, row: Row) => any>>} */
const shownAs = {
  ...{
    createdAt: time,
    updatedAt: time,
    expiresAt: time,
    deletedAt: time,
    status: chip,
    "login.status": chip,
  },
  sizeBytes: (bytes) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`),
  checksum: (sha256) => sha256.slice(0, 12),
  valueNames: (names) => names.join(", "),
  policy: () => "limited",
};

/** @param {Row} row @param {string} member */
const valueOf = (row, member) =>
  member.split(".").reduce((/** @type {any} */ outer, part) => outer?.[part], row) ?? "";

/** Pairs of label and member. @param {string} kind */
const factsOf = (kind) =>
  (kinds[kind]?.facts ?? "")
    .split(/ (?=[A-Z])/)
    .map((fact) => /** @type {[string, string]} */ (fact.split(" ")));

/** Label and value of what a record has. @param {string} kind @param {Row} row @returns {[string, any][]} */
const shownFacts = (kind, row) =>
  factsOf(kind).flatMap(([label, member]) => {
    const value = valueOf(row, member);
    return value === "" ? [] : [[label, shownAs[member]?.(value, row) ?? value]];
  });

/** @param {string} kind @param {Row} row */
export const linkTo = (kind, row) => html`<a href="#objects/${kind}/${row.id}">${nameIn(row)}</a>`;

/**
 * Objects that changed since the page is open, by kind and id, the oldest first.
 *
 * @type {Map<string, { key: string, kind: string, id: string, name: string, what: string[], at: number }>}
 */
const changes = new Map();

/** Notes what a new list of a kind changes. @param {string} kind @param {readonly Row[]} before @param {readonly Row[]} after */
export function noteChanges(kind, before, after) {
  const known = new Map(before.map((row) => [row.id, row]));
  const note = (/** @type {Row} */ row, /** @type {string[]} */ what) => {
    const key = `${kind}/${row.id}`;
    changes.delete(key);
    changes.set(key, { key, kind, id: row.id, name: nameIn(row), what, at: Date.now() });
  };
  for (const row of after.toReversed()) {
    const old = known.get(row.id);
    known.delete(row.id);
    if (old === undefined) {
      note(row, ["created"]);
    } else if (JSON.stringify(old) !== JSON.stringify(row)) {
      const values = [["NAME", "name"], ...factsOf(kind)].map(([label = "", member = ""]) => [
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

/** Change of a kind, or of an object, in the last 15 seconds. @param {string} kind @param {string} [id] */
export const freshChange = (kind, id) =>
  [...changes.values()].findLast(
    (each) => each.kind === kind && (id ?? each.id) === each.id && Date.now() - each.at < 15_000,
  );

/** What changed last, the newest first. */
export function changedSide() {
  const rows = [...changes.values()]
    .toReversed()
    .slice(0, 12)
    .map(({ key, kind, name, what: [label = "", was, is], at }) => {
      const told =
        is === undefined
          ? label
          : html`<span class="label">${label}</span> <del>${was || "none"}</del> → <ins>${is || "none"}</ins>`;
      return html`<li data-key=${key}><a class="change" href="#objects/${key}"><b>${name}</b><span class="quiet">${ago(at)}</span>
      <span class="quiet">${kinds[kind]?.one} ${told}</span></a></li>`;
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

/** @param {string | undefined} only @param {string} text @param {string | undefined} opened @param {() => void} showAll */
export function objects(only, text, opened, showAll) {
  const lists = Object.entries(kinds).map(([kind, { title, one, next }]) => {
    const rows = rowsOf(kind).filter((row) =>
      `${JSON.stringify(row)} ${projectOf(row)}`.toLowerCase().includes(text.toLowerCase()),
    );
    if ((only ?? kind) !== kind || (!only && rows.length === 0)) {
      return false;
    }
    const none =
      rowsOf(kind).length > 0
        ? empty(`No ${one} fits`, `There is none with “${text}”.`, button("Show all", showAll, ""))
        : empty(`No ${one}`, "A program creates one, or this command:", command(next));
    return html`<section class="stack" data-key=${kind}>${!only && html`<h2><a href="#objects/${kind}">${title}</a></h2>`}
      ${rows.length > 0 ? html`<ol class="list">${rows.map((row) => line(kind, row, opened))}</ol>` : none}</section>`;
  });
  return lists.some(Boolean)
    ? lists
    : empty("No object fits", `There is none with “${text}”.`, button("Show all", showAll, ""));
}

/** @param {Row} row */
const projectOf = ({ projectId }) => (projectId ? nameOf("projects", projectId) : "");

/** @param {string} kind @param {Row} row @param {string | undefined} opened */
function line(kind, row, opened) {
  const change = freshChange(kind, row.id);
  const about = [projectOf(row), change && `changed ${ago(change.at)}`].filter(Boolean).join(" · ");
  const facts = shownFacts(kind, row).map(
    ([label, value]) => html`<span><span class="label">${label}</span> ${value}</span>`,
  );
  return html`<li data-key=${row.id}><a class="line object" href="#objects/${kind}/${row.id}" aria-current=${opened === row.id && "true"}>
    <span><b>${nameIn(row)}</b> <span class="quiet">${about}</span></span><span class="facts">${facts}</span></a></li>`;
}

/** The open details: what a person does there, and what the service says. */
let open = { key: "", mode: "", isChanged: false, version: "", told: /** @type {Row} */ ({}) };

/** Closes the form of the details. False if none is open. */
export function closeForm() {
  const isOpen = open.mode !== "";
  open.mode = "";
  return isOpen;
}

/** @param {string} kind @param {string} id @param {() => void} drawAgain */
export function objectDetails(kind, id, drawAgain) {
  const { title, one, path, read = "", edit = "" } = /** @type {Kind} */ (kinds[kind]);
  const row = rowsOf(kind).find((each) => each.id === id);
  if (open.key !== `${kind}/${id}`) {
    open = { key: `${kind}/${id}`, mode: "", isChanged: false, version: "", told: {} };
  }
  const back = html`<a href="#objects/${kind}">← ${title}</a>`;
  const drift =
    open.isChanged &&
    html`<div class="notice stack" role="status"><p>Changed here, not by a program. A stack with the ${one} sees the drift:</p>${command("npx browser-infra drift")}</div>`;
  if (!row) {
    const { name = id } = changes.get(open.key) ?? {};
    const isOlder = name === id && seen.kinds[kind]?.more;
    return [
      back,
      html`<h1 tabindex="-1">${isOlder ? "Not among the newest" : "It is gone"}</h1>
      <p class="quiet">${isOlder ? "The page has the newest 200 of a kind." : `The ${one} ${name} does not exist.`}</p>`,
      drift,
    ];
  }
  const service = (/** @type {string} */ method, end = "", /** @type {unknown} */ body = undefined) =>
    control(`/service${path}/${id}${end}`, method, body, path.startsWith("/org/") ? null : row.projectId);
  if (open.version !== JSON.stringify(row)) {
    open.version = JSON.stringify(row);
    const current = open;
    const archive = kind === "extensions" && control(`/extensions/${id}`).then((response) => response.json());
    void Promise.all([service("GET", read).then((response) => response.json()), archive])
      .then(([says, { files, manifest } = {}]) => Object.assign(current.told, { says, files, manifest }))
      .then(drawAgain, () => {});
  }
  const set = (/** @type {string} */ mode, isChanged = open.isChanged) => {
    Object.assign(open, { mode, isChanged });
    drawAgain();
    /** @type {HTMLElement | null} */ (
      document.querySelector("#side :is(form[data-key=edit] input, .keep)")
    )?.focus();
  };
  const { says = {}, files, manifest } = open.told;
  const settings = { ...says, ...says.browser_pool_config };
  const members = edit.split(" ").filter((member) => member in settings);
  const save = submitted(async (made) => {
    const inputs = /** @type {HTMLInputElement[]} */ ([...made.querySelectorAll("input")]);
    const values = inputs.map(({ name, type, checked, value }) => [
      name,
      type === "checkbox" ? checked : type === "number" ? Number(value) : value,
    ]);
    const changed = Object.fromEntries(values.filter(([name, value]) => value !== settings[`${name}`]));
    // The service has no operation that renames an extension.
    await (kind === "extensions"
      ? control(`/extensions/${id}/rename`, "POST", changed)
      : service("PATCH", "", changed));
    set("", true);
  });
  const remove = async () => {
    await service("DELETE");
    set("", true);
  };
  const download = async () =>
    saveFile(await (await control(`/extensions/${id}/archive`)).blob(), `${row.name ?? id}.zip`);
  const editor = html`<form class="stack" data-key="edit" @submit=${save}>${members.map((member) => inputFor(member, settings[member]))}
    <div class="row"><button class="main act">Save</button>${button("Cancel", () => set(""), "")}</div></form>`;
  const actions = html`<div class="row">${button(edit === "name" ? "Rename" : "Edit", () => set("edit"))}
    ${kind === "browserPools" && button("Fill", () => control(`/browser_pools/${id}/fill`, "POST"))}
    ${kind === "extensions" && button("Download", download)}${button("Delete…", () => set("delete"), "act danger")}</div>`;
  const requests = rowsOf("requests")
    .filter((request) => touched(request)?.row === row)
    .slice(0, 20);
  return [
    back,
    html`<div><p class="label">${one}${projectOf(row) && ` in ${projectOf(row)}`}</p><h1 tabindex="-1">${nameIn(row)}</h1><code class="quiet">${id}</code></div>`,
    open.mode === "delete"
      ? ask(`Delete ${nameIn(row)}?`, "Delete", remove, () => set(""))
      : open.mode === "edit"
        ? editor
        : actions,
    drift,
    pairs(shownFacts(kind, row)),
    kind === "authConnections" && loginPart(row),
    row.browsers?.length > 0 && browsersPart(row),
    files && [
      html`<h2>Files</h2>`,
      pairs(files.map((/** @type {Row} */ file) => [file.path, shownAs.sizeBytes?.(file.sizeBytes, file)])),
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
