// @ts-nocheck The imports exist in the package only.
/** Commands about programs, for the emulator's own package: `stacks.mjs` of the page, without stacks. */
import { html } from "../elements.mjs";
import { command } from "./parts.mjs";

/** First commands while no request was sent. @param {string} settings Lines with the address and the key. */
export const firstSteps = (settings) => [
  command(settings),
  html`<p class="quiet">Then run a program with any client of the service.</p>`,
];

/** Who sees that an object was changed on the page. */
export const driftSeen = () => html`<p>Changed here, not by a program.</p>`;

/** How to create an object. @returns {[text: string]} */
export const creation = () => ["A program or a seed creates one."];
