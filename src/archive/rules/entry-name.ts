import { isUtf8 } from "node:buffer";

/** Longest path of an entry, in bytes of UTF-8. Chromium truncates longer names. */
export const entryPathBytesMax = 255;

/** Characters forbidden in names on Windows. Chromium unpacks them as U+FFFD on every system. */
const forbiddenCharacter = /[\\:*?"<>|]|\p{Cc}/u;

/** Names of devices on Windows, with any extension. */
const deviceName = /(?:^|\/)(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.[^/]*)?(?:\/|$)/iu;

export interface NameProblem {
  readonly code: "archive_name_not_portable" | "archive_name_not_nfc" | "archive_name_too_long";
  /** Predicate for the name as subject: `has a control character`. */
  readonly problem: string;
}

/** Decodes a name from a file system or a zip; undefined if not UTF-8. */
export function decodeName(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** Lists the folders above a path, outermost first: `a` and `a/b` for `a/b/c`. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
    folders.push(path.slice(0, end));
  }
  return folders;
}

/**
 * Reason why a path cannot be the same file on every system, or in a browser; undefined without a
 * problem. Applies to folders and to ready archives alike.
 */
export function pathProblem(path: string): NameProblem | undefined {
  const bytes = Buffer.byteLength(path);
  if (bytes > entryPathBytesMax) {
    return {
      code: "archive_name_too_long",
      problem: `has a path of ${bytes} bytes; the maximum is ${entryPathBytesMax}`,
    };
  }
  const [forbidden] = forbiddenCharacter.exec(path) ?? [];
  if (forbidden !== undefined) {
    return notPortable(
      /\p{Cc}/u.test(forbidden) ? "has a control character" : `has the character ${forbidden}`,
    );
  }
  if (path.normalize("NFC") !== path) {
    return { code: "archive_name_not_nfc", problem: "is not in Unicode's composed form (NFC)" };
  }
  if (/[. ](?:\/|$)/.test(path)) {
    return notPortable("has a name that ends in a dot or a space");
  }
  return deviceName.test(path) ? notPortable("has a name that is reserved on Windows") : undefined;
}

function notPortable(problem: string): NameProblem {
  return { code: "archive_name_not_portable", problem };
}

/**
 * Finds paths that collide on file systems without letter case, the default on macOS and Windows.
 * Folders are compared too: `Icons/a.png` and `icons/b.png` collide.
 */
export class CaseCollisions {
  readonly #byFolded = new Map<string, string>();
  readonly #seen = new Set<string>();

  /** Adds a path. Returns the colliding earlier path, or undefined. */
  add(path: string): string | undefined {
    for (const part of [...foldersAbove(path), path]) {
      if (this.#seen.has(part)) {
        continue;
      }
      const folded = part.toLowerCase().normalize("NFC");
      const earlier = this.#byFolded.get(folded);
      if (earlier !== undefined) {
        return earlier;
      }
      this.#byFolded.set(folded, part);
      this.#seen.add(part);
    }
    return undefined;
  }
}
