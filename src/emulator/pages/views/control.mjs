// @ts-check
/**
 * Control requests of the emulator's page, under `/_emulator`, with a key, as a test sends them; and
 * the received state.
 *
 * @typedef {Record<string, any>} Row A record, as `GET /_emulator/state` has it.
 */

import { input, Refused, send, tellProblem } from "../elements.mjs";

const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
/** Key that is valid when none is given at the emulator's start. Everybody knows the key. */
const usualKey = "sk_emulator";
/** Typed key, which the tab remembers until the tab is closed. Else, on this machine, the usual key. */
let key = sessionStorage.getItem("emulator key") ?? (isLoopback ? usualKey : "");

/** Contents of the stream so far. @type {{ now: string, kinds: Record<string, { rows: Row[], more?: boolean }> }} */
export const seen = { now: "", kinds: {} };

/**
 * Choices of a person: the requests that are shown, whether the display is paused, the key `/`, the form or the
 * question that is open in place of buttons, the command that was copied, and the address of the object that was
 * changed last.
 */
export const chosen = {
  segment: "All",
  isPaused: false,
  hasSlash: true,
  opened: "",
  copied: "",
  changed: "",
};

/** Text that a person looks for. */
export const wanted = () => input("search").value.toLowerCase();

/** Draws the page again, now. @param {Partial<typeof chosen>} [choice] */
export function redraw(choice) {
  Object.assign(chosen, choice);
  dispatchEvent(new Event("redraw"));
}

/** @param {string} kind */
export const rowsOf = (kind) => seen.kinds[kind]?.rows ?? [];

/** @param {string} typed */
export function useKey(typed) {
  key = typed;
  sessionStorage.setItem("emulator key", typed);
}

/** Shell lines that lead a program here. A typed key is not repeated. */
export const settings = () =>
  `export BROWSER_INFRA_BASE_URL=${location.origin}\nexport BROWSER_INFRA_API_KEY=${key === usualKey ? key : "<your key>"}`;

/**
 * Sends a control request. The service's own operations are below `/service`.
 *
 * @param {string} path @param {string} [method] @param {unknown} [body] @param {string | null} [project]
 */
export const control = (path, method = "GET", body = undefined, project = null) =>
  send(`/_emulator${path}`, { method, body, token: key, project });

/** @param {string} path @param {string | null} [project] */
export const read = async (path, project) => (await control(path, "GET", undefined, project)).json();

/** Answers about the open request or object. */
let details = { id: "", version: "", told: /** @type {Row} */ ({}) };

/**
 * Tells more about the open request or object: nothing at first, and the page is drawn again when the
 * response has arrived. A different version is read again.
 *
 * @param {string} id @param {string} version @param {() => Promise<Row>} load
 */
export function detailsOf(id, version, load) {
  if (details.id !== id || details.version !== version) {
    const current = { id, version, told: details.id === id ? details.told : {} };
    details = current;
    void load()
      .then((told) => Object.assign(current, { told }))
      .then(
        () => redraw(),
        () => {},
      );
  }
  return details.told;
}

/** Does the work that a person asked for, and tells a failure. @param {() => unknown} work */
export async function act(work) {
  tellProblem();
  try {
    await work();
  } catch (error) {
    tellProblem(error instanceof Refused ? error.message : "The emulator does not respond. Try again.");
  }
}
