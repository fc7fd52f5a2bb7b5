// @ts-check
/**
 * The script of the emulator's page: it follows the stream of what changes, and shows one view of it
 * at a time.
 *
 * @typedef {import("./views.mjs").Row} Row
 */

import { act, button, control, useKey } from "./control.mjs";
import { byId, events, make, Refused, tellProblem } from "./elements.mjs";
import { cellOf, views, wordsOf } from "./views.mjs";

/** Time between two attempts to connect, in milliseconds. */
const reconnectMs = 1000;
const [title, about, place, nav] = [byId("title"), byId("about"), byId("view"), byId("views")];
const [connection, clock, enter] = [byId("connection"), byId("now"), byId("enter")];
const keyInput = /** @type {HTMLInputElement} */ (byId("key"));
/** What the stream has told so far: rows by kind. @type {Record<string, { rows: Row[], more?: boolean }>} */
let seen = {};
let frame = 0;
let isKeyTyped = false;
/** Shows what has changed in the view that is open; undefined while none is. */
let draw = /** @type {(() => void) | undefined} */ (undefined);

for (const [kind, view] of Object.entries(views)) {
  nav.append(make("a", { href: `#${kind}` }, view.title, make("span")));
}
addEventListener("hashchange", () => {
  if (draw) {
    open();
    title.focus();
  }
});
enter.addEventListener("submit", (event) => {
  event.preventDefault();
  isKeyTyped = true;
  useKey(keyInput.value.trim());
  keyInput.value = "";
  void follow();
});
void follow();

/** Follows the stream, over as many connections as that takes, for as long as the key is valid. */
async function follow() {
  for (;;) {
    try {
      const stream = await control("/events");
      seen = {};
      for await (const message of events(stream)) {
        take(message);
      }
    } catch (error) {
      if (error instanceof Refused && (error.httpStatus === 401 || error.httpStatus === 403)) {
        askForKey(error.message);
        return;
      }
    }
    tellConnection("The emulator is gone. Trying again…", "gone");
    await new Promise((resolve) => setTimeout(resolve, reconnectMs));
  }
}

/** @param {string} reason */
function askForKey(reason) {
  draw = undefined;
  place.replaceChildren();
  [nav.hidden, enter.hidden] = [true, false];
  title.textContent = "Enter a key";
  about.textContent =
    "The emulator printed the API keys at the start. The tab forgets the key when you close the tab.";
  tellConnection("Not connected", "gone");
  tellProblem(isKeyTyped ? reason : "");
  keyInput.focus();
}

/** @param {string} text */
function tellConnection(text, className = "") {
  if (connection.textContent !== text) {
    connection.className = className;
    connection.textContent = text;
  }
}

/** @param {{ now: string, state: typeof seen, requests: { count: number, added: Row[] } }} message */
function take({ now, state, requests: { count, added } }) {
  const known = seen.requests?.rows.toReversed() ?? [];
  const all = new Map([...known, ...added].map((request) => [request.requestId, request]));
  const rows = [...all.values()].slice(all.size - count).reverse();
  seen = { ...seen, ...state, requests: { rows } };
  tellConnection("Connected");
  clock.textContent = `${now.slice(0, 19).replace("T", " ")} UTC`;
  // A browser draws nothing in a hidden tab, so nothing is done there either.
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(show);
}

function show() {
  for (const [index, kind] of Object.keys(views).entries()) {
    const { rows = [], more = false } = seen[kind] ?? {};
    const count = nav.children[index]?.lastElementChild;
    if (count && kind !== "clock") {
      count.textContent = `${rows.length}${more ? "+" : ""}`;
    }
  }
  (draw ?? open)();
}

/** Opens the view that the address names, or one of its rows. */
function open() {
  [nav.hidden, enter.hidden] = [false, true];
  const [wanted = "", id] = location.hash.slice(1).split("/");
  const kind = Object.hasOwn(views, wanted) ? wanted : "requests";
  const view = /** @type {import("./views.mjs").View} */ (views[kind]);
  for (const link of nav.querySelectorAll("a")) {
    link.ariaCurrent = link.hash === `#${kind}` ? "page" : null;
  }
  document.title = `${view.title} – Emulator`;
  title.textContent = view.title;
  about.textContent = (id === undefined && view.about) || "";
  tellProblem();
  draw = id === undefined ? openTable(kind, view) : openRow(kind, view, id);
  draw();
}

