import { lstatSync } from "node:fs";
import { join } from "node:path";
import { ArchiveError } from "../../errors.js";
import { checkManifest, type ManifestSummary } from "../manifest/manifest.js";
import type { ExcludeMatcher } from "../rules/exclude.js";
import { neverShipReason } from "../rules/never-ship.js";
import { runInTurns } from "../steps.js";
import { type FolderFile, listFolder } from "./folder.js";
import type { ExtensionLocation } from "./location.js";
import { nearestManifestFolder } from "./nearest-manifest.js";
import { readWhole } from "./read-file.js";

/** Most paths of `leftOut`; the rest is only counted. */
export const leftOutListedMax = 100;

/** A folder that is to be read. Unlike an `ExtensionLocation`, it can be sent to a worker. */
export type FolderLocation = Pick<ExtensionLocation, "absolutePath" | "label">;

/** A folder that is an extension: listed, and its manifest checked. */
export interface OpenFolder {
  /** The files that ship, in the byte order of their UTF-8 paths. */
  readonly files: readonly FolderFile[];
  readonly manifest: ManifestSummary;
  readonly leftOut: readonly string[];
  readonly leftOutCount: number;
}

/**
 * Lists a folder and checks its manifest, so that a wrong folder fails before its files are read.
 */
export async function openFolder(
  location: FolderLocation,
  isExcluded: ExcludeMatcher,
  signal: AbortSignal | undefined,
): Promise<OpenFolder> {
  const { label } = location;
  requireManifest(location);
  const { files, leftOut } = await runInTurns(listFolder(location, isExcluded), label, signal);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const listed = (path: string): FolderFile => {
    const file = byPath.get(path);
    if (file === undefined) {
      throw noManifest(label, undefined);
    }
    return file;
  };
  const manifest = await checkManifest({
    label,
    paths: new Set(byPath.keys()),
    sizeOf: (path) => listed(path).sizeBytes,
    read: (path) => runInTurns(readWhole(listed(path), label), label, signal),
    whyLeftOut: (path) => whyLeftOut(path, isExcluded),
  });
  return {
    files,
    manifest,
    leftOut: leftOut.slice(0, leftOutListedMax),
    leftOutCount: leftOut.length,
  };
}

/**
 * Refuses a folder without a manifest before it is walked: a wrong path may be somebody's whole
 * disk.
 */
function requireManifest({ absolutePath, label }: FolderLocation): void {
  const stats = lstatSync(join(absolutePath, "manifest.json"), { throwIfNoEntry: false });
  // A link is refused by name later, like any other.
  if (stats === undefined || stats.isDirectory()) {
    throw noManifest(label, nearestManifestFolder(absolutePath));
  }
}

function noManifest(label: string, nearest: string | undefined): ArchiveError {
  const hint = nearest === undefined ? "" : `; the nearest manifest is in "${nearest}"`;
  return new ArchiveError(
    "archive_manifest_missing",
    `${label} has no manifest.json at its top level. Point "path" at the unpacked extension itself${hint}.`,
  );
}

/** Says which rule keeps a path, or a folder above it, out of the archive. */
function whyLeftOut(path: string, isExcluded: ExcludeMatcher): string | undefined {
  for (let end = path.indexOf("/"); ; end = path.indexOf("/", end + 1)) {
    const isFolder = end !== -1;
    const part = isFolder ? path.slice(0, end) : path;
    if (isExcluded(part, isFolder)) {
      return 'is left out by "exclude"';
    }
    const reason = neverShipReason(part, isFolder);
    if (reason !== undefined) {
      return `never ships (${reason})`;
    }
    if (!isFolder) {
      return undefined;
    }
  }
}
