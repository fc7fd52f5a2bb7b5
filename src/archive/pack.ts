import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { ArchiveError, CanceledError, InputError } from "../errors.js";
import {
  type ArchiveEntry,
  type ArchiveOptions,
  contentDigestOf,
  type ExtensionArchive,
  type ExtensionContents,
  sha256Of,
} from "./contents.js";
import { listFolder } from "./folder-listing.js";
import { archiveBytesMax, contentBytesMax, mebibytes } from "./limits.js";
import { checkManifest } from "./manifest.js";
import { readReadyZip } from "./ready-zip.js";
import { changed, readSourceFile } from "./source-file.js";
import { ZipWriter, zipEntry } from "./zip-writer.js";

/**
 * Reads an extension without compressing anything: what a preview needs when the contents are known already.
 *
 * Throws `InputError` for `path` or `exclude`, `ArchiveError` for contents that cannot be packed, `CanceledError` on abort.
 */
export async function readExtension(path: string, options: ArchiveOptions = {}): Promise<ExtensionContents> {
  return (await isFolder(path))
    ? readFolder(path, options, () => {})
    : (await readZipFile(path, options)).contents;
}

/**
 * Packs a folder to an archive whose bytes depend on the contents of its files alone, or takes a ready `.zip` byte for byte.
 *
 * Throws as `readExtension` does, and `ArchiveError` `archive_too_large` beyond 50 MiB, with the largest files.
 */
export async function packExtension(path: string, options: ArchiveOptions = {}): Promise<ExtensionArchive> {
  let contents: ExtensionContents;
  let bytes: Uint8Array;
  if (await isFolder(path)) {
    const writer = new ZipWriter();
    const packedSizes = new Map<string, number>();
    contents = await readFolder(path, options, (entryPath, file) => {
      const entry = zipEntry(entryPath, file);
      packedSizes.set(entryPath, entry.data.byteLength);
      // Beyond the limit nothing is kept any more, but the error is to name the largest of all files.
      if (writer.sizeBytes <= archiveBytesMax) {
        writer.add(entry);
      }
    });
    if (writer.sizeBytes > archiveBytesMax) {
      throw tooLarge(path, packedSizes);
    }
    bytes = writer.end();
  } else {
    ({ contents, bytes } = await readZipFile(path, options));
  }
  if (bytes.byteLength > archiveBytesMax) {
    throw tooLarge(path, new Map());
  }
  return { ...contents, bytes, checksum: sha256Of(bytes), sizeBytes: bytes.byteLength };
}

async function isFolder(path: string): Promise<boolean> {
  if (path.trim() === "" || path.includes("\0")) {
    throw new InputError("path_invalid", "path", '"path" has to name a folder or a .zip file.');
  }
  let stats: Stats;
  try {
    stats = await stat(path);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new InputError(
      "path_unreadable",
      "path",
      code === "ENOENT"
        ? `There is no "${path}". A relative path starts at the program's folder; build the extension first if it is made by a build.`
        : `"${path}" cannot be read (${code}).`,
      { cause: error },
    );
  }
  if (stats.isDirectory()) {
    return true;
  }
  if (stats.isFile() && path.toLowerCase().endsWith(".zip")) {
    return false;
  }
  throw new InputError(
    "path_invalid",
    "path",
    `"${path}" is neither a folder nor a .zip file. Point "path" at the folder of the unpacked extension.`,
  );
}

/** Reads every file once, in archive order, one at a time in memory; `take` gets each of them. */
async function readFolder(
  folder: string,
  { exclude = [], signal }: ArchiveOptions,
  take: (path: string, contents: Buffer) => void,
): Promise<ExtensionContents> {
  const { files, leftOut } = await listFolder(folder, exclude, signal);
  const entries: ArchiveEntry[] = [];
  let contentBytes = 0;
  for (const { path, location } of files) {
    if (signal?.aborted) {
      throw new CanceledError(`Reading "${folder}" was canceled.`);
    }
    const contents = await readSourceFile(location, path);
    contentBytes += contents.byteLength;
    if (contentBytes > contentBytesMax) {
      throw new ArchiveError(
        "archive_too_large",
        `The files in "${folder}" hold more than ${mebibytes(contentBytesMax)} together. Leave some out with "exclude".`,
      );
    }
    entries.push({ path, sizeBytes: contents.byteLength, sha256: sha256Of(contents) });
    take(path, contents);
  }
  const locations = new Map(files.map(({ path, location }) => [path, location]));
  const digests = new Map(entries.map(({ path, sha256 }) => [path, sha256]));
  const manifest = await checkManifest({
    paths: new Set(locations.keys()),
    source: `"${folder}"`,
    read: async (path) => {
      const contents = await readSourceFile(locations.get(path) ?? path, path);
      if (sha256Of(contents) !== digests.get(path)) {
        throw changed(path);
      }
      return contents;
    },
  });
  return { kind: "folder", entries, contentDigest: contentDigestOf(entries), manifest, leftOut };
}

async function readZipFile(
  path: string,
  { exclude, signal }: ArchiveOptions,
): Promise<{ contents: ExtensionContents; bytes: Buffer }> {
  if (exclude !== undefined && exclude.length > 0) {
    throw new InputError(
      "exclude_invalid",
      "exclude",
      `"${path}" is a ready archive, which is uploaded byte for byte: "exclude" is for folders. Leave "exclude" out.`,
    );
  }
  const { size } = await stat(path);
  if (size > archiveBytesMax) {
    throw tooLarge(path, new Map());
  }
  const bytes = await readSourceFile(path, path);
  const { entries, read } = await readReadyZip(bytes, path, signal);
  const manifest = await checkManifest({
    paths: new Set(entries.map((entry) => entry.path)),
    source: `"${path}"`,
    read,
  });
  const contents: ExtensionContents = {
    kind: "zip",
    entries,
    contentDigest: contentDigestOf(entries),
    manifest,
    leftOut: [],
  };
  return { contents, bytes };
}

function tooLarge(path: string, packedSizes: ReadonlyMap<string, number>): ArchiveError {
  const total = [...packedSizes.values()].reduce((sum, size) => sum + size, 0);
  const largest = [...packedSizes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([file, size]) => `${file} ${mebibytes(size)}`);
  const packsTo =
    packedSizes.size === 0 ? "is larger than the service takes" : `packs to ${mebibytes(total)}`;
  const files = largest.length === 0 ? "" : ` Largest files, packed: ${largest.join(", ")}.`;
  return new ArchiveError(
    "archive_too_large",
    `"${path}" ${packsTo}; the service takes ${mebibytes(archiveBytesMax)}.${files} Leave out what the extension does not need.`,
  );
}