/** @param {string} kind @param {import("./views.mjs").View} view */
function openTable(kind, { title: label, columns, action, tools }) {
  const { box, fill } = tableOf(label, columns, kind, action);
  const none = make("p", { textContent: "There are none." });
  place.replaceChildren(...(tools ? [tools] : []), ...(columns.length > 0 ? [none, box] : []));
  return () => {
    const rows = seen[kind]?.rows ?? [];
    fill(rows);
    [none.hidden, box.hidden] = [rows.length > 0, rows.length === 0];
  };
}

/** @param {string} kind @param {import("./views.mjs").View} view @param {string} id */
function openRow(kind, { title: label, details }, id) {
  const parts = make("div");
  place.replaceChildren(make("a", { href: `#${kind}`, textContent: `Back to ${label}` }), parts);
  let shown = "";
  return () => {
    const { rows = [], more = false } = seen[kind] ?? {};
    const row = rows.find((each) => each.id === id);
    const json = JSON.stringify([row, more]);
    if (json === shown) {
      return;
    }
    shown = json;
    title.textContent = row ? (row.name ?? row.domain ?? id) : more ? "Not among the newest" : "It is gone";
    void act(async () => {
      const all = row ? ((await details?.(row)) ?? { Record: row }) : {};
      const made = Object.entries(all).flatMap(([heading, value]) => [
        make("h2", { textContent: heading }),
        shownValue(heading, value),
      ]);
      parts.replaceChildren(...made);
    });
  };
}

/** A list of records as a table, anything else as JSON. @param {string} label @param {unknown} value */
function shownValue(label, value) {
  if (Array.isArray(value)) {
    const { box, fill } = tableOf(label, Object.keys(value[0] ?? {}));
    fill(value);
    return box;
  }
  const json = JSON.stringify(value, null, 2);
  return make("pre", { tabIndex: 0, role: "region", ariaLabel: label, textContent: json });
}

/**
 * A table in a box that scrolls. Filled again, it makes a cell again only if it differs, so that focus
 * stays where it is.
 *
 * @param {string} label
 * @param {readonly string[]} members
 * @param {string} [kind] Where a name leads.
 * @param {[label: string, work: (row: Row) => Promise<unknown>]} [action]
 */
function tableOf(label, members, kind, action) {
  const titles = members.map((each) => make("th", { scope: "col", textContent: wordsOf(each) }));
  const head = make("thead", {}, make("tr", {}, ...titles, ...(action ? [make("td")] : [])));
  const body = make("tbody");
  const table = make("table", {}, head, body);
  const box = make("div", { className: "box", tabIndex: 0, role: "region", ariaLabel: label }, table);
  /** @type {Map<unknown, HTMLElement>} */
  let lines = new Map();
  return { box, fill };

  /** @param {readonly Row[]} rows */
  function fill(rows) {
    const before = lines;
    lines = new Map(rows.map((row, index) => [row.id ?? row.requestId ?? index, lineOf(row, before)]));
    for (const [id, line] of before) {
      if (!lines.has(id)) {
        line.remove();
      }
    }
    for (const [index, line] of [...lines.values()].entries()) {
      if (line !== body.children[index]) {
        body.insertBefore(line, body.children[index] ?? null);
      }
    }
  }

  /** @param {Row} row @param {typeof lines} before */
  function lineOf(row, before) {
    const known = before.get(row.id ?? row.requestId);
    const line = known ?? make("tr", {}, ...members.map(() => make("td")));
    for (const [column, member] of members.entries()) {
      fillCell(line.children[column], row, member);
    }
    if (action && known === undefined) {
      const [what, work] = action;
      const pressed = button(what, () => work(row), `${what} ${row.name ?? row.id}`);
      line.append(make("td", {}, pressed));
    }
    return line;
  }

  /** @param {Element | undefined} cell @param {Row} row @param {string} member */
  function fillCell(cell, row, member) {
    const [text, leadsTo] = cellOf(row, member, nameOf);
    const opens = kind && member === members[0] && /^(name|domain)$/.test(member);
    const href = opens ? `#${kind}/${row.id}` : leadsTo;
    if (cell instanceof HTMLElement && cell.dataset.shown !== `${text} ${href}`) {
      cell.dataset.shown = `${text} ${href}`;
      const target = href?.startsWith("#") ? "" : "_blank";
      cell.replaceChildren(href === undefined ? text : make("a", { href, target, textContent: text }));
    }
  }
}

/** @param {string} kind @param {string} id */
function nameOf(kind, id) {
  return seen[kind]?.rows.find((row) => row.id === id)?.name ?? id;
}
