import { createHash } from "node:crypto";
import { ArchiveError } from "../../errors.js";
import { sizeText } from "../../text/words.js";
import {
  type ArchiveEntry,
  archiveBytesMax,
  archiveOf,
  contentDigestOf,
  type ExtensionArchive,
  type ExtensionContents,
  sha256Of,
} from "../contents.js";
import { excludeAdvice } from "../rules/exclude.js";
import { largestFiles, Refusals } from "../rules/refusals.js";
import { secretsOfFolder } from "../rules/secrets.js";
import { PieceSearch } from "../rules/word-search.js";
import { openFolder } from "../source/extension-folder.js";
import type { OpenFolder } from "../source/folder.js";
import type { FolderSource } from "../source/location.js";
import { piecesOf, readInto } from "../source/read-file.js";
import { runInTurns, type Steps } from "../steps.js";
import { compress, releaseMemory } from "./compressor.js";
import { canPackInWorker, packInWorker } from "./pack-in-worker.js";
import { ZipWriter, zipBytesMax } from "./writer.js";

/** Minimum file size for a worker, in bytes: such a file would block the event loop for 0.1 s. */
const workerFromFileBytes = 4 * 1024 * 1024;

/** Size of the pieces in which files are hashed, in bytes: a fraction of a millisecond of work. */
const pieceBytes = 1024 * 1024;

let piece: Buffer | undefined;

/**
 * Reads and hashes a folder, without compression. Skips the checks of file contents if the digest is
 * `knownDigest`.
 */
export async function readFolder(source: FolderSource, signal?: AbortSignal): Promise<ExtensionContents> {
  const { knownDigest, label } = source;
  const folder = await openFolder(source, signal);
  const contents = contentsOf(folder, await runInTurns(digestFiles(folder, source), label, signal));
  if (knownDigest !== undefined && knownDigest !== contents.contentDigest) {
    // The first reading skipped the checks, because an earlier check accepted the known digest.
    await openFolder({ ...source, knownDigest: undefined }, signal);
  }
  return contents;
}

/** Packs a folder, in a worker if a file is large and workers can run. The bytes are the same. */
export async function packFolder(source: FolderSource, signal?: AbortSignal): Promise<ExtensionArchive> {
  const folder = await openFolder(source, signal);
  const isLarge = folder.files.some(({ sizeBytes }) => sizeBytes >= workerFromFileBytes);
  return isLarge && canPackInWorker() ? packInWorker(source, signal) : packOpenFolder(folder, source, signal);
}

export async function packOpenFolder(
  folder: OpenFolder,
  source: FolderSource,
  signal?: AbortSignal,
): Promise<ExtensionArchive> {
  try {
    return await runInTurns(packFiles(folder, source), source.label, signal);
  } finally {
    releaseMemory();
  }
}

function* digestFiles(folder: OpenFolder, { label, apiKey }: FolderSource): Steps<ArchiveEntry[]> {
  // Each piece is hashed before any other code can run, so one buffer serves every folder.
  piece ??= Buffer.allocUnsafeSlow(pieceBytes);
  const room = piece;
  const entries: ArchiveEntry[] = [];
  const secrets = secretsOfFolder(apiKey);
  const refusals = new Refusals();
  for (const file of folder.files) {
    const { path, sizeBytes } = file;
    if (sizeBytes < room.length) {
      readInto(room, file, label);
      const contents = room.subarray(0, sizeBytes);
      refusals.addSecret(path, secrets.find(contents));
      entries.push({ path, sizeBytes, sha256: sha256Of(contents) });
      yield;
      continue;
    }
    const hash = createHash("sha256");
    const search = new PieceSearch(secrets);
    for (const read of piecesOf(file, label, () => room)) {
      hash.update(read);
      search.add(read);
      yield;
    }
    refusals.addSecret(path, search.found);
    entries.push({ path, sizeBytes, sha256: hash.digest("hex") });
  }
  refusals.throwIfAny(label);
  return entries;
}

function* packFiles(folder: OpenFolder, { label, apiKey }: FolderSource): Steps<ExtensionArchive> {
  const writer = new ZipWriter(Math.min(archiveBytesMax, zipBytesMax(folder.files)));
  const entries: ArchiveEntry[] = [];
  const secrets = secretsOfFolder(apiKey);
  const refusals = new Refusals();
  for (const file of folder.files) {
    const { path, sizeBytes } = file;
    // No turn of the event loop before the entry is in the zip: another folder may use the
    // compressor.
    const { sha256, entry } = compress(path, sizeBytes, writer.roomFor(path), (room) => {
      readInto(room, file, label);
      refusals.addSecret(path, secrets.find(room.subarray(0, sizeBytes)));
    });
    // The zip only grows: once above the limit, the rest need not be compressed.
    if (entry === undefined) {
      throw new ArchiveError(
        "archive_too_large",
        `${label} packs to more than ${sizeText(archiveBytesMax)}, the limit of the service's own clients. ` +
          `Largest files, before compression: ${largestFiles(folder.files)}. ${excludeAdvice}`,
      );
    }
    writer.append(entry);
    entries.push({ path, sizeBytes, sha256 });
    yield;
  }
  refusals.throwIfAny(label);
  return archiveOf(contentsOf(folder, entries), writer.finish());
}

function contentsOf(folder: OpenFolder, entries: readonly ArchiveEntry[]): ExtensionContents {
  const { files: _files, ...rest } = folder;
  return { kind: "folder", entries, contentDigest: contentDigestOf(entries), ...rest };
}
