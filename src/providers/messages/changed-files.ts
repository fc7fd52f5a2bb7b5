import { quotePath } from "../../text/escape.js";
import { counted, listed } from "../../text/words.js";

/** Short digests of files by path, and of folders (`icons/`) if there are too many files. */
type FileDigests = Readonly<Record<string, string>>;

/** Maximum number of named files. The rest are counted. */
const namedMax = 3;

/** Message such as `2 files changed: "content.js", "new.js" (added).`; undefined without changes. */
export function changedFilesText(before: FileDigests, after: FileDigests): string | undefined {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changes = paths.flatMap((path) => {
    if (before[path] === after[path]) {
      return [];
    }
    const kind = before[path] === undefined ? " (added)" : after[path] === undefined ? " (removed)" : "";
    return [quotePath(path) + kind];
  });
  if (changes.length === 0) {
    return undefined;
  }
  return `${counted(changes.length, "file")} changed: ${listed(changes, namedMax)}.`;
}
