import { isUtf8 } from "node:buffer";

/**
 * Longest path of an entry, in bytes of UTF-8. Chromium reads names into a buffer of 256 bytes and
 * cuts longer ones.
 */
export const entryPathBytesMax = 255;

/**
 * Characters Windows has no names with. Chromium replaces them by U+FFFD on every system when it
 * unpacks an extension.
 */
const forbiddenCharacter = /[\\:*?"<>|]|\p{Cc}/u;

/** Names that are devices on Windows, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\..*| *)$/iu;

/** Code of an `ArchiveError` about a name. */
export type NameProblemCode =
  | "archive_name_not_portable"
  | "archive_name_not_nfc"
  | "archive_name_not_utf8"
  | "archive_name_too_long"
  | "archive_name_collision";

/** What is wrong with a name. */
export interface NameProblem {
  readonly code: NameProblemCode;
  /** Completes a sentence whose subject is the name: `has a ":"`. */
  readonly problem: string;
}

/** The text of a name as the file system or a zip gives it; undefined when it is not UTF-8. */
export function decodeName(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes).toString() : undefined;
}

/**
 * Why a browser could not unpack an entry under this path, or would put it elsewhere; undefined
 * when it can. Holds for every archive, ready ones included.
 */
export function unpackProblem(path: string): NameProblem | undefined {
  if (Buffer.byteLength(path) > entryPathBytesMax) {
    return {
      code: "archive_name_too_long",
      problem: `has a path of ${Buffer.byteLength(path)} bytes; ${entryPathBytesMax} are the most`,
    };
  }
  const forbidden = forbiddenCharacter.exec(path)?.[0];
  if (forbidden !== undefined) {
    return notPortable(
      /\p{Cc}/u.test(forbidden) ? "has a control character" : `has the character ${forbidden}`,
    );
  }
  return undefined;
}

/**
 * Why this path cannot be the same file on every system; undefined when it can. Renaming it
 * silently would break the extension's references to it.
 */
export function portabilityProblem(path: string): NameProblem | undefined {
  const problem = unpackProblem(path);
  if (problem !== undefined) {
    return problem;
  }
  if (path.normalize("NFC") !== path) {
    return { code: "archive_name_not_nfc", problem: "is not in Unicode's composed form (NFC)" };
  }
  for (const name of path.split("/")) {
    if (name.endsWith(".") || name.endsWith(" ")) {
      return notPortable("has a name that ends in a dot or a space");
    }
    if (deviceName.test(name)) {
      return notPortable("has a name that is reserved on Windows");
    }
  }
  return undefined;
}

function notPortable(problem: string): NameProblem {
  return { code: "archive_name_not_portable", problem };
}

/**
 * Finds paths that would be one file or folder where letter case does not count, which is the
 * default on macOS and Windows. Folders are compared too: `Icons/a.png` and `icons/b.png` collide.
 */
export class CaseCollisions {
  readonly #seen = new Map<string, string>();

  /** Adds a path, and returns the earlier one it collides with. */
  add(path: string): string | undefined {
    for (let end = path.indexOf("/"); ; end = path.indexOf("/", end + 1)) {
      const prefix = end === -1 ? path : path.slice(0, end);
      const folded = prefix.toLowerCase().normalize("NFC");
      const earlier = this.#seen.get(folded);
      if (earlier !== undefined && earlier !== prefix) {
        return earlier;
      }
      this.#seen.set(folded, prefix);
      if (end === -1) {
        return undefined;
      }
    }
  }
}
