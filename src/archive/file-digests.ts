import { createHash } from "node:crypto";
import type { ArchiveEntry } from "./contents.js";

/**
 * Most the digests of one extension may take in the state file, as JSON. They are kept twice, in
 * inputs and outputs, and the state of one extension stays below 64 KiB however many files it has.
 * Bytes.
 */
export const fileDigestsBytesMax = 24 * 1024;

/**
 * Hexadecimal digits kept of each digest: enough to see a change; the checksum of the archive
 * decides.
 */
const digestLength = 12;

/** Key of the one digest that is left when even the top level has too many files. */
export const allFilesKey = "(all files)";

/**
 * A short digest for each file, so that a preview names the files that change. Where that would be
 * too much for the state file, the deepest folders are drawn together, level by level, into one
 * digest for each folder ("icons/").
 */
export function fileDigests(entries: readonly ArchiveEntry[]): Record<string, string> {
  let digests = new Map(entries.map((entry) => [entry.path, entry.sha256.slice(0, digestLength)]));
  while (bytesOf(digests) > fileDigestsBytesMax) {
    const deepest = Math.max(...[...digests.keys()].map(depthOf));
    digests =
      deepest === 0 ? new Map([[allFilesKey, digestOf([...digests])]]) : foldersDrawn(digests, deepest);
  }
  return Object.fromEntries(digests);
}

/** Replaces everything at `depth` by one digest for each folder that holds it. */
function foldersDrawn(digests: Map<string, string>, depth: number): Map<string, string> {
  const kept = new Map<string, string>();
  const folders = new Map<string, [string, string][]>();
  for (const [path, digest] of digests) {
    if (depthOf(path) < depth) {
      kept.set(path, digest);
      continue;
    }
    const folder = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
    const members = folders.get(folder) ?? [];
    members.push([path, digest]);
    folders.set(folder, members);
  }
  for (const [folder, members] of folders) {
    kept.set(folder, digestOf(members));
  }
  return kept;
}

/** Number of folders above a file or folder: 0 at the top level. */
function depthOf(path: string): number {
  return path.split("/").length - (path.endsWith("/") ? 2 : 1);
}

function digestOf(members: readonly [string, string][]): string {
  const hash = createHash("sha256");
  for (const [path, digest] of members) {
    hash.update(`${path}\0${digest}\n`);
  }
  return hash.digest("hex").slice(0, digestLength);
}

function bytesOf(digests: Map<string, string>): number {
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(digests)));
}
