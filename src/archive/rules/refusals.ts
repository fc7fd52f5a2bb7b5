import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";
import { listed, sizeText } from "../../text/words.js";
import type { SecretErrorCode } from "./secrets.js";

/** Kinds of refused files with remedies, by priority: the first kind found is the error's code. */
const refusals = {
  archive_api_key: [
    "Files with the API key of this deployment",
    "Remove the key, or exclude the files: everyone with the archive could use the key",
  ],
  archive_private_key: [
    "Files with a private key",
    'Remove the keys, or list the files in "exclude". Files that only mention a private key can be uploaded in a ready .zip',
  ],
  archive_symlink: ["Symbolic links", "Replace each link with a copy of its target"],
  archive_special_file: ["Neither files nor folders", "Remove pipes, sockets and devices"],
  archive_name_not_utf8: ["Names that are not UTF-8", "Rename these files and folders in UTF-8"],
  archive_name_not_portable: [
    "Names that are not the same on every system",
    "Rename the files, and correct the references to them",
  ],
  archive_name_not_nfc: ["Names in decomposed Unicode", "Rename them to the composed form (NFC)"],
  archive_name_too_long: ["Paths that are too long", "Shorten them to 255 bytes of UTF-8"],
  archive_name_collision: ["Names that differ only in letter case", "Rename one of each pair"],
} satisfies Record<string, readonly [what: string, remedy: string]>;

/** Collects all refused files, so that one error lists every problem. */
export class Refusals {
  readonly #offenders = new Map<string, string[]>();

  /** `offender`: quoted name, followed by the problem in parentheses if not clear from the kind. */
  add(code: keyof typeof refusals, offender: string): void {
    const offenders = this.#offenders.get(code) ?? [];
    offenders.push(offender);
    this.#offenders.set(code, offenders);
  }

  /** Refuses a file in which a secret was found. Without a secret, does nothing. */
  addSecret(path: string, secret: SecretErrorCode | undefined): void {
    if (secret !== undefined) {
      this.add(secret, quotePath(path));
    }
  }

  /** Throws an `ArchiveError` with all refusals. `label` names the archive; `advice` comes last. */
  throwIfAny(label: string, advice: () => string = () => ""): void {
    const found = Object.entries(refusals).filter(([code]) => this.#offenders.has(code));
    const texts = found.map(([code, [what, remedy]]) => {
      const offenders = this.#offenders.get(code)?.sort() ?? [];
      return ` ${what} (${offenders.length.toLocaleString("en-US")}): ${listed(offenders)}. ${remedy}.`;
    });
    if (found[0] !== undefined) {
      throw new ArchiveError(found[0][0], `${label} cannot be packed.${texts.join("")}${advice()}`);
    }
  }
}

/** Lists the five largest files with sizes: `"model.bin" 44.0 MiB, "demo.mp4" 9.8 MiB`. */
export function largestFiles(
  files: readonly { readonly path: string; readonly sizeBytes: number }[],
): string {
  return files
    .toSorted((a, b) => b.sizeBytes - a.sizeBytes)
    .slice(0, 5)
    .map(({ path, sizeBytes }) => `${quotePath(path)} ${sizeText(sizeBytes)}`)
    .join(", ");
}
