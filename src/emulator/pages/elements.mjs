// @ts-check
/**
 * What the scripts of both pages share. Nothing they receive is ever parsed as HTML.
 *
 * @typedef {{ method?: string, body?: string, token?: string }} Sent
 */

/** An answer whose status is not 2xx, with the code and the message of its body. */
export class Refused extends Error {
  /** @param {number} httpStatus @param {string} code @param {string} message */
  constructor(httpStatus, code, message) {
    super(message);
    this.httpStatus = httpStatus;
    this.code = code;
  }
}

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page has no element "${id}"`);
  }
  return element;
}

/** Shows what is wrong. The same text is not read out again. @param {string | null} [text] */
export function tellProblem(text) {
  const problem = byId("problem");
  problem.hidden = !text;
  if (problem.textContent !== (text ?? "")) {
    problem.textContent = text ?? "";
  }
}

/**
 * Makes an element. A member that the element does not have becomes an attribute.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Readonly<Record<string, unknown>>} [members]
 * @param {...(Node | string)} children
 */
export function make(name, members = {}, ...children) {
  const element = document.createElement(name);
  for (const [member, value] of Object.entries(members)) {
    if (member in element) {
      Object.assign(element, { [member]: value });
    } else {
      element.setAttribute(member, String(value));
    }
  }
  element.append(...children);
  return element;
}

/**
 * Sends a request to the emulator, with a key or a token. Throws `BrowserError` for any status but 2xx.
 *
 * @param {string} path
 * @param {Sent} [options]
 */
export async function send(path, { method = "GET", body, token } = {}) {
  const headers = new Headers();
  if (token) {
    headers.set("authorization", `Bearer ${token}`);
  }
  if (body) {
    headers.set("content-type", "application/json");
  }
  const response = await fetch(path, { method, headers, body: body ?? null, cache: "no-store" });
  if (response.ok) {
    return response;
  }
  const { code = "", message = `The service answered with ${response.status}.` } = await response
    .json()
    .catch(() => ({}));
  throw new Refused(response.status, code, message);
}

/**
 * The events of a stream. The emulator frames each as one line `event: …` and one line `data: …`.
 *
 * @param {Response} response
 * @returns {AsyncGenerator<any, void, undefined>}
 */
export async function* events({ body }) {
  if (body === null) {
    return;
  }
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    const blocks = (text + value).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block.split("\n").find((line) => line.startsWith("data: "));
      if (data) {
        yield JSON.parse(data.slice(6));
      }
    }
  }
}
