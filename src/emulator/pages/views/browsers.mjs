// @ts-check
/**
 * The leased browsers, each with its page as a picture, and the errors of its extensions.
 *
 * @typedef {import("./control.mjs").Row} Row
 */

import { html, Refused } from "../elements.mjs";
import { chosen, control, read, redraw, rowsOf } from "./control.mjs";
import { askFirst, open } from "./forms.mjs";
import { linkTo, nameOf } from "./kinds.mjs";
import { command, empty, folded, pairs } from "./parts.mjs";

/** Time between two pictures of a browser, in milliseconds: leaves time for the picture within a second. */
const pictureMs = 500;

/** Last pictures, by the ids of the browsers. @type {Map<string, { isDue: boolean, told: Row }>} */
const pictures = new Map();

/** @param {string | undefined} only Id of a browser; undefined for all. */
export function browsers(only) {
  const rows = rowsOf("browsers");
  for (const id of pictures.keys()) {
    if (!rows.some((row) => row.id === id)) {
      pictures.delete(id);
    }
  }
  const cards = rows.filter(({ id }) => id === (only ?? id)).map(card);
  const none = only
    ? empty("It is gone", "The lease has ended, and the browser with it.")
    : empty("No leased browser", "A program leases one from a pool, or creates a session of its own.");
  return [
    only && html`<p><a href="#browsers">← Browsers</a></p>`,
    cards.length > 0 ? html`<div class="stack ${!only && "two"}">${cards}</div>` : none,
  ];
}

/** The page of a browser as last seen. A view that shows a browser, in a visible tab, asks again and again. @param {string} id */
function lookedAt(id) {
  const picture = pictures.get(id) ?? { isDue: true, told: {} };
  pictures.set(id, picture);
  if (picture.isDue && !document.hidden && !chosen.isPaused) {
    void look(id, picture);
  }
  return picture.told;
}

/** Asks for a picture, and then leaves a pause. @param {string} id @param {{ isDue: boolean, told: Row }} picture */
async function look(id, picture) {
  picture.isDue = false;
  const pause = new Promise((resolve) => setTimeout(resolve, pictureMs));
  picture.told = await read(`/browsers/${id}/picture`).catch((error) =>
    error instanceof Refused ? { problem: error.message } : picture.told,
  );
  redraw();
  await pause;
  picture.isDue = true;
  redraw();
}

/** @param {Row} row */
function card({ id, name, poolId, apiKeyId, acquiredAt, clients, missing, extensions, pageErrors }) {
  const { url, title, jpeg, problem = missing } = missing ? {} : lookedAt(id);
  const label = name ?? id;
  const pool =
    poolId && linkTo({ kind: "browserPools", row: { id: poolId }, name: nameOf("browserPools", poolId) });
  const loaded = extensions.map((/** @type {Row} */ each) => extension(each, !missing));
  const end = () => control(`/browsers/${id}`, "DELETE").then(() => open());
  const question = `End ${label}? Its clients lose the browser.`;
  const picture = jpeg
    ? html`<img src="data:image/jpeg;base64,${jpeg}" alt="Page of ${label}">`
    : jpeg === null && html`<p class="quiet">The page gives no picture at present.</p>`;
  return html`<section class="card" data-key=${id} aria-label=${label}><h2><a href="#browsers/${id}">${label}</a></h2>
    ${picture}${problem && html`<p class="quiet">${problem}</p>`}${problem?.includes("--browser") && command("npx browser-infra emulator --browser")}
    ${pairs([
      ["Title", title],
      ["Address", url && html`<code>${url}</code>`],
      ["Pool", pool ?? "none"],
      ["Leased by", apiKeyId ? `key ${nameOf("apiKeys", apiKeyId)}` : "a test"],
      ["Since", `${acquiredAt.slice(0, 19).replace("T", " ")} UTC`],
      ["Clients", clients],
      ["Extensions", loaded.length > 0 ? loaded : "none"],
    ])}
    ${pageErrors.length > 0 && folded(`Errors of pages: ${pageErrors.length}`, pageErrors.join("\n"))}
    ${askFirst("End", question, end, "")}</section>`;
}

/** An extension, with each error once. The scripts' addresses are shown without the id that Chromium made up. @param {Row} extension @param {boolean} isRunning */
function extension({ name, errors }, isRunning) {
  const texts = errors.map((/** @type {string} */ error) =>
    error.replaceAll(/chrome-extension:\/\/\w+\//g, ""),
  );
  const lines = [...new Set(texts)].map((text) => html`<p class="bad">${text}</p>`);
  const none = isRunning && lines.length === 0 && html`<span class="quiet">no error</span>`;
  return html`<p><b>${name}</b> ${none}</p>${lines}`;
}
