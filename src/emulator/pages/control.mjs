// @ts-check
/** How the emulator's page controls the emulator: as a test does, under `/_emulator`, with a key. */

import { make, Refused, send, tellProblem } from "./elements.mjs";

const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
/**
 * The key that was typed, which the tab remembers until it is closed. Else, on the emulator's own
 * machine, the one that is valid when none is given at its start: everybody knows that one.
 */
let key = sessionStorage.getItem("emulator key") ?? (isLoopback ? "sk_emulator" : "");

/** @param {string} typed */
export function useKey(typed) {
  key = typed;
  sessionStorage.setItem("emulator key", typed);
}

/** Sends a control request. @param {string} path @param {string} [method] @param {unknown} [body] */
export function control(path, method = "GET", body = undefined) {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  return send(`/_emulator${path}`, { method, token: key, ...json });
}

/** Does what a person asked for, and says so if it fails. @param {() => Promise<unknown>} work */
export async function act(work) {
  tellProblem();
  try {
    await work();
  } catch (error) {
    tellProblem(error instanceof Refused ? error.message : "The emulator does not answer. Try again.");
  }
}

/** @param {string} label @param {() => Promise<unknown>} work */
export function button(label, work, ariaLabel = label) {
  const made = make("button", { type: "button", textContent: label, ariaLabel });
  made.addEventListener("click", () => void act(work));
  return made;
}

/**
 * A form of labelled fields, with a button that submits it and another one.
 *
 * @param {Readonly<Record<string, HTMLElement>>} fields
 * @param {string} label
 * @param {() => Promise<unknown>} work
 * @param {HTMLElement} other
 */
export function form(fields, label, work, other) {
  const rows = Object.entries(fields).map(([name, field]) => make("label", {}, name, field));
  const submit = make("button", { className: "main", textContent: label });
  const made = make("form", {}, ...rows, submit, other);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    void act(work);
  });
  return made;
}
