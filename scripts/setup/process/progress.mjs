import { stripVTControlCharacters } from "node:util";

/**
 * Prints the action, the reason and the usual duration on standard error, and at the end the
 * duration. Meanwhile, a terminal shows the last line of the tool's output, redrawn in place.
 * Elsewhere, a line every 30 s shows in the log of a pipeline that nothing hangs.
 *
 * @template T
 * @param {{ what: string, why: string, usually: string }} step the three parts of the announcement.
 * @param {(onLine: (line: string) => void) => Promise<T>} work gets a function that takes the
 *   tool's output line by line.
 * @returns {Promise<T>}
 */
export async function showProgress({ what, why, usually }, work) {
  process.stderr.write(`${what}, because ${why}. Usually takes ${usually}.\n`);
  const started = Date.now();
  const isTerminal = process.stderr.isTTY && !process.env.CI && process.env.TERM !== "dumb";
  const elapsed = () => formatDuration(Date.now() - started);
  let last = "";
  const draw = () => {
    const text = `  still running after ${elapsed()}${last && `: ${last}`}`;
    const columns = (process.stderr.columns || 80) - 1;
    process.stderr.write(isTerminal ? `\r\x1b[K${text.slice(0, columns)}` : `${text}\n`);
  };
  const timer = setInterval(draw, isTerminal ? 1_000 : 30_000);
  let outcome = "failed";
  try {
    const result = await work((line) => {
      last = stripVTControlCharacters(line).replace(/\s+/g, " ").trim();
    });
    outcome = "done";
    return result;
  } finally {
    clearInterval(timer);
    process.stderr.write(`${isTerminal ? "\r\x1b[K" : ""}  ${outcome} after ${elapsed()}\n`);
  }
}

/**
 * A duration in words: `9 s`, `5 min 50 s`.
 *
 * @param {number} milliseconds
 */
export function formatDuration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
