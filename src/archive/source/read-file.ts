import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";

/** A file that was listed, and is to be read as it was then. */
export interface ListedFile {
  /** For the file system. */
  readonly location: string;
  /** Path below the extension's folder; undefined for a ready archive, which its label names. */
  readonly path?: string;
  /** What stays the same until the file is written to. */
  readonly state: Pick<BigIntStats, "size" | "mtimeNs" | "ctimeNs">;
  /** The caller chose this file by its name, which may be that of a link. */
  readonly mayBeLink?: boolean;
}

/**
 * Windows has neither flag; there only `lstat` detects a link. A pipe opened with `O_NONBLOCK`
 * never waits for its other end.
 */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file that is exactly as it was when it was listed: same size, same times of its contents
 * and its metadata. So an archive is the folder of one moment, never a mix of two builds.
 *
 * Gives the file piece by piece, each in the memory that `roomFor` returns for it. Room for one
 * byte more than the file saves a call: it shows that nothing follows.
 *
 * Throws `ArchiveError` `archive_changed_while_reading` for a file that has changed, and
 * `archive_unreadable` when the system refuses.
 */
export function* piecesOf(
  { location, path, state, mayBeLink }: ListedFile,
  label: string,
  roomFor: (filledBytes: number) => Uint8Array,
): Generator<Uint8Array, void> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(location, mayBeLink ? constants.O_RDONLY : openFlags);
    const sizeBytes = Number(state.size);
    for (let filled = 0, isWhole = false; !isWhole; ) {
      const room = roomFor(filled);
      const count = readSync(descriptor, room);
      filled += count;
      // Some file systems, procfs for one, hold more than the size they state.
      if (filled > sizeBytes || (count === 0 && filled < sizeBytes)) {
        throw changedWhileReading(label, path);
      }
      isWhole = filled === sizeBytes && count < room.length;
      yield room.subarray(0, count);
    }
    const now = fstatSync(descriptor, { bigint: true });
    const isSame = now.size === state.size && now.mtimeNs === state.mtimeNs && now.ctimeNs === state.ctimeNs;
    if (!isSame || !now.isFile()) {
      throw changedWhileReading(label, path);
    }
  } catch (error) {
    throw readingFailed(error, label, path);
  } finally {
    if (descriptor !== undefined) {
      closeSync(descriptor);
    }
  }
}

/** Fills `room`, which has one byte more than the file, with the whole file. */
export function readInto(room: Uint8Array, file: ListedFile, label: string): void {
  for (const _ of piecesOf(file, label, (filled) => room.subarray(filled))) {
    // A short read; the rest follows at once.
  }
}

/** The contents of a whole file, in memory that nothing else uses. */
export function readWhole(file: ListedFile, label: string): Buffer<ArrayBuffer> {
  const sizeBytes = Number(file.state.size);
  const room = Buffer.allocUnsafeSlow(sizeBytes + 1);
  readInto(room, file, label);
  return room.subarray(0, sizeBytes);
}

/** Turns an error of the file system into an `ArchiveError`; one of ours stays as it is. */
export function readingFailed(error: unknown, label: string, path?: string): ArchiveError {
  if (error instanceof ArchiveError) {
    return error;
  }
  const { code } = error as NodeJS.ErrnoException;
  // Listed a moment ago, and now gone, a link, or of another kind.
  if (code !== undefined && ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EISDIR", "EAGAIN"].includes(code)) {
    return changedWhileReading(label, path);
  }
  const [subject, advice] =
    path === undefined ? [label, ""] : [`${label}: ${quotePath(path)}`, ', or leave it out with "exclude"'];
  return new ArchiveError(
    "archive_unreadable",
    `${subject} cannot be read (${code ?? (error as Error).message}). Check its permissions${advice}.`,
    { cause: error },
  );
}

function changedWhileReading(label: string, path: string | undefined): ArchiveError {
  const change = path === undefined ? "" : `: ${quotePath(path)} was written or removed`;
  return new ArchiveError(
    "archive_changed_while_reading",
    `${label} changed${change} while it was read. Run again when nothing writes to it, for instance after the build has ended.`,
  );
}
