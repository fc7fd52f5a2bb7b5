// @ts-check
/**
 * The script of the emulator's page: it follows the stream of what changes, and shows the view that the
 * address names, with the details of what is open.
 *
 * @typedef {import("./control.mjs").Row} Row
 */

import { activity, requestDetails, segments } from "./activity.mjs";
import { button, command, control, nameOf, rowsOf, seen, submitted, useKey } from "./control.mjs";
import { byId, draw, events, html, input, Refused, tellProblem } from "./elements.mjs";
import { bindControls, failNext, faultList, shiftText, showClock } from "./faults.mjs";
import {
  changedSide,
  closeForm,
  freshChange,
  kinds,
  noteChanges,
  objectDetails,
  objects,
} from "./objects.mjs";

/** Time between two attempts to connect, in milliseconds. */
const reconnectMs = 1000;
const [title, side, search] = [byId("title"), byId("side"), input("search")];
let frame = 0;
/** Which requests are shown. */
let segment = "All";
/** Whether the stream is open; undefined before the first message, and without a valid key. @type {boolean | undefined} */
let isLive;
let isPaused = false;
/** Number of requests since the display is paused. */
let missed = 0;

bindControls();
draw(
  byId("forget"),
  button("Forget", () => control("/requests", "DELETE"), "act", "Forget all requests"),
);
byId("address").textContent = location.host;
byId("pause").onclick = () => {
  [isPaused, missed] = [!isPaused, 0];
  show();
};
byId("enter").onsubmit = submitted(() => {
  useKey(input("key").value.trim());
  input("key").value = "";
  void follow(true);
});
search.oninput = show;
addEventListener("hashchange", () => {
  closeForm();
  tellProblem();
  search.value = "";
  show();
  const { id } = place();
  if (id === undefined) {
    title.focus();
  } else if (byId("pane").offsetParent === null) {
    side.focus();
    scrollTo(0, 0);
  }
});
addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const isTyping = /INPUT|SELECT/.test(target.tagName);
  if (event.key === "/" && !isTyping && input("slash").checked && !byId("tools").hidden) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "Escape" && isTyping) {
    target.blur();
  } else if (event.key === "Escape" && !closeForm()) {
    location.hash = place().current;
  } else if (/^Arrow(Up|Down)$/.test(event.key) && target.matches("li > a")) {
    const rows = [.../** @type {Element} */ (target.closest("nav, #pane, #side")).querySelectorAll("li > a")];
    event.preventDefault();
    /** @type {HTMLElement | undefined} */ (
      rows[rows.indexOf(target) + (event.key === "ArrowDown" ? 1 : -1)]
    )?.focus();
  }
});
void follow(false);

/** Follows the stream, over as many connections as that takes, for as long as the key is valid. @param {boolean} isKeyTyped */
async function follow(isKeyTyped) {
  for (;;) {
    try {
      const stream = await control("/events");
      seen.kinds = {};
      for await (const message of events(stream)) {
        take(message);
      }
    } catch (error) {
      if (error instanceof Refused && (error.httpStatus === 401 || error.httpStatus === 403)) {
        askForKey(isKeyTyped ? error.message : "");
        return;
      }
    }
    if (isLive) {
      isLive = false;
      show();
    }
    await new Promise((resolve) => setTimeout(resolve, reconnectMs));
  }
}

/** @param {string} reason */
function askForKey(reason) {
  isLive = undefined;
  document.documentElement.className = "asking";
  title.textContent = "Enter a key";
  byId("about").textContent =
    "The emulator printed the API keys at the start. The tab forgets the key when you close the tab.";
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
  const known = new Map(
    rowsOf("requests")
      .toReversed()
      .map((request) => [request.requestId, request]),
  );
  missed += added.filter(({ requestId }) => !known.has(requestId)).length;
  const all = [
    ...new Map([
      ...known,
      ...added.map((request) => /** @type {const} */ ([request.requestId, request])),
    ]).values(),
  ];
  Object.assign(seen.kinds, state, { requests: { rows: all.slice(all.length - count).reverse() } });
  [seen.now, isLive] = [now, true];
  // A browser draws nothing in a hidden tab, so nothing is done there either.
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(isPaused ? showFrame : show);
}

