import { createHash, type Hash } from "node:crypto";
import type { ArchiveEntry, ForeignContents } from "./contents.js";

/**
 * Most bytes that the digests of one extension take in the state file, as JSON. They are kept
 * twice, in inputs and outputs, and the state of one extension stays below 64 KiB however many
 * files it has.
 */
export const fileDigestsBytesMax = 24 * 1024;

/** Hexadecimal digits of each digest: enough to see a change. The archive's checksum decides. */
const digestLength = 12;

/** Key of the one digest that is left when the top level alone has too many files. */
export const allFilesKey = "(all files)";

/** What a state file keeps of an archive's contents: small, however many files there are. */
export interface ContentsSummary {
  readonly fileCount: number;
  /** Undefined for an archive from elsewhere without a name or version. */
  readonly manifest: { readonly name: string; readonly version: string } | undefined;
  /** A short digest for each file, or for each folder when there are too many files. */
  readonly files: Readonly<Record<string, string>>;
}

/** The summary of what was read or packed. */
export function contentsSummary({
  entries,
  manifest,
}: Pick<ForeignContents, "entries" | "manifest">): ContentsSummary {
  return { fileCount: entries.length, manifest, files: fileDigests(entries) };
}

/**
 * A short digest for each file, so that a preview names the files that change. When these are too
 * many for the state file, one digest for each folder (`icons/`) replaces those of its files. The
 * deepest folders come first, level by level.
 */
export function fileDigests(entries: readonly ArchiveEntry[]): Record<string, string> {
  let digests = new Map(entries.map((entry) => [entry.path, entry.sha256.slice(0, digestLength)]));
  while (Buffer.byteLength(JSON.stringify(Object.fromEntries(digests))) > fileDigestsBytesMax) {
    digests = withoutDeepest(digests);
  }
  return Object.fromEntries(digests);
}

/** One digest for each folder of the deepest level, instead of those of what is in it. */
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
