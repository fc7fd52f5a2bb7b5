import { canRedraw, lineWidth, type Streams } from "./streams.js";
import { cutToWidth } from "./text.js";

/** Minimum time between two updates of a line, in milliseconds. Prevents flicker. */
const redrawEveryMs = 100;

/** Line on standard error that shows progress. */
export interface ProgressLine {
  readonly show: (text: string) => void;
  readonly clear: () => void;
}

/** Progress line for a terminal that can redraw lines. Anywhere else, nothing is shown. */
export function progressLine(streams: Pick<Streams, "stderr" | "env">): ProgressLine {
  const write = (text: string) => {
    if (canRedraw(streams)) {
      streams.stderr.write(`\r\x1b[K${text}`);
    }
  };
  return { show: (text) => write(cutToWidth(text, lineWidth(streams))), clear: () => write("") };
}

/** Shows a line while work runs. `update` replaces the line, at most once in 100 ms. */
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
