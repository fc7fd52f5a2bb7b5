import { createHash } from "node:crypto";
import { ArchiveError, InputError } from "../errors.js";
import { sizeText } from "../text/words.js";
import {
  type ArchiveEntry,
  archiveBytesMax,
  contentDigestOf,
  type ExtensionArchive,
  type ExtensionContents,
  sha256Of,
} from "./contents.js";
import { compileExclude } from "./exclude.js";
import { type OpenFolder, openFolder } from "./extension-folder.js";
import { type ExtensionLocation, locateExtension } from "./location.js";
import { Pace } from "./pace.js";
import { packedFiles } from "./packed-files.js";
import { readReadyZip, readZipContents } from "./ready-zip.js";
import { largestFiles } from "./refusals.js";
import { releaseMemory } from "./release-memory.js";
import { ZipWriter, zipBytesMax } from "./zip-writer.js";

/** Most that is hashed between two turns of the event loop: a few milliseconds. Bytes. */
const hashedAtOnceBytes = 8 * 1024 * 1024;

/** How an extension is read. */
export interface ArchiveOptions {
  /**
   * Glob patterns for files and folders of the extension that do not ship, relative to its folder: `tests/**`. What a
   * pattern matches is said at `compileExclude`. Not for a ready archive, which is taken as it is.
   */
  readonly exclude?: readonly string[];
  /** Ends the work with a `CanceledError`: between two files, and within one that is compressed on a thread. */
  readonly signal?: AbortSignal;
  /**
   * Threads that compress a folder beside the caller's; 0: the caller's alone. The archive is the same. Default: what the
   * folder is worth on this machine, at most 3.
   */
  readonly threads?: number;
}

/**
 * Reads and checks an extension without compressing it: the files with their digests, and the manifest. A folder is read
 * at about the speed of hashing, so this is what a preview of unchanged files costs.
 *
 * `path` is the folder of an unpacked extension, or a ready `.zip` of one. Throws `InputError` when `path` or `exclude`
 * itself is wrong, `ArchiveError` when what is there cannot be an extension's archive, and `CanceledError`.
 */
export async function readExtension(path: string, options: ArchiveOptions = {}): Promise<ExtensionContents> {
  const { location, pace } = begin(path, options);
  if (location.kind === "zip") {
    const {
      bytes: _bytes,
      checksum: _checksum,
      sizeBytes: _sizeBytes,
      ...contents
    } = await readReadyZip(location, pace);
    return contents;
  }
  const folder = await openFolder(location, compileExclude(options.exclude ?? []), pace);
  const entries: ArchiveEntry[] = [];
  for (const file of folder.files) {
    await pace.step();
    const contents = folder.read(file);
    entries.push({ path: file.path, sizeBytes: contents.length, sha256: await sha256AtPace(contents, pace) });
    releaseMemory(contents);
  }
  return contentsOf(folder, entries);
}

/**
 * Packs an extension into the zip that is uploaded. The same files give the same bytes on every machine, whatever their
 * dates, permissions and order. A ready `.zip` is checked and taken byte for byte.
 *
 * Takes and throws what {@link readExtension} does, and `ArchiveError` `archive_too_large` above `archiveBytesMax`.
 */
export async function packExtension(path: string, options: ArchiveOptions = {}): Promise<ExtensionArchive> {
  const { location, pace } = begin(path, options);
  if (location.kind === "zip") {
    return readReadyZip(location, pace);
  }
  const folder = await openFolder(location, compileExclude(options.exclude ?? []), pace);
  const writer = new ZipWriter(Math.min(archiveBytesMax, zipBytesMax(folder.files)));
  const entries: ArchiveEntry[] = [];
  for await (const file of packedFiles(folder, pace, options.threads)) {
    entries.push({ path: file.path, sizeBytes: file.sizeBytes, sha256: file.sha256 });
    // The zip only grows, so the rest need not be compressed to know.
    if (!writer.append(file)) {
      throw tooLarge(location, folder);
    }
  }
  const bytes = writer.finish();
  return { ...contentsOf(folder, entries), bytes, checksum: sha256Of(bytes), sizeBytes: bytes.length };
}

/**
 * Reads an archive that is in memory, for instance one the service holds: its files with their digests, and the manifest.
 * `label` names it in errors. Throws `ArchiveError` and `CanceledError`.
 */
export function readArchive(
  bytes: Uint8Array,
  label: string,
  signal?: AbortSignal,
): Promise<ExtensionContents> {
  return readZipContents(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    label,
    new Pace(label, signal),
  );
}

function begin(path: string, options: ArchiveOptions): { location: ExtensionLocation; pace: Pace } {
  const location = locateExtension(path);
  if (location.kind === "zip" && options.exclude !== undefined && options.exclude.length > 0) {
    throw new InputError(
      "exclude_with_zip",
      "exclude",
      `"exclude" is only for a folder. ${location.label} is uploaded as it is: leave the files out when it is made, or point "path" at the folder.`,
    );
  }
  return { location, pace: new Pace(location.label, options.signal) };
}

/** Like `sha256Of`, with turns of the event loop while a large file is hashed. */
async function sha256AtPace(bytes: Uint8Array, pace: Pace): Promise<string> {
  if (bytes.length <= hashedAtOnceBytes) {
    return sha256Of(bytes);
  }
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += hashedAtOnceBytes) {
    hash.update(bytes.subarray(at, at + hashedAtOnceBytes));
    await pace.step();
  }
  return hash.digest("hex");
}

function contentsOf(folder: OpenFolder, entries: readonly ArchiveEntry[]): ExtensionContents {
  const { manifest, leftOut, leftOutCount } = folder;
  return {
    kind: "folder",
    entries,
    contentDigest: contentDigestOf(entries),
    manifest,
    leftOut,
    leftOutCount,
  };
}

function tooLarge({ label }: ExtensionLocation, { files }: OpenFolder): ArchiveError {
  return new ArchiveError(
    "archive_too_large",
    `${label} packs to more than ${sizeText(archiveBytesMax)}, the most the service takes. ` +
      `Largest files, before compression: ${largestFiles(files)}. Leave out with "exclude" what the extension does not need.`,
  );
}
