// @ts-check
/**
 * Shared by the scripts of both pages. Nothing that the scripts receive is ever parsed as HTML.
 *
 * @typedef {{ method?: string, body?: unknown, token?: string | undefined, project?: string | null }} Sent
 * @typedef {any} Shown Nodes and texts, also in lists of lists. Nothing else is shown.
 */

/** Response with a status other than 2xx: code and message of the body. */
export class Refused extends Error {
  /** @param {number} httpStatus @param {string} code @param {string} message */
  constructor(httpStatus, code, message) {
    super(message);
    this.httpStatus = httpStatus;
    this.code = code;
  }
}

/** Time between two attempts to connect, in milliseconds. */
const reconnectMs = 1000;

/** An element that the page has. @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** A field, or a choice, which has a value too. @param {string} id */
export const input = (id) => /** @type {HTMLInputElement} */ (byId(id));

/** Shows what is wrong, or that nothing is. The same text is not read out again. @param {Shown} [text] */
export const tellProblem = (text) => draw(byId("problem"), text);

/** Templates, parsed once. @type {WeakMap<TemplateStringsArray, Node[]>} */
const templates = new WeakMap();

/**
 * Makes nodes from a template of this page. Values are never parsed: a value is a text, nodes, a part of
 * an attribute, or the function of an event (`@click`). An attribute without a value is left out.
 *
 * @param {TemplateStringsArray} strings
 * @param {...any} values
 * @returns {Node[]}
 */
export function html(strings, ...values) {
  let template = templates.get(strings);
  if (template === undefined) {
    const text = strings.reduce((all, part, index) => `${all}¦${index - 1}¦${part}`).replace(/\s*\n\s*/g, "");
    template = [...new DOMParser().parseFromString(text, "text/html").body.childNodes];
    templates.set(strings, template);
  }
  return template.flatMap((node) => copiesOf(node, values));
}

/** Copies of a node of a template, with the values in their places. @param {Node} node @param {any[]} values @returns {Node[]} */
function copiesOf(node, values) {
  /** Every second part is a value. @param {string | null} text */
  const partsOf = (text) =>
    `${text}`.split("¦").map((part, at) => (at % 2 === 1 ? values[Number(part)] : part));
  if (!(node instanceof Element)) {
    return nodesOf(partsOf(node.nodeValue));
  }
  const copy = document.createElement(node.localName);
  copy.append(...[...node.childNodes].flatMap((child) => copiesOf(child, values)));
  for (const { name, value } of node.attributes) {
    const parts = partsOf(value);
    const isWhole = parts.length === 3 && parts[0] === "" && parts[2] === "";
    const given = isWhole ? parts[1] : parts.map((part) => part || "").join("");
    if (name.startsWith("@")) {
      Object.assign(copy, { [`on${name.slice(1)}`]: given });
    } else if (given !== false && given !== null && given !== undefined) {
      copy.setAttribute(name, given === true ? "" : given);
    }
  }
  return [copy];
}

/** @param {Shown} shown @returns {Node[]} */
function nodesOf(shown) {
  if (Array.isArray(shown)) {
    return shown.flatMap(nodesOf);
  }
  const isNothing = shown === "" || shown === false || shown === null || shown === undefined;
  return isNothing ? [] : [shown instanceof Node ? shown : new Text(String(shown))];
}

/** @param {Node | null | undefined} node */
const keyOf = (node) => (node instanceof HTMLElement ? node.dataset.key : undefined);

/**
 * Makes the children of an element equal to what is wanted. An element with the same `data-key`, or
 * without a key the next one of the same name, stays: so do focus, typed text and scrolling.
 *
 * @param {Element} parent
 * @param {Shown} wanted
 */
export function draw(parent, wanted) {
  const olds = [...parent.childNodes];
  const kept = nodesOf(wanted).map((next) => {
    const at = olds.findIndex((old) => old.nodeName === next.nodeName && keyOf(old) === keyOf(next));
    return at < 0 ? next : updated(olds.splice(at, 1)[0], next);
  });
  for (const old of olds) {
    old.remove();
  }
  for (const [index, node] of kept.entries()) {
    const there = parent.childNodes[index] ?? null;
    if (there !== node) {
      parent.insertBefore(node, there);
    }
  }
}

/** A node, made equal to a new one. Whether details are open, a person decides. @param {any} old @param {any} next */
function updated(old, next) {
  if (old.nodeValue !== next.nodeValue) {
    old.nodeValue = next.nodeValue;
  }
  if (!(old instanceof Element)) {
    return old;
  }
  for (const name of new Set([...old.getAttributeNames(), ...next.getAttributeNames()])) {
    const value = next.getAttribute(name);
    if (value !== null && value !== old.getAttribute(name)) {
      old.setAttribute(name, value);
    } else if (value === null && name !== "open") {
      old.removeAttribute(name);
    }
  }
  Object.assign(old, { onclick: next.onclick, onsubmit: next.onsubmit });
  draw(old, [...next.childNodes]);
  return old;
}

/**
 * Sends a request to the emulator, with a key or a token. Throws `Refused` for any status but 2xx.
 *
 * @param {string} path
 * @param {Sent} [options]
 */
export async function send(path, { method = "GET", body, token, project } = {}) {
  const headers = /** @type {HeadersInit} */ ({
    ...(token && { authorization: `Bearer ${token}` }),
    ...(project && { "x-kernel-project-id": project }),
    ...(body !== undefined && { "content-type": "application/json" }),
  });
  const json = body === undefined ? null : JSON.stringify(body);
  const response = await fetch(path, { method, headers, body: json, cache: "no-store" });
  if (response.ok) {
    return response;
  }
  const text = `The service responded with ${response.status}.`;
  const { code = "", message = text } = await response.json().catch(() => ({}));
  throw new Refused(response.status, code, message);
}

/**
 * The events of a stream. The emulator frames each as one line `event: …` and one line `data: …`.
 *
 * @param {Response} response
 * @returns {AsyncGenerator<any, void, undefined>}
 */
export async function* events({ body }) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    const blocks = (text + piece.value).split("\n\n");
    text = blocks.pop() ?? "";
    yield* blocks.map((block) => JSON.parse(`${block.split("\ndata: ")[1]}`));
  }
}

/**
 * Passes every message of a stream to `take`, until `take` returns true. After the end of a connection,
 * calls `tellLost`, and connects again a second later. Throws `Refused` for a status 4xx except 429.
 *
 * @param {() => AsyncGenerator<any, void, undefined>} stream
 * @param {(message: any) => unknown} take
 * @param {() => void} tellLost
 */
export async function follow(stream, take, tellLost) {
  for (;;) {
    try {
      for await (const message of stream()) {
        if (take(message)) {
          return;
        }
      }
    } catch (error) {
      if (error instanceof Refused && error.httpStatus < 500 && error.httpStatus !== 429) {
        throw error;
      }
    }
    tellLost();
    await new Promise((resolve) => setTimeout(resolve, reconnectMs));
  }
}
