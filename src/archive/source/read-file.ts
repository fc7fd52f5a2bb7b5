import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";

/** A listed file, which must not change before the reading. */
export interface ListedFile {
  readonly location: string;
  /** Path below the extension's folder; undefined for a ready archive, named by the label. */
  readonly path?: string;
  /** Size and timestamps that change with every write to the file. */
  readonly state: Pick<BigIntStats, "size" | "mtimeNs" | "ctimeNs">;
  /** Whether the path may be a symbolic link: the caller chose the path. Default: false. */
  readonly mayBeLink?: boolean;
}

/**
 * Flags that refuse links and do not block. A pipe opened with `O_NONBLOCK` never waits for the
 * other end. Windows has neither flag; there only `lstat` detects a link.
 */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file that has not changed since the listing: same size, same times of contents and
 * metadata. So an archive is the folder of one moment, never a mix of two builds.
 *
 * Yields the file in pieces, each in memory from `roomFor`. Room for one byte more than the file
 * saves a call: the spare byte proves the end of the file.
 *
 * Throws `ArchiveError` `archive_changed_while_reading` for a changed file, and
 * `archive_unreadable` if the system refuses to read.
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
      // On some file systems, such as procfs, files are larger than the stated size.
      if (filled > sizeBytes || (count === 0 && filled < sizeBytes)) {
        throw changedFileError(label, path);
      }
      isWhole = filled === sizeBytes && count < room.length;
      yield room.subarray(0, count);
    }
    const now = fstatSync(descriptor, { bigint: true });
    const isSame = now.size === state.size && now.mtimeNs === state.mtimeNs && now.ctimeNs === state.ctimeNs;
    if (!isSame || !now.isFile()) {
      throw changedFileError(label, path);
    }
  } catch (error) {
    throw readError(error, label, path);
  } finally {
    if (descriptor !== undefined) {
      closeSync(descriptor);
    }
  }
}

/** Reads a whole file into `room`, which must have one byte more than the file. */
export function readInto(room: Uint8Array, file: ListedFile, label: string): void {
  for (const _ of piecesOf(file, label, (filled) => room.subarray(filled))) {
    // A short read; the rest follows at once.
  }
}

/** Returns the contents of a whole file, in memory not shared with other code. */
export function readWhole(file: ListedFile, label: string): Buffer<ArrayBuffer> {
  const sizeBytes = Number(file.state.size);
  const room = Buffer.allocUnsafeSlow(sizeBytes + 1);
  readInto(room, file, label);
  return room.subarray(0, sizeBytes);
}

/** Converts a file system error to an `ArchiveError`. Returns an `ArchiveError` unchanged. */
export function readError(error: unknown, label: string, path?: string): ArchiveError {
  if (error instanceof ArchiveError) {
    return error;
  }
  const { code } = error as NodeJS.ErrnoException;
  // After the listing, the file was removed or replaced by a link or a special file.
  if (code !== undefined && ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EISDIR", "EAGAIN"].includes(code)) {
    return changedFileError(label, path);
  }
  const [subject, advice] =
    path === undefined ? [label, ""] : [`${label}: ${quotePath(path)}`, ', or list the file in "exclude"'];
  return new ArchiveError(
    "archive_unreadable",
    `${subject} cannot be read (${code ?? (error as Error).message}). Check its permissions${advice}.`,
    { cause: error },
  );
}

function changedFileError(label: string, path: string | undefined): ArchiveError {
  const change = path === undefined ? "" : `: ${quotePath(path)} was written or removed`;
  return new ArchiveError(
    "archive_changed_while_reading",
    `${label} changed${change} while it was read. Run again when nothing writes to it, for instance after the build has ended.`,
  );
}
