// @ts-check
/**
 * Kinds of objects, the facts about an object of each kind, and the object of a request.
 *
 * @typedef {import("./control.mjs").Row} Row
 * @typedef {object} Kind
 * @property {string} path Path of the service's operations.
 * @property {string} [read] End of the path that reads an object, after the id.
 * @property {string} facts Words of the command line, each with a member of a record.
 * @property {string} [edit] Members that can be changed, as the service names the members. Default: the name.
 * @property {Readonly<Row>} [make] Members that a new object needs, with first values. Default: no object is made here.
 * @property {string} [next] Command that creates an object. Default: a stack with every kind.
 */

import { html } from "../elements.mjs";
import { rowsOf } from "./control.mjs";
import { chip } from "./parts.mjs";

/** Kinds, by their names in the state: a new kind is one entry. @type {Readonly<Record<string, Kind>>} */
export const kinds = {
  projects: {
    path: "/org/projects",
    facts: "STATUS status, SESSIONS limits.maxConcurrentSessions, CREATED createdAt",
    edit: "name status",
    make: { name: "" },
    next: "projects create Staging",
  },
  apiKeys: {
    path: "/org/api_keys",
    facts: "STATUS status, KEY maskedKey, EXPIRES expiresAt, POLICY policy, DELETED deletedAt",
    make: { name: "" },
    next: "api-keys create ci",
  },
  credentialProviders: {
    path: "/org/credential_providers",
    facts: "ENABLED enabled, PRIORITY priority, CHANGED updatedAt",
    edit: "name enabled priority",
    make: { name: "", token: "ops_" },
  },
  extensions: {
    path: "/extensions",
    read: "/metadata",
    facts: "SIZE sizeBytes, CHECKSUM checksum",
    next: "extensions upload ./my-extension",
  },
  browserPools: {
    path: "/browser_pools",
    facts: "SIZE size, READY availableCount, LEASED acquiredCount",
    edit: "name size fill_rate_per_minute timeout_seconds stealth headless",
    make: { name: "", size: 1 },
  },
  profiles: { path: "/profiles", facts: "CREATED createdAt, CHANGED updatedAt", make: { name: "" } },
  proxies: {
    path: "/proxies",
    facts: "TYPE type, STATUS status, HOST config.host, COUNTRY config.country",
    make: { id: "proxy_1", name: "", type: "isp" },
  },
  credentials: {
    path: "/credentials",
    facts: "DOMAIN domain, VALUES valueNames, CHANGED updatedAt",
    make: { name: "", domain: "", values: { password: "secret" } },
  },
  telemetryDestinations: {
    path: "/telemetry/destinations",
    facts: "ENDPOINT endpoint, HEADERS headerNames, FAILURES consecutiveFailures",
    edit: "name endpoint description",
    make: { name: "", endpoint: "https://" },
  },
  authConnections: {
    path: "/auth/connections",
    facts: "STATUS status, PROFILE profileName, LOGIN login.status",
    edit: "save_credentials health_check_interval",
    make: { domain: "", profileName: "" },
  },
  deployments: {
    path: "/deployments",
    facts: "STATUS status, VERSION version, REASON statusReason, CREATED createdAt, CHECKSUM checksum",
    edit: "",
    make: { appName: "" },
  },
};

/** @param {Row | undefined} row */
export const nameIn = (row) => row && (row.name ?? row.domain ?? row.id);

/** @param {string} kind @param {string | null} id */
export const nameOf = (kind, id) => nameIn(rowsOf(kind).find((row) => row.id === id)) ?? id ?? "";

/** Number of all objects that the page has. */
export const objectCount = () => Object.keys(kinds).reduce((sum, kind) => sum + rowsOf(kind).length, 0);

/** A kind in words: "API keys", "browser pools". @param {string} kind */
const wordsOf = (kind) => kind.replace(/[A-Z]/g, " $&").toLowerCase().replace("api", "API");

/** @param {string} kind */
export const titleOf = (kind) => wordsOf(kind).replace(/^./, (first) => first.toUpperCase());

/** Name of one object of a kind: "API key", "proxy". @param {string} kind */
export const oneOf = (kind) => wordsOf(kind).replace(/ies$/, "y").replace(/s$/, "");

/** Texts of members, where not the value itself. @type {Readonly<Record<string, (value: any) => string>>} */
const texts = {
  sizeBytes: (bytes) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`),
  checksum: (sha256) => sha256.slice(0, 12),
  policy: (policy) => policy && "limited",
};

/** @param {string} member @param {Row} row */
export function textOf(member, row) {
  const value = member.split(".").reduce((/** @type {any} */ outer, part) => outer?.[part], row) ?? "";
  return member.endsWith("At")
    ? value.slice(0, 16).replace("T", " ")
    : (texts[member]?.(value) ?? [value].flat().join(", "));
}

/** Labels and texts of an object, the name first. A missing fact is empty. @param {string} kind @param {Row} row @returns {[string, string][]} */
export const factsOf = (kind, row) =>
  `NAME name, ${kinds[kind]?.facts}`.split(", ").map((fact) => {
    const [label = "", member = ""] = fact.split(" ");
    return [label, textOf(member, row)];
  });

/** Labels and values of an object, without the name. @param {string} kind @param {Row} row @returns {[string, any][]} */
export const shownFacts = (kind, row) =>
  factsOf(kind, row)
    .slice(1)
    .map(([label, text]) => [label, text && /STATUS|LOGIN/.test(label) ? chip(text) : text]);

/** Link to the object of a request, or the name of a deleted object. @param {Row} object */
export const linkTo = ({ kind, row, name }) =>
  row ? html`<a href="#objects/${kind}/${row.id}">${name}</a>` : name;

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
