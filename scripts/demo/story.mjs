const colored = process.stdout.isTTY && !process.env.NO_COLOR;

/** A step of the story, set apart from the engine's own output. */
export function heading(text) {
  console.log(colored ? `\n\x1b[1;34m━━ ${text}\x1b[0m` : `\n== ${text}`);
}

/** A sentence of the story. */
export function say(text) {
  console.log(colored && text !== "" ? `\x1b[34m   ${text}\x1b[0m` : `   ${text}`);
}
