// @ts-check
/**
 * The script of the emulator's page: it follows the stream of what changes, and shows the view that the
 * address names, with the details of what is open.
 *
 * @typedef {import("./control.mjs").Row} Row
 */

import { activity, requestDetails } from "./activity.mjs";
import { act, command, control, nameOf, open, rowsOf, seen, submitted, useKey } from "./control.mjs";
import { byId, draw, events, follow, html, input, tellProblem } from "./elements.mjs";
import { faultList, shiftText, showClock } from "./faults.mjs";
import { changedSide, freshChange, kinds, noteChanges, objectDetails, objects } from "./objects.mjs";

/** Titles of the views, by their addresses. @type {Readonly<Record<string, string>>} */
const titles = { activity: "Activity", objects: "Objects", faults: "Faults", clock: "Clock and data" };
const [title, side, search] = [byId("title"), byId("side"), input("search")];
let frame = 0;
/** Whether the stream is open; undefined before the first message, and without a valid key. @type {boolean | undefined} */
let isLive;
let isPaused = false;
/** Number of requests since the display is paused. */
let missed = 0;

byId("forget").onclick = () => act(() => control("/requests", "DELETE"));
byId("address").textContent = location.host;
byId("pause").onclick = () => {
  [isPaused, missed] = [!isPaused, 0];
  show();
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
  const target = /** @type {HTMLElement} */ (event.target);
  const isTyping = target.matches("input, select");
  if (event.key === "/" && !isTyping && input("slash").checked && !byId("tools").hidden) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "Escape" && isTyping) {
    target.blur();
  } else if (event.key === "Escape" && !open()) {
    location.hash = place().current;
  } else if (/^Arrow(Up|Down)$/.test(event.key) && target.matches("li > a")) {
    const list = /** @type {Element} */ (target.closest("nav, #pane, #side"));
    const rows = [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("li > a"))];
    event.preventDefault();
    rows[rows.indexOf(target) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  }
});
connect(false);

/** Follows what changes, for as long as the key is valid. @param {boolean} isKeyTyped */
function connect(isKeyTyped) {
  follow(changes, take, showGone).catch((error) => askForKey(isKeyTyped ? error.message : ""));
}

async function* changes() {
  const stream = await control("/events");
  seen.kinds = {};
  yield* events(stream);
}

function showGone() {
  if (isLive) {
    isLive = false;
    show();
  }
}

/** @param {string} reason */
function askForKey(reason) {
  isLive = undefined;
  document.documentElement.className = "asking";
  title.textContent = "Enter a key";
  byId("live").textContent = "Not connected";
  tellProblem(reason);
  input("key").focus();
}

/** @param {{ now: string, state: typeof seen.kinds, requests: { count: number, added: Row[] } }} message */
function take({ now, state, requests: { count, added } }) {
  const isFirst = Object.keys(seen.kinds).length === 0;
  for (const [kind, { rows }] of Object.entries(state).filter(([kind]) => !isFirst && kind in kinds)) {
    noteChanges(kind, rowsOf(kind), rows);
  }
  const requests = [...rowsOf("requests")];
  for (const request of added) {
    const at = requests.findIndex(({ requestId }) => requestId === request.requestId);
    if (at < 0) {
      requests.unshift(request);
      missed += 1;
    } else {
      requests[at] = request;
    }
  }
  Object.assign(seen.kinds, state, { requests: { rows: requests.slice(0, count) } });
  [seen.now, isLive] = [now, true];
  // A browser draws nothing in a hidden tab, so nothing is done there either.
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(isPaused ? showFrame : show);
}

/** The view of the address, its kind, the id of what is open, and the address of the list. */
function place() {
  const [first = "", second = "", third = ""] = location.hash.slice(1).split("/");
  const view = Object.hasOwn(titles, first) ? first : "activity";
  const kind = view === "objects" && Object.hasOwn(kinds, second) ? second : undefined;
  const id = (kind ? third : view === "activity" && second) || undefined;
  return { view, kind, id, current: kind ? `objects/${kind}` : view };
}

/** Shows the header and the rail. */
function showFrame() {
  const paused = isPaused ? ["‖", `Paused · ${missed} new`] : ["●", "Live"];
  const [mark, told] = isLive ? paused : ["○", "Gone"];
  draw(byId("live"), html`<em aria-hidden="true">${mark}</em> <span>${told}</span>`);
  byId("pause").textContent = isPaused ? "Resume" : "Pause";
  const shift = shiftText();
  draw(byId("now"), html`${seen.now.slice(shift ? 0 : 11, 19).replace("T", " ")} UTC <em>${shift}</em>`);
  const { current } = place();
  const count = (/** @type {string} */ kind) => `${rowsOf(kind).length}${seen.kinds[kind]?.more ? "+" : ""}`;
  /** Address, label, number, and whether a dot marks a change. @type {any[][]} */
  const links = [
    ["activity", "Activity", count("requests")],
    ["objects", "Objects", Object.keys(kinds).reduce((sum, kind) => sum + rowsOf(kind).length, 0)],
    ...Object.entries(kinds).map(([kind, each]) => [
      `objects/${kind}`,
      each.title,
      count(kind),
      freshChange(`${kind}/`),
    ]),
    ["faults", "Faults", count("faults")],
    ["clock", "Clock", shift],
  ];
  draw(
    byId("views"),
    links.map(
      ([href, label, shown, change]) =>
        html`<li class=${href.includes("/") ? "kind" : ""}><a href="#${href}" aria-current=${href === current ? "page" : current.startsWith(`${href}/`) && "true"}>${label}
        ${change && html`<em role="img" aria-label="changed in the last 15 seconds">●</em>`}<span>${shown}</span></a></li>`,
    ),
  );
  const gone = "The emulator is gone. Trying again every second. What you see is from before.";
  draw(
    byId("gone"),
    !isLive &&
      html`<div class="notice bad stack"><p>${gone}</p>${command("npx browser-infra emulator")}</div>`,
  );
  for (const each of document.querySelectorAll("button.act")) {
    each.toggleAttribute("disabled", !isLive);
  }
}

/** Shows everything. */
function show() {
  if (isLive === undefined) {
    return;
  }
  const { view, kind, id } = place();
  const label = (kind && kinds[kind]?.title) ?? `${titles[view]}`;
  title.textContent = label;
  document.title = `${kind && id ? nameOf(kind, id) : label} – Emulator`;
  document.documentElement.className = id ? "open" : "";
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-views]"))) {
    part.hidden = !part.dataset.views?.includes(view);
  }
  const isActivity = view === "activity";
  search.placeholder = isActivity ? "Path, object, status, request id" : "Name, id, project, state";
  search.ariaLabel = isActivity ? "Filter requests" : "Filter objects";
  showClock();
  const list = isActivity ? activity(id) : view === "objects" ? objects(kind, id) : faultList();
  draw(byId("view"), list);
  draw(side, !id ? changedSide() : kind ? objectDetails(kind, id) : requestDetails(id));
  showFrame();
}
