import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  type PathLike,
  readSync,
} from "node:fs";
import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";
import type { Steps } from "../steps.js";

/** What stays the same while nobody writes to a file. */
export type FileState = Pick<BigIntStats, "size" | "mtimeNs" | "ctimeNs">;

/** A file that was listed, and is to be read as it was then. */
export interface ListedFile {
  /** For the file system. */
  readonly location: PathLike;
  /** Path below the extension's folder; undefined for a ready archive, which is its own label. */
  readonly path?: string;
  readonly state: FileState;
  /** The caller chose this file by its name, which may be that of a link. */
  readonly mayBeLink?: boolean;
}

/**
 * `lstat` alone tells a link from a file on Windows, which has neither flag. A pipe opened with
 * `O_NONBLOCK` never waits for its other end.
 */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file that is exactly as it was when it was listed: same size, same times of its contents
 * and its metadata. So an archive is the folder of one moment, never a mix of two builds.
 *
 * `roomFor` gives the memory for the next piece, `read` gets the piece. Yields between two pieces.
 * Room for one byte more than the file saves a call: it tells that nothing follows.
 *
 * Throws `ArchiveError` `archive_changed_while_reading` for a file that is another one now, and
 * `archive_unreadable` when the system refuses.
 */
export function* readInPieces(
  file: ListedFile,
  label: string,
  roomFor: (filledBytes: number) => Uint8Array,
  read: (piece: Uint8Array) => void = () => {},
): Steps<void> {
  const sizeBytes = Number(file.state.size);
  const descriptor = open(file, label);
  try {
    let filled = 0;
    for (;;) {
      const room = roomFor(filled);
      const count = readSync(descriptor, room);
      filled += count;
      // Some file systems, procfs for one, hold more than the size they state.
      if (filled > sizeBytes || (count === 0 && filled < sizeBytes)) {
        throw changedWhileReading(label, file.path);
      }
      read(room.subarray(0, count));
      if (filled === sizeBytes && count < room.length) {
        break;
      }
      yield;
    }
    requireState(fstatSync(descriptor, { bigint: true }), file, label);
  } catch (error) {
    throw readingFailed(error, label, file.path);
  } finally {
    closeSync(descriptor);
  }
}

/** Fills the beginning of `room`, which has one byte more than the file, with the whole file. */
export function* readInto(room: Uint8Array, file: ListedFile, label: string): Steps<void> {
  yield* readInPieces(file, label, (filled) => room.subarray(filled));
}

/** The contents of a whole file, in memory that nothing else uses. */
export function* readWhole(file: ListedFile, label: string): Steps<Buffer<ArrayBuffer>> {
  const sizeBytes = Number(file.state.size);
  const room = Buffer.allocUnsafeSlow(sizeBytes + 1);
  yield* readInto(room, file, label);
  return room.subarray(0, sizeBytes);
}

function open({ location, path, mayBeLink }: ListedFile, label: string): number {
  try {
    return openSync(location, mayBeLink ? constants.O_RDONLY : openFlags);
  } catch (error) {
    throw readingFailed(error, label, path);
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
  if (code !== undefined && ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EISDIR", "EAGAIN"].includes(code)) {
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
