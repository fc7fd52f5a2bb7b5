import { canRedraw, lineWidth, type Streams } from "./streams.js";
import { cutToWidth } from "./text.js";

/** Minimum time between two updates of a line, in milliseconds, so that it does not flicker. */
const redrawEveryMs = 100;

/** A line on standard error that shows how far something has come. */
export interface ProgressLine {
  /** Replaces the line. */
  readonly show: (text: string) => void;
  /** Removes the line. */
  readonly clear: () => void;
}

/** A progress line for a terminal that can redraw one. Anywhere else it never shows anything. */
export function progressLine(streams: Pick<Streams, "stderr" | "env">): ProgressLine {
  const write = (text: string) => {
    if (canRedraw(streams)) {
      streams.stderr.write(`\r\x1b[K${text}`);
    }
  };
  return { show: (text) => write(cutToWidth(text, lineWidth(streams))), clear: () => write("") };
}

/**
 * Shows a line while work runs. `update` replaces it, unless it was replaced less than 100 ms ago.
 */
export async function withProgress<T>(
  streams: Streams,
  text: string,
  work: (update: (text: string) => void) => Promise<T>,
): Promise<T> {
  const line = progressLine(streams);
  line.show(text);
  let shownAt = performance.now();
  try {
    return await work((next) => {
      if (performance.now() - shownAt >= redrawEveryMs) {
        line.show(next);
        shownAt = performance.now();
      }
    });
  } finally {
    line.clear();
  }
}
