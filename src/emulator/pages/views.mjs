// @ts-check
/**
 * The views of the emulator's page: what each shows of a record, and what can be done there.
 *
 * @typedef {Record<string, any>} Row A record, as `GET /_emulator/state` has it.
 * @typedef {object} View
 * @property {string} title
 * @property {string} [about]
 * @property {readonly string[]} columns The members that the table shows. `name` and `domain` open
 *   the details.
 * @property {[label: string, work: (row: Row) => Promise<unknown>]} [action] A button of each row.
 * @property {(row: Row) => Promise<Row>} [details] By title. Default: the record.
 * @property {HTMLElement} [tools] What is above the table.
 */

import { button, control, form } from "./control.mjs";
import { make } from "./elements.mjs";

/** By kind, which the address has after `#`. @type {Readonly<Record<string, View>>} */
export const views = {
  requests: {
    title: "Requests",
    about: "What programs have sent, the newest first.",
    columns: ["time", "method", "path", "status", "apiKeyId", "project"],
    tools: button("Forget all", () => control("/requests", "DELETE")),
  },
  projects: {
    title: "Projects",
    about: "Without limits of its own, a project has those of the organization.",
    columns: [
      "name",
      "status",
      "limits.maxConcurrentSessions",
      "limits.maxConcurrentInvocations",
      "createdAt",
    ],
  },
  apiKeys: {
    title: "API keys",
    about: "Without a project, a key is for the whole organization; without a policy, for everything.",
    columns: ["name", "maskedKey", "status", "expiresAt", "projectId", "policy"],
  },
  extensions: {
    title: "Extensions",
    about: "Open an extension to see files and manifest.",
    columns: ["name", "projectId", "sizeBytes", "checksum", "createdAt"],
    action: ["Download", async ({ id, name }) => save(`/extensions/${id}/archive`, `${name ?? id}.zip`)],
    details: async (row) => {
      const { files, manifest } = await (await control(`/extensions/${row.id}`)).json();
      return { Files: files, Manifest: manifest, Record: row };
    },
  },
  browserPools: {
    title: "Browser pools",
    about: "Open a pool to see the browsers. The browsers are only records.",
    columns: ["name", "projectId", "availableCount", "acquiredCount", "size", "fillRatePerMinute"],
    action: ["Fill", ({ id }) => control(`/browser_pools/${id}/fill`, "POST")],
    details: async ({ browsers, ...row }) => ({ Browsers: browsers, Record: row }),
  },
  profiles: { title: "Profiles", columns: ["name", "projectId", "createdAt", "updatedAt"] },
  proxies: { title: "Proxies", columns: ["name", "projectId", "type", "protocol", "config"] },
  credentials: {
    title: "Credentials",
    about: "Only the names of values are shown.",
    columns: ["name", "projectId", "domain", "valueNames", "hasTotpSecret", "updatedAt"],
  },
  authConnections: {
    title: "Auth connections",
    about: "The page of a login can be opened only once.",
    columns: ["domain", "profileName", "projectId", "status", "login.status", "login.step", "login.page"],
  },
  faults: {
    title: "Faults",
    about: "Faults apply to requests of programs, never to requests of this page.",
    columns: ["id", "method", "path", "pathPattern", "action", "at", "nth", "times", "hits"],
    action: ["Remove", ({ id }) => control(`/faults/${id}`, "DELETE")],
    tools: faultForm(),
  },
  clock: {
    title: "Clock",
    about:
      "Keys expire, pools fill and logins continue by this clock. After a change, the clock runs on from the new time.",
    columns: [],
    tools: clockForm(),
  },
};

function faultForm() {
  /** @type {(status: number, code: string, headers?: object) => object} */
  const answer = (status, code, headers = {}) => ({
    at: "before-commit",
    action: { answer: { status, headers, body: { code, message: "This is a fault of the emulator." } } },
  });
  /** What a program should survive. @type {Readonly<Record<string, object>>} */
  const presets = {
    "Answer 500": answer(500, "internal_error"),
    "Answer 429": answer(429, "rate_limited", { "retry-after": "1" }),
    "Lost reply": { at: "after-commit", action: "reset" },
    "Lost request": { at: "before-reading", action: "reset" },
    "Delay of 5 seconds": { at: "before-reading", action: { delayMs: 5000 } },
  };
  const what = choice(...Object.keys(presets));
  const method = choice("any", "GET", "POST", "PATCH", "PUT", "DELETE");
  const path = make("input", { placeholder: "any", pattern: "/.*", title: "It begins with a slash." });
  const times = choice("1", "3", "always");
  const fields = { "What happens": what, Method: method, "Path begins with": path, Times: times };
  const add = () =>
    control("/faults", "POST", {
      ...presets[what.value],
      ...(method.value !== "any" && { method: method.value }),
      ...(path.value && { path: path.value }),
      times: times.value === "always" ? "always" : Number(times.value),
    });
  return form(
    fields,
    "Add fault",
    add,
    button("Remove all", () => control("/faults", "DELETE")),
  );
}

function clockForm() {
  const time = make("input", { type: "datetime-local", step: "1", required: true });
  const move = () => control("/clock", "PUT", { now: new Date(`${time.value}Z`) });
  const back = button("Back to the system's time", () => control("/clock", "PUT", { now: null }));
  return form({ "Date and time (UTC)": time }, "Move the clock", move, back);
}

/** @param {...string} options */
function choice(...options) {
  return make("select", {}, ...options.map((option) => make("option", { textContent: option })));
}

/** @param {string} path @param {string} name */
async function save(path, name) {
  // Only a request can have the key, so a link to the archive would not do.
  const href = URL.createObjectURL(await (await control(path)).blob());
  make("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
}

const time = (/** @type {string} */ iso) => iso.slice(0, 19).replace("T", " ");

/** How a member is shown, where not as it is. @type {Row} */
const shownAs = {
  time: (/** @type {string} */ iso) => iso.slice(11, 23),
  createdAt: time,
  updatedAt: time,
  expiresAt: time,
  sizeBytes: (/** @type {number} */ bytes) =>
    bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`,
};

/** The kind of record that a member names. @type {Row} */
const names = { projectId: "projects", project: "projects", apiKeyId: "apiKeys" };

/**
 * What a cell shows of a record, and where it leads.
 *
 * @param {Row} row
 * @param {string} member
 * @param {(kind: string, id: string) => string} nameOf
 * @returns {[text: string, href?: string]}
 */
export function cellOf(row, member, nameOf) {
  const value = member.split(".").reduce((/** @type {any} */ outer, part) => outer?.[part], row);
  if (member === "login.page" && row.login?.status === "IN_PROGRESS") {
    return ["Open", row.login.hostedUrl];
  }
  if (value === null || value === undefined || value === "") {
    return [member === "name" ? "(no name)" : "–"];
  }
  const known = names[member] ? nameOf(names[member], value) : (shownAs[member]?.(value) ?? value);
  return [typeof known === "object" ? JSON.stringify(known) : String(known)];
}

/** `limits.maxConcurrentSessions` is "Max concurrent sessions". @param {string} member */
export function wordsOf(member) {
  const words = member
    .replace(/^limits\.|(At|Id|Bytes)$/g, "")
    .replace(".", " ")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace("api", "API");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
