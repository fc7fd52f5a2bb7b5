import { sha256Of } from "./contents.js";
import { coresForThreads } from "./deflate-workers.js";
import type { OpenFolder } from "./extension-folder.js";
import type { FolderFile } from "./folder.js";
import type { Pace } from "./pace.js";
import { packWithWorkers } from "./pack-with-workers.js";
import { releaseMemory } from "./release-memory.js";
import { compressEntry, type ZipEntry } from "./zip-entry.js";

/**
 * Raw bytes of a folder from which on several cores compress it. A thread costs 0.1 to 0.2 s of processor time before it is
 * as fast as the caller's, which does about 4 MB in that time; measured on two cores that were not idle.
 */
export const threadsFromRawBytes = 8 * 1024 * 1024;

/** Size of a file that is not compressed on the caller's thread, where it would hold the event loop up for a tenth of a second or more. Bytes. */
export const threadFromFileBytes = 4 * 1024 * 1024;

/** A file of a folder, ready to be appended to a zip, with the digest of its contents. `data` is gone once the next file is asked for. */
export interface PackedFile extends ZipEntry {
  /** SHA-256 of the contents, 64 lowercase hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Reads, hashes and compresses the files of a folder, in its order, on several cores when the folder is worth it. The
 * files are the same on one thread and on several.
 *
 * `threads`: how many compress beside the caller's; 0 for none. Throws `ArchiveError` and `CanceledError`.
 */
export async function* packedFiles(
  folder: OpenFolder,
  pace: Pace,
  threads = threadsFor(folder.files),
): AsyncGenerator<PackedFile> {
  if (threads > 0) {
    yield* packWithWorkers(folder.files, pace, threads);
    return;
  }
  for (const file of folder.files) {
    await pace.step();
    const contents = folder.read(file);
    yield { ...compressEntry(file.path, contents), sha256: sha256Of(contents) };
    releaseMemory(contents);
  }
}

function threadsFor(files: readonly FolderFile[]): number {
  const cores = coresForThreads();
  const rawBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (cores > 1 && rawBytes >= threadsFromRawBytes) {
    return cores - 1;
  }
  return cores > 0 && files.some(({ sizeBytes }) => sizeBytes >= threadFromFileBytes) ? 1 : 0;
}
