import type { Streams } from "./streams.js";
import { cutToWidth } from "./text.js";

/** Least time between two texts of one line, in milliseconds, so that a fast transfer does not flood a slow terminal. */
const redrawEveryMs = 100;

/** A line on standard error that tells how far something has come. */
export interface ProgressLine {
  /** Shows text in place of what is shown. */
  readonly show: (text: string) => void;
  /** Shows text unless the last one is too fresh. */
  readonly update: (text: string) => void;
  /** Takes the line away. */
  readonly clear: () => void;
}

/** Whether standard error is a terminal that can redraw a line. */
export function canRedraw({ stderr, env }: Pick<Streams, "stderr" | "env">): boolean {
  return stderr.isTTY === true && env.TERM !== "dumb";
}

/** Cells that a line on standard error may take; the last one of a terminal's line stays free, so that it does not wrap. */
export function lineWidth({ stderr }: Pick<Streams, "stderr">): number {
  // Some terminals say 0 while they do not know.
  return (stderr.columns || 80) - 1;
}

/** A progress line in a terminal that can redraw one; elsewhere nothing is ever shown. */
export function progressLine(streams: Pick<Streams, "stderr" | "env">): ProgressLine {
  const { stderr } = streams;
  if (!canRedraw(streams)) {
    return { show: () => {}, update: () => {}, clear: () => {} };
  }
  let shownAt = Number.NEGATIVE_INFINITY;
  const show = (text: string) => {
    shownAt = performance.now();
    stderr.write(`\r\x1b[K${cutToWidth(text, lineWidth(streams))}`);
  };
  return {
    show,
    update: (text) => {
      if (performance.now() - shownAt >= redrawEveryMs) {
        show(text);
      }
    },
    clear: () => {
      stderr.write("\r\x1b[K");
    },
  };
}
