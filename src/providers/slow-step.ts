import type { Report } from "./lifecycle.js";

/** What takes longer than this is said on the resource's row. Milliseconds. */
const slowAfterMs = 1_000;

/**
 * Does `work`, and says `message` on the resource's row once it takes long: outside a terminal every message is a line
 * of its own, and an ordinary extension is packed in milliseconds.
 */
export async function slowStep<T>(report: Report, message: string, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => report.progress(message), slowAfterMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