/** The view of the address, its kind, the id of what is open, and the address of the list. */
function place() {
  const [view = "", one = "", id] = location.hash.slice(1).split("/");
  if (view === "objects" && Object.hasOwn(kinds, one)) {
    return { view, kind: one, id, current: `objects/${one}` };
  }
  const known = /^(objects|faults|clock)$/.test(view) ? view : "activity";
  return { view: known, id: view === "activity" && one !== "" ? one : undefined, current: known };
}

/** Shows the header and the rail. */
function showFrame() {
  const live = byId("live");
  const [look, told] = !isLive
    ? ["gone", "Gone"]
    : isPaused
      ? ["paused", `Paused · ${missed} new`]
      : ["", "Live"];
  live.className = look;
  if (live.textContent !== told) {
    live.textContent = told;
  }
  byId("pause").textContent = isPaused ? "Resume" : "Pause";
  const shift = shiftText();
  draw(byId("now"), html`${seen.now.slice(shift ? 0 : 11, 19).replace("T", " ")} UTC <b>${shift}</b>`);
  const count = (/** @type {string} */ kind) => `${rowsOf(kind).length}${seen.kinds[kind]?.more ? "+" : ""}`;
  const all = Object.keys(kinds).reduce((sum, kind) => sum + rowsOf(kind).length, 0);
  const { current } = place();
  const link = (
    /** @type {string} */ href,
    /** @type {string} */ label,
    /** @type {any} */ shown,
    isFresh = false,
  ) =>
    html`<li class=${href.includes("/") ? "kind" : ""}><a href="#${href}" aria-current=${href === current && "page"} data-within=${current.startsWith(`${href}/`)}>${label}
      ${isFresh && html`<em role="img" aria-label="changed in the last 15 seconds"></em>`}<span>${shown}</span></a></li>`;
  draw(byId("views"), [
    link("activity", "Activity", count("requests")),
    link("objects", "Objects", all),
    Object.entries(kinds).map(([kind, { title: label }]) =>
      link(`objects/${kind}`, label, count(kind), freshChange(kind) !== undefined),
    ),
    link("faults", "Faults", count("faults")),
    link("clock", "Clock", shift),
  ]);
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
  const showAll = () => {
    [search.value, segment] = ["", "All"];
    show();
  };
  const titles = /** @type {Row} */ ({
    objects: "Objects",
    faults: "Faults",
    clock: "Clock and data",
    activity: "Activity",
  });
  const label = kind ? kinds[kind]?.title : titles[view];
  title.textContent = label;
  document.title = `${kind && id ? nameOf(kind, id) : label} – Emulator`;
  byId("about").textContent =
    view === "faults" ? "Faults apply to the requests of programs, never to the requests of this page." : "";
  const isActivity = view === "activity";
  byId("tools").hidden = !isActivity && view !== "objects";
  byId("segments").hidden = byId("forget").hidden = !isActivity;
  search.placeholder = isActivity ? "Path, object, status, request id" : "Name, id, project, state";
  search.ariaLabel = isActivity ? "Filter requests" : "Filter objects";
  const choose = (/** @type {string} */ each) => () => {
    segment = each;
    show();
  };
  draw(
    byId("segments"),
    Object.entries(segments).map(
      ([each, fits]) =>
        html`<button type="button" aria-pressed=${String(each === segment)} @click=${choose(each)}>${each} ${rowsOf("requests").filter(fits).length}</button>`,
    ),
  );
  byId("fault").hidden = view !== "faults";
  byId("control").hidden = view !== "clock";
  showClock();
  const lists = /** @type {Row} */ ({
    objects: () => objects(kind, search.value, id, showAll),
    faults: faultList,
    clock: () => [],
  });
  draw(byId("view"), (lists[view] ?? (() => activity(segment, search.value, id, showAll)))());
  side.hidden = view === "faults" || view === "clock";
  document.documentElement.className = side.hidden ? "wide" : id ? "open" : "";
  draw(
    side,
    id === undefined
      ? changedSide()
      : kind
        ? objectDetails(kind, id, show)
        : requestDetails(id, failNextThere, show),
  );
  showFrame();
}

/** @param {string} method @param {string} path */
function failNextThere(method, path) {
  failNext(method, path);
  location.hash = "faults";
}
