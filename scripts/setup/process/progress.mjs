import { stripVTControlCharacters } from "node:util";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMilliseconds = 100;
/**
 * Interval of lines without a terminal: the log of a pipeline shows that nothing hangs, and stays
 * short.
 */
const plainLineSeconds = 30;

/** Whether a line may be redrawn in place. */
function isTerminal() {
  return Boolean(process.stderr.isTTY) && !process.env.CI && process.env.TERM !== "dumb";
}

/**
 * Prints the action, the reason and the usual duration on standard error. Meanwhile shows the last
 * line of the tool's output, and at the end the duration. In a terminal, redraws a single line;
 * elsewhere, prints plain lines.
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
  let last = "";
  let frame = 0;
  const terminal = isTerminal();
  const elapsed = () => formatDuration(Date.now() - started);
  const draw = terminal
    ? () => {
        const text = `  ${frames[frame++ % frames.length]} ${elapsed()}${last && `  ${last}`}`;
        process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
      }
    : () => process.stderr.write(`  still running after ${elapsed()}${last && `: ${last}`}\n`);
  const timer = setInterval(draw, terminal ? frameMilliseconds : plainLineSeconds * 1000);
  let outcome = "failed";
  try {
    const result = await work((line) => {
      last = stripVTControlCharacters(line).replace(/\s+/g, " ").trim();
    });
    outcome = "done";
    return result;
  } finally {
    clearInterval(timer);
    process.stderr.write(`${terminal ? "\r\x1b[K" : ""}  ${outcome} after ${elapsed()}\n`);
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
