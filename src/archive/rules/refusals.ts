import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";
import { counted, listed, sizeText } from "../../text/words.js";
import type { NameProblemCode } from "./entry-name.js";

/** Code of an `ArchiveError` for files that stand in the way of the whole archive. */
export type RefusalCode = NameProblemCode | "archive_symlink" | "archive_special_file";

interface Refusal {
  readonly one: string;
  readonly many: string;
  readonly remedy: string;
}

/** In the order in which a message names them; the first kind found gives the error its code. */
const refusalsByCode: Readonly<Record<RefusalCode, Refusal>> = {
  archive_symlink: {
    one: "is a symbolic link",
    many: "are symbolic links",
    remedy: "Replace a link by a copy of what it points to",
  },
  archive_special_file: {
    one: "is neither a file nor a folder",
    many: "are neither files nor folders",
    remedy: "Remove pipes, sockets and devices",
  },
  archive_name_not_utf8: {
    one: "has a name that is not UTF-8",
    many: "have names that are not UTF-8",
    remedy: "Rename it in UTF-8",
  },
  archive_name_not_portable: {
    one: "has a name that is not the same on every system",
    many: "have names that are not the same on every system",
    remedy: "Rename it, also where the extension refers to it",
  },
  archive_name_not_nfc: {
    one: "has a name in decomposed Unicode",
    many: "have names in decomposed Unicode",
    remedy: "Rename it to the composed form (NFC)",
  },
  archive_name_too_long: {
    one: "has a path that is too long",
    many: "have paths that are too long",
    remedy: "Shorten the path to 255 bytes of UTF-8",
  },
  archive_name_collision: {
    one: "differs from another name only in letter case",
    many: "differ from other names only in letter case",
    remedy: "Rename one of the two",
  },
};

/** Collects what cannot be packed, so that one error names it all. */
export class Refusals {
  readonly #offenders = new Map<RefusalCode, string[]>();

  /**
   * `offender` is a quoted name, with what is wrong about it in parentheses where its kind does not
   * say it.
   */
  add(code: RefusalCode, offender: string): void {
    const offenders = this.#offenders.get(code);
    if (offenders === undefined) {
      this.#offenders.set(code, [offender]);
    } else {
      offenders.push(offender);
    }
  }

  /**
   * Throws an `ArchiveError` when there is anything to refuse. `label` names the archive; `advice`
   * ends the message.
   */
  throwIfAny(label: string, advice: string): void {
    const kinds = (Object.keys(refusalsByCode) as RefusalCode[]).flatMap((code) => {
      const offenders = this.#offenders.get(code);
      return offenders === undefined
        ? []
        : [{ code, refusal: refusalsByCode[code], offenders: offenders.toSorted() }];
    });
    const [first] = kinds;
    if (first === undefined) {
      return;
    }
    const texts = kinds.map(({ refusal, offenders }) => {
      const verb = offenders.length === 1 ? refusal.one : refusal.many;
      return `${counted(offenders.length, "entry", "entries")} ${verb}: ${listed(offenders)}. ${refusal.remedy}.`;
    });
    throw new ArchiveError(first.code, `${label} cannot be packed. ${texts.join(" ")}${advice}`);
  }
}

/**
 * The five largest files with their sizes, largest first: `"model.bin" 44.0 MiB, "demo.mp4" 9.8
 * MiB`.
 */
export function largestFiles(
  files: readonly { readonly path: string; readonly sizeBytes: number }[],
): string {
  return files
    .toSorted((a, b) => b.sizeBytes - a.sizeBytes)
    .slice(0, 5)
    .map(({ path, sizeBytes }) => `${quotePath(path)} ${sizeText(sizeBytes)}`)
    .join(", ");
}
