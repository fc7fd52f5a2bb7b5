import { canRedraw, lineWidth, type Streams } from "./streams.js";
import { cutToWidth } from "./text.js";

/**
 * Minimum time between two updates of a line, in milliseconds, so that a fast transfer does not
 * flood a terminal.
 */
const redrawEveryMs = 100;

/** A line on standard error that shows how far something has come. */
export interface ProgressLine {
  /** Replaces the line. */
  readonly show: (text: string) => void;
  /** Replaces the line unless it was replaced less than 100 ms ago. */
  readonly update: (text: string) => void;
  /** Removes the line. */
  readonly clear: () => void;
}

/** A progress line for a terminal that can redraw one. Anywhere else it never shows anything. */
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
