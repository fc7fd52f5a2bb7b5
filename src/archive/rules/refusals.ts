import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";
import { counted, listed, sizeText } from "../../text/words.js";

/** What is wrong with one entry, with several, and what to do about it. */
type Refusal = readonly [one: string, many: string, remedy: string];

/** In the order in which a message names them. The first kind found gives the error its code. */
const refusals = {
  archive_symlink: [
    "is a symbolic link",
    "are symbolic links",
    "Replace a link by a copy of what it points to",
  ],
  archive_special_file: [
    "is neither a file nor a folder",
    "are neither files nor folders",
    "Remove pipes, sockets and devices",
  ],
  archive_name_not_utf8: [
    "has a name that is not UTF-8",
    "have names that are not UTF-8",
    "Rename it in UTF-8",
  ],
  archive_name_not_portable: [
    "has a name that is not the same on every system",
    "have names that are not the same on every system",
    "Rename it, also where the extension refers to it",
  ],
  archive_name_not_nfc: [
    "has a name in decomposed Unicode",
    "have names in decomposed Unicode",
    "Rename it to the composed form (NFC)",
  ],
  archive_name_too_long: [
    "has a path that is too long",
    "have paths that are too long",
    "Shorten the path to 255 bytes of UTF-8",
  ],
  archive_name_collision: [
    "differs from another name only in letter case",
    "differ from other names only in letter case",
    "Rename one of the two",
  ],
} satisfies Record<string, Refusal>;

/** Collects what cannot be packed, so that one error names everything. */
export class Refusals {
  readonly #offenders = new Map<string, string[]>();

  /**
   * `offender` is a quoted name, with what is wrong about it in parentheses when its kind does not
   * say it.
   */
  add(code: keyof typeof refusals, offender: string): void {
    const offenders = this.#offenders.get(code) ?? [];
    offenders.push(offender);
    this.#offenders.set(code, offenders);
  }

  /**
   * Throws an `ArchiveError` when there is anything to refuse. `label` names the archive; `advice`
   * ends the message.
   */
  throwIfAny(label: string, advice: string): void {
    const kinds = Object.entries<Refusal>(refusals).flatMap(([code, [one, many, remedy]]) => {
      const offenders = this.#offenders.get(code)?.sort() ?? [];
      const entries = counted(offenders.length, "entry", "entries");
      const text = `${entries} ${offenders.length === 1 ? one : many}: ${listed(offenders)}. ${remedy}.`;
      return offenders.length === 0 ? [] : [{ code, text }];
    });
    if (kinds[0] !== undefined) {
      const texts = kinds.map(({ text }) => text).join(" ");
      throw new ArchiveError(kinds[0].code, `${label} cannot be packed. ${texts}${advice}`);
    }
  }
}

/** The five largest files with their sizes: `"model.bin" 44.0 MiB, "demo.mp4" 9.8 MiB`. */
export function largestFiles(
  files: readonly { readonly path: string; readonly sizeBytes: number }[],
): string {
  return files
    .toSorted((a, b) => b.sizeBytes - a.sizeBytes)
    .slice(0, 5)
    .map(({ path, sizeBytes }) => `${quotePath(path)} ${sizeText(sizeBytes)}`)
    .join(", ");
}
