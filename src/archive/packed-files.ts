import { sha256Of } from "./contents.js";
import { threadsAvailable } from "./deflate-workers.js";
import type { OpenFolder } from "./extension-folder.js";
import type { Pace } from "./pace.js";
import { packWithWorkers } from "./pack-with-workers.js";
import { compressEntry, type ZipEntry } from "./zip-entry.js";

/**
 * Raw bytes of a folder from which on threads compress it. Below, starting them takes longer than they save; a file of
 * this size keeps one thread busy for about a tenth of a second.
 */
export const threadsFromRawBytes = 4 * 1024 * 1024;

/** A file of a folder, ready to be appended to a zip, with the digest of its contents. */
export interface PackedFile extends ZipEntry {
  /** SHA-256 of the contents, 64 lowercase hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Reads, hashes and compresses the files of a folder, in its order, on several cores when the folder is worth it. The
 * files are the same on one thread and on several.
 *
 * `threads`: the most that compress, 0 for none beside the caller's. Throws `ArchiveError` and `CanceledError`.
 */
export async function* packedFiles(
  folder: OpenFolder,
  pace: Pace,
  threads = threadsAvailable(),
): AsyncGenerator<PackedFile> {
  const rawBytes = folder.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (rawBytes >= threadsFromRawBytes && threads > 0) {
    yield* packWithWorkers(folder.files, pace, threads);
    return;
  }
  for (const file of folder.files) {
    await pace.step();
    const contents = folder.read(file);
    yield { ...compressEntry(file.path, contents), sha256: sha256Of(contents) };
  }
}
