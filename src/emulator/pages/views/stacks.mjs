// @ts-check
/** Commands about programs and stacks. The emulator's own package has a file without stacks in this place. */
import { html } from "../elements.mjs";
import { command } from "./parts.mjs";

/** First commands while no request was sent. @param {string} settings Lines with the address and the key. */
export const firstSteps = (settings) => [
  command(`${settings}\npulumi up`),
  html`<p class="quiet">No program yet? This makes one and deploys it:</p>`,
  command("npx browser-infra init my-browsers --up"),
];

/** Who sees that an object was changed on the page. @param {string} one Name of the kind. */
export const driftSeen = (one) => [
  html`<p>Changed here, not by a program. A stack with the ${one} sees the drift:</p>`,
  command("npx browser-infra drift"),
];

/**
 * How to create an object. `next`: arguments of the command line.
 *
 * @returns {[text: string, more: unknown]}
 */
export const creation = (next = "init my-browsers --up") => [
  "A program creates one, or this command:",
  command(`npx browser-infra ${next}`),
];
