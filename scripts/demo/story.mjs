const colored = process.stdout.isTTY && !process.env.NO_COLOR;

/**
 * Prints a step of the story, with a look different from the engine's output.
 *
 * @param {string} text
 */
export function heading(text) {
  console.log(colored ? `\n\x1b[1;34m━━ ${text}\x1b[0m` : `\n== ${text}`);
}

/**
 * A sentence of the story.
 *
 * @param {string} text
 */
export function say(text) {
  const line = text === "" ? "" : `   ${text}`;
  console.log(colored ? `\x1b[34m${line}\x1b[0m` : line);
}
