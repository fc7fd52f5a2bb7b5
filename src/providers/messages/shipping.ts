/** Messages about a folder that is packed and uploaded, for extensions and apps alike. */
import type { ExtensionContents } from "../../archive/index.js";
import type { UploadOptions } from "../../client/index.js";
import { quote, quotePath } from "../../text/escape.js";
import { listed } from "../../text/words.js";
import type { LifecycleContext } from "../lifecycle.js";

/** Maximum number of excluded files named in the row. */
const namedMax = 3;

/** Maximum number of warnings about the files in the row. */
const warningsMax = 5;

/** Milliseconds between two messages of an upload or a build. Outside a terminal, a message is a log line. */
export const progressEveryMs = 3_000;

/**
 * Reports files excluded by default, patterns without a match, and defects that do not keep the files from
 * their use, which `use` names: `The code ships`. The state does not contain the numbers: a new number would
 * look like a change of the resource.
 */
export function reportContents(
  { excludedPaths, excludedCount, unusedPatterns, warnings }: Omit<ExtensionContents, "manifest">,
  use: string,
  { report }: LifecycleContext,
): void {
  if (excludedCount > 0) {
    const names = excludedPaths.map(quotePath);
    // The length of `excludedPaths` is limited, too.
    const listedUpTo = (max: number) => listed(names, max, ", ", excludedCount);
    const advice = excludedCount > namedMax ? ' "--debug" shows all names.' : "";
    // The names come first: at 80 columns, the row has no room for more.
    report.info(`Excluded ${listedUpTo(namedMax)}: such files never ship.${advice}`);
    report.debug(`Excluded, because such files never ship: ${listedUpTo(names.length)}.`);
  }
  if (unusedPatterns.length > 0) {
    const patterns = listed(unusedPatterns.map((pattern) => quote(pattern)));
    report.warning(`"exclude" has patterns without effect: ${patterns}. Correct or remove these patterns.`);
  }
  if (warnings.length > 0) {
    report.warning(`${use}, but ${listed(warnings, warningsMax, "; ")}.`);
  }
}

/** Returns options of an upload that shows the progress on the row, at most every 3 s. */
export function uploadOptions({ report, signal }: LifecycleContext): UploadOptions {
  let reportedAt = performance.now();
  return {
    signal,
    onProgress: ({ sentBytes, totalBytes }) => {
      if (performance.now() - reportedAt >= progressEveryMs) {
        reportedAt = performance.now();
        report.progress(`uploading, ${Math.floor((sentBytes / totalBytes) * 100)} % of ${totalBytes} bytes`);
      }
    },
  };
}
