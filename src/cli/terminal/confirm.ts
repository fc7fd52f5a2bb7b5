import { once } from "node:events";
import { createInterface } from "node:readline";
import { BrowserInfraError, InputError } from "../../errors.js";
import { declinedCode } from "../exit-code.js";
import type { Streams } from "./streams.js";

/** Throws `InputError` where nobody can be asked. Call it before any work, so that a pipeline fails early and alike each time. */
export function requireSomeoneToAsk({ stdin, stderr }: Streams): void {
  if (stdin.isTTY && stderr.isTTY) {
    return;
  }
  throw new InputError(
    "confirmation_needed",
    "yes",
    "Nobody can be asked here, because this is not a terminal, so nothing was done. Give --yes to do it without a question.",
  );
}

/**
 * Asks on standard error and waits for `y` or `yes`. Throws `BrowserInfraError` `declined`, with `otherwise` as its message, for any other
 * answer and for the end of input, and what `signal` was aborted with.
 */
export async function confirm(
  question: string,
  otherwise: string,
  { stdin, stderr }: Streams,
  signal: AbortSignal,
): Promise<void> {
  stderr.write(`${question} [y/N] `);
  // The terminal itself edits the line and turns Ctrl+C into SIGINT, so that it is handled in one place.
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    const [answer] = (await Promise.race([
      once(lines, "line", { signal }),
      once(lines, "close", { signal }),
    ])) as [string | undefined];
    // At the end of input nobody has ended the line.
    if (answer === undefined) {
      stderr.write("\n");
    }
    if (!/^\s*y(?:es)?\s*$/i.test(answer ?? "")) {
      throw new BrowserInfraError(declinedCode, otherwise);
    }
  } finally {
    lines.close();
  }
}
