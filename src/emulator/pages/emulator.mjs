// @ts-check
/**
 * The script of the emulator's page: follows the stream of changes, and shows the view that the
 * address names, with the details of what is open.
 *
 * @typedef {import("./views/control.mjs").Row} Row
 */

import { byId, draw, events, follow, html, input, tellProblem } from "./elements.mjs";
import { activity, requestDetails } from "./views/activity.mjs";
import { browsers } from "./views/browsers.mjs";
import { act, chosen, control, redraw, rowsOf, seen, useKey } from "./views/control.mjs";
import { clock, faults, shiftText } from "./views/faults.mjs";
import { open, submitted } from "./views/forms.mjs";
import { kinds, nameOf, objectCount, titleOf } from "./views/kinds.mjs";
import { changedSide, freshChange, noteChanges, objectDetails, objects } from "./views/objects.mjs";
import { command } from "./views/parts.mjs";

/** Titles of the views, by their addresses. @type {Readonly<Record<string, string>>} */
const titles = {
  activity: "Activity",
  objects: "Objects",
  browsers: "Browsers",
  faults: "Faults",
  clock: "Clock and data",
};
/** Contents of the views. @type {Readonly<Record<string, (only?: string) => any>>} */
const lists = { activity, objects, browsers, faults, clock };
const [title, side, search] = [byId("title"), byId("side"), input("search")];
let frame = 0;
/** Connection to the emulator: `Live`, `Gone` or `Not connected`; empty before the first message. */
let state = "";
/** Number of requests since the display is paused. */
let missed = 0;

byId("forget").onclick = () => act(() => control("/requests", "DELETE"));
byId("address").textContent = location.host;
byId("pause").onclick = () => {
  missed = 0;
  redraw({ isPaused: !chosen.isPaused });
};
byId("enter").onsubmit = submitted(() => {
  useKey(input("key").value.trim());
  input("key").value = "";
  connect(true);
});
search.oninput = show;
addEventListener("redraw", show);
addEventListener("hashchange", () => {
  tellProblem();
  search.value = "";
  open();
  if (place().id === undefined) {
    title.focus();
  } else if (byId("pane").offsetParent === null) {
    side.focus();
    scrollTo(0, 0);
  }
});
addEventListener("keydown", (event) => {
  const { key, target } = /** @type {KeyboardEvent & { target: HTMLElement }} */ (event);
  const isTyping = target.matches("input, select");
  if (key === "/" && !isTyping && chosen.hasSlash && !byId("tools").hidden) {
    event.preventDefault();
    search.focus();
  } else if (key === "Escape" && isTyping) {
    target.blur();
  } else if (key === "Escape" && !open()) {
    location.hash = place().list;
  } else if (/^Arrow(Up|Down)$/.test(key) && target.matches("li > a")) {
    event.preventDefault();
    const links = target.closest("nav, #pane, #side")?.querySelectorAll("li > a") ?? [];
    const rows = /** @type {HTMLElement[]} */ ([...links]);
    rows[rows.indexOf(target) + (key === "ArrowDown" ? 1 : -1)]?.focus();
  }
});
connect(false);

/** Follows the changes, for as long as the key is valid. @param {boolean} isKeyTyped */
function connect(isKeyTyped) {
  follow(changes, take, () => state === "Live" && tell("Gone")).catch((error) => {
    tell("Not connected");
    tellProblem(isKeyTyped && error.message);
    input("key").focus();
  });
}

async function* changes() {
  const stream = await control("/events");
  seen.kinds = {};
  yield* events(stream);
}

/** Shows whether the page hears from the emulator. @param {string} text */
function tell(text) {
  state = text;
  show();
}

/** @param {{ now: string, state: typeof seen.kinds, requests: { count: number, added: Row[] } }} message */
function take({ now, state: changed, requests: { count, added } }) {
  const known = Object.entries(changed).filter(([kind]) => kind in kinds && kind in seen.kinds);
  for (const [kind, { rows }] of known) {
    noteChanges(kind, rowsOf(kind), rows);
  }
  const old = rowsOf("requests");
  const requests = new Map();
  for (const request of [...old.toReversed(), ...added]) {
    requests.set(request.requestId, request);
  }
  missed += requests.size - old.length;
  const rows = [...requests.values()].toReversed().slice(0, count);
  Object.assign(seen.kinds, changed, { requests: { rows } });
  [seen.now, state] = [now, "Live"];
  // A browser draws nothing in a hidden tab, so nothing is done there either.
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(chosen.isPaused ? showFrame : show);
}

