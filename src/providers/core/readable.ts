import { LocalError } from "../../errors.js";
import type { Call } from "../call.js";

/**
 * Reads the journal for a preview or a comparison, where an entry that cannot be read is a warning.
 * Undefined then. The request that follows reads it again, and fails. `isTold`: the warning was
 * given already.
 */
export function ifReadable<T>(call: Call, read: () => T, { isTold = false } = {}): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof LocalError && error.code === "journal_unreadable") {
      if (!isTold) {
        call.context.report.warning(error.message);
      }
      return undefined;
    }
    throw error;
  }
}
