/** Tells a caller how far a transfer has come. What the caller throws is dropped: a display must neither fail a read nor put a write in doubt. */
export function reportProgress<T>(onProgress: ((progress: T) => void) | undefined, progress: T): void {
  try {
    onProgress?.(progress);
  } catch {
    // Documented where callers pass it.
  }
}