/**
 * The view of the address, the kind, the browser that is shown alone, the id of the open request or object,
 * and the address of the list.
 */
function place() {
  const [first = "", second = "", third = ""] = location.hash.slice(1).split("/");
  const view = state === "Not connected" ? "enter" : Object.hasOwn(titles, first) ? first : "activity";
  const kind = view === "objects" && Object.hasOwn(kinds, second) ? second : undefined;
  const id = (kind ? third : view === "activity" && second) || undefined;
  const browser = (view === "browsers" && second) || undefined;
  return { view, kind, browser, id, list: kind ? `objects/${kind}` : view };
}

/** Shows the header and the rail. */
function showFrame() {
  const { isPaused } = chosen;
  const isLive = state === "Live";
  const told = isLive && isPaused ? `Paused · ${missed} new` : state;
  const mark = html`<b class="good" aria-hidden="true">${isLive ? (isPaused ? "‖" : "●") : "○"}</b>`;
  draw(byId("live"), [mark, " ", html`<span>${told}</span>`]);
  byId("pause").textContent = isPaused ? "Resume" : "Pause";
  const shift = shiftText();
  draw(
    byId("now"),
    html`${seen.now.slice(shift ? 0 : 11, 19).replace("T", " ")} UTC <b class="good">${shift}</b>`,
  );
  const count = (/** @type {string} */ kind) => `${rowsOf(kind).length}${seen.kinds[kind]?.more ? "+" : ""}`;
  draw(byId("views"), [
    railLink("activity", "Activity", count("requests")),
    railLink("objects", "Objects", objectCount()),
    Object.keys(kinds).map((kind) => railLink(`objects/${kind}`, titleOf(kind), count(kind))),
    railLink("browsers", "Browsers", count("browsers")),
    railLink("faults", "Faults", count("faults")),
    railLink("clock", "Clock", shift),
  ]);
  const gone =
    "The emulator does not respond. Trying again every second. The page shows the last known state.";
  const notice = html`<div class="notice bad stack"><p>${gone}</p>${command("npx browser-infra emulator")}</div>`;
  draw(byId("gone"), state === "Gone" && notice);
  for (const each of document.querySelectorAll("button.act")) {
    each.toggleAttribute("disabled", !isLive);
  }
}

/** Link of the rail to a list. A dot marks a change. @param {string} href @param {string} label @param {unknown} shown */
function railLink(href, label, shown) {
  const { list } = place();
  const current = href === list ? "page" : list.startsWith(`${href}/`) && "true";
  const isKind = href.includes("/");
  const dot = html`<b class="good" role="img" aria-label="changed in the last 15 seconds">●</b>`;
  return html`<li class=${isKind && "kind"}><a href="#${href}" aria-current=${current}><span>${label} ${isKind && freshChange(`${href}/`) && dot}</span><span class="quiet">${shown}</span></a></li>`;
}

function show() {
  if (state === "") {
    return;
  }
  const { view, kind, browser, id } = place();
  const label = kind ? titleOf(kind) : `${titles[view] ?? "Enter a key"}`;
  title.textContent = label;
  document.title = `${kind && id ? nameOf(kind, id) : label} – Emulator`;
  document.documentElement.className = id ? "open" : "";
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-views]"))) {
    part.hidden = !part.dataset.views?.includes(view);
  }
  const isActivity = view === "activity";
  search.placeholder = isActivity ? "Path, object, status, request id" : "Name, id, project, state";
  search.ariaLabel = isActivity ? "Filter requests" : "Filter objects";
  draw(byId("view"), lists[view]?.(kind ?? browser));
  draw(side, !id ? changedSide() : kind ? objectDetails(kind, id) : requestDetails(id));
  showFrame();
}
