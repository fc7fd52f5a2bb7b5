import { once } from "node:events";
import { createInterface } from "node:readline";
import { BrowserInfraError, InputError } from "../../errors.js";
import type { Streams } from "./streams.js";

/** Error code for a question that was not answered with yes. */
export const declinedCode = "declined";

/** Throws `InputError` `confirmation_needed` where no person can answer. Called before any work. */
export function requireTerminal({ stdin, stderr }: Streams): void {
  if (stdin.isTTY && stderr.isTTY) {
    return;
  }
  throw new InputError(
    "confirmation_needed",
    "yes",
    "Not a terminal, so no person can confirm. Nothing was done. Pass --yes to skip the prompt.",
  );
}

/** Waits for `y` or `yes`. Throws `BrowserInfraError` `declined` with `whenDeclined` otherwise. */
export async function confirm(
  question: string,
  whenDeclined: string,
  { stdin, stderr }: Streams,
  signal: AbortSignal,
): Promise<void> {
  stderr.write(`${question} [y/N] `);
  // The terminal itself edits the line and turns Ctrl+C into SIGINT, so signals are handled in one
  // place.
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    const [answer] = (await Promise.race([
      once(lines, "line", { signal }),
      once(lines, "close", { signal }),
    ])) as [string | undefined];
    // At the end of input, Enter was not pressed.
    if (answer === undefined) {
      stderr.write("\n");
    }
    if (!/^\s*y(?:es)?\s*$/i.test(answer ?? "")) {
      throw new BrowserInfraError(declinedCode, whenDeclined);
    }
  } finally {
    lines.close();
  }
}
