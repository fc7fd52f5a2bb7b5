import { createHash } from "node:crypto";
import { ArchiveError } from "../../errors.js";
import { sizeText } from "../../text/words.js";
import {
  type ArchiveEntry,
  archiveBytesMax,
  contentDigestOf,
  type ExtensionArchive,
  type ExtensionContents,
  sha256Of,
} from "../contents.js";
import { compileExclude } from "../rules/exclude.js";
import { largestFiles } from "../rules/refusals.js";
import { type FolderLocation, type OpenFolder, openFolder } from "../source/extension-folder.js";
import { readInPieces, readInto } from "../source/read-file.js";
import { runInTurns, type Steps } from "../steps.js";
import { Compressor } from "./compressor.js";
import { canPackInWorker, packInWorker } from "./pack-in-worker.js";
import { ZipWriter, zipBytesMax } from "./writer.js";

/**
 * Size of a file that is compressed in a worker: here it would block the event loop for 0.1 s or
 * more. Bytes.
 */
const workerFromFileBytes = 4 * 1024 * 1024;

/** Files are hashed in pieces of this many bytes: a fraction of a millisecond of work. */
const pieceBytes = 1024 * 1024;

let piece: Buffer | undefined;

/** Reads and hashes a folder without compressing it. Throws what `readExtension` does. */
export async function readFolder(
  location: FolderLocation,
  exclude: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ExtensionContents> {
  const folder = await openFolder(location, compileExclude(exclude), signal);
  const entries = await runInTurns(digests(folder, location.label), location.label, signal);
  return contentsOf(folder, entries);
}

/**
 * Packs a folder, in a worker when it has a large file and there can be one. The bytes are the
 * same. Throws what `packExtension` does.
 */
export async function packFolder(
  location: FolderLocation,
  exclude: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ExtensionArchive> {
  const folder = await openFolder(location, compileExclude(exclude), signal);
  const isLarge = folder.files.some(({ sizeBytes }) => sizeBytes >= workerFromFileBytes);
  return isLarge && canPackInWorker()
    ? packInWorker({ location, exclude }, signal)
    : packOpenFolder(folder, location.label, signal);
}

/** Packs a folder in this thread. `label` names it in errors. */
export async function packOpenFolder(
  folder: OpenFolder,
  label: string,
  signal?: AbortSignal,
): Promise<ExtensionArchive> {
  try {
    return await runInTurns(packed(folder, label), label, signal);
  } finally {
    Compressor.release();
  }
}

function* digests(folder: OpenFolder, label: string): Steps<ArchiveEntry[]> {
  // Each piece is hashed before anything else can run, so one buffer serves every folder.
  piece ??= Buffer.allocUnsafeSlow(pieceBytes);
  const buffer = piece;
  const entries: ArchiveEntry[] = [];
  for (const file of folder.files) {
    const hash = createHash("sha256");
    yield* readInPieces(
      file,
      label,
      () => buffer,
      (read) => hash.update(read),
    );
    entries.push({ path: file.path, sizeBytes: file.sizeBytes, sha256: hash.digest("hex") });
    yield;
  }
  return entries;
}

function* packed(folder: OpenFolder, label: string): Steps<ExtensionArchive> {
  const writer = new ZipWriter(Math.min(archiveBytesMax, zipBytesMax(folder.files)));
  const entries: ArchiveEntry[] = [];
  for (const file of folder.files) {
    const { path, sizeBytes } = file;
    const roomBytes = writer.roomFor(path);
    // No turn of the event loop before the entry is in the zip: another folder may use the
    // compressor.
    const compressor = Compressor.shared();
    const room = compressor.roomFor(sizeBytes, Math.min(sizeBytes, Math.max(roomBytes, 0)));
    for (const _ of readInto(room, file, label)) {
      // A short read; the rest follows at once.
    }
    const sha256 = sha256Of(room.subarray(0, sizeBytes));
    const entry = compressor.compress(path, sizeBytes, roomBytes);
    // The zip only grows, so the rest need not be compressed to know.
    if (entry === undefined) {
      throw tooLarge(label, folder);
    }
    writer.append(entry);
    entries.push({ path, sizeBytes, sha256 });
    yield;
  }
  const bytes = writer.finish();
  return { ...contentsOf(folder, entries), bytes, checksum: sha256Of(bytes), sizeBytes: bytes.length };
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

function tooLarge(label: string, { files }: OpenFolder): ArchiveError {
  return new ArchiveError(
    "archive_too_large",
    `${label} packs to more than ${sizeText(archiveBytesMax)}, the most the service takes. ` +
      `Largest files, before compression: ${largestFiles(files)}. Leave out with "exclude" what the extension does not need.`,
  );
}
