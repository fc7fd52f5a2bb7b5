import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  type PathLike,
  readSync,
} from "node:fs";
import { ArchiveError } from "../errors.js";
import { quotePath } from "../text/escape.js";

/** What stays the same while nobody writes to a file. */
export type FileState = Pick<BigIntStats, "size" | "mtimeNs" | "ctimeNs">;

/** A file that was listed, and is to be read as it was then. */
export interface ListedFile {
  /** For the file system. */
  readonly location: PathLike;
  /** Path below the extension's folder; undefined for a ready archive, which is its own label. */
  readonly path?: string;
  readonly state: FileState;
}

/** Windows has neither: there, `lstat` alone tells a link from a file. A pipe opened with `O_NONBLOCK` never waits for its other end. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a whole file that is exactly as it was when it was listed: same size, same times of its contents and its
 * metadata, before and after. So an archive is the folder of one moment, never a mix of two builds.
 *
 * Throws `ArchiveError` `archive_changed_while_reading` otherwise, `archive_unreadable` when the system refuses.
 */
export function readListedFile(file: ListedFile, label: string, isLinkAllowed = false): Buffer<ArrayBuffer> {
  let descriptor: number;
  try {
    descriptor = openSync(file.location, isLinkAllowed ? constants.O_RDONLY : openFlags);
  } catch (error) {
    throw readingFailed(error, label, file.path);
  }
  try {
    requireState(fstatSync(descriptor, { bigint: true }), file, label);
    const bytes = Buffer.allocUnsafeSlow(Number(file.state.size));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, null);
      if (count === 0) {
        throw changedWhileReading(label, file.path);
      }
      filled += count;
    }
    // Some file systems, procfs for one, hold more than the size they state.
    if (readSync(descriptor, Buffer.alloc(1), 0, 1, null) !== 0) {
      throw changedWhileReading(label, file.path);
    }
    requireState(fstatSync(descriptor, { bigint: true }), file, label);
    return bytes;
  } catch (error) {
    throw readingFailed(error, label, file.path);
  } finally {
    closeSync(descriptor);
  }
}

function requireState(now: BigIntStats, { state, path }: ListedFile, label: string): void {
  const isSame =
    now.isFile() && now.size === state.size && now.mtimeNs === state.mtimeNs && now.ctimeNs === state.ctimeNs;
  if (!isSame) {
    throw changedWhileReading(label, path);
  }
}

/** Turns a fault of the file system into an `ArchiveError`; one that is ours already stays. */
export function readingFailed(error: unknown, label: string, path?: string): ArchiveError {
  if (error instanceof ArchiveError) {
    return error;
  }
  const { code } = error as NodeJS.ErrnoException;
  // Listed a moment ago, and now gone, a link, or of another kind.
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "ENXIO" || code === "EISDIR") {
    return changedWhileReading(label, path);
  }
  const subject =
    path === undefined ? `${label} cannot be read` : `${label}: ${quotePath(path)} cannot be read`;
  const remedy = path === undefined ? "" : ', or leave it out with "exclude"';
  return new ArchiveError(
    "archive_unreadable",
    `${subject} (${code ?? (error as Error).message}). Check its permissions${remedy}.`,
    { cause: error },
  );
}

function changedWhileReading(label: string, path: string | undefined): ArchiveError {
  const subject =
    path === undefined ? `${label} changed` : `${label} changed: ${quotePath(path)} was written or removed`;
  return new ArchiveError(
    "archive_changed_while_reading",
    `${subject} while it was read. Run again when nothing writes to it, for instance after the build has ended.`,
  );
}
