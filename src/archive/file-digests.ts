import { createHash, type Hash } from "node:crypto";
import type { ArchiveEntry, ForeignContents } from "./contents.js";

/**
 * Maximum size of an extension's digests in the state file, in bytes of JSON. The state contains
 * the digests twice, in inputs and outputs, and stays below 64 KiB for any number of files.
 */
export const fileDigestsBytesMax = 24 * 1024;

/** Hexadecimal digits of a digest: enough to show a change. The archive's checksum decides. */
const digestLength = 12;

/** Key of the only digest if the top level alone has too many files. */
export const allFilesKey = "(all files)";

/** Summary of an archive's contents for the state file, small for any number of files. */
export interface ContentsSummary {
  readonly fileCount: number;
  /** Undefined for a foreign archive without a name or version. */
  readonly manifest: { readonly name: string; readonly version: string } | undefined;
  /** Short digest of each file, or of each folder if there are too many files. */
  readonly files: Readonly<Record<string, string>>;
}

/** Summarizes contents that were read or packed. */
export function contentsSummary({
  entries,
  manifest,
}: Pick<ForeignContents, "entries" | "manifest">): ContentsSummary {
  return { fileCount: entries.length, manifest, files: fileDigests(entries) };
}

/**
 * Returns a short digest of each file, so that a preview lists the changed files. If there are too
 * many digests for the state file, one digest of a folder (`icons/`) replaces the digests of the
 * files inside, level by level from the deepest.
 */
export function fileDigests(entries: readonly ArchiveEntry[]): Record<string, string> {
  let digests = new Map(entries.map((entry) => [entry.path, entry.sha256.slice(0, digestLength)]));
  while (Buffer.byteLength(JSON.stringify(Object.fromEntries(digests))) > fileDigestsBytesMax) {
    digests = withoutDeepest(digests);
  }
  return Object.fromEntries(digests);
}

/** Replaces the digests of the deepest level by one digest for each folder. */
function withoutDeepest(digests: ReadonlyMap<string, string>): Map<string, string> {
  const deepest = [...digests.keys()].reduce((depth, path) => Math.max(depth, depthOf(path)), 0);
  const kept = new Map<string, string>();
  const folders = new Map<string, Hash>();
  for (const [path, digest] of digests) {
    if (depthOf(path) < deepest) {
      kept.set(path, digest);
      continue;
    }
    const folder = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1) || allFilesKey;
    const hash = folders.get(folder) ?? createHash("sha256");
    folders.set(folder, hash.update(`${path}\0${digest}\n`));
  }
  for (const [folder, hash] of folders) {
    kept.set(folder, hash.digest("hex").slice(0, digestLength));
  }
  return kept;
}

/** Number of folders above a file or folder: 0 at the top level. */
function depthOf(path: string): number {
  return path.split("/").length - (path.endsWith("/") ? 2 : 1);
}
