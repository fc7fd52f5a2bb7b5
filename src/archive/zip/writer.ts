import { archiveBytesMax } from "../contents.js";

/** A file that is ready to be appended to a zip. */
export interface ZipEntry {
  readonly path: string;
  /** How the data is kept: 0 as it is, 8 deflated. The numbers are those of the zip format. */
  readonly method: 0 | 8;
  readonly crc32: number;
  /** Size before compression, in bytes. */
  readonly sizeBytes: number;
  /** What goes into the zip: deflated, or the contents themselves. */
  readonly data: Uint8Array;
}

/** Version 2.0 of the zip format: deflate and folders. */
const versionNeeded = 20;
/**
 * Made on Unix (3) by version 2.0, so that the attributes below are Unix ones, whatever system
 * packs.
 */
const versionMadeBy = 0x0314;
/** The name is UTF-8. */
const flags = 0x0800;
/**
 * 1980-01-01 00:00, the first moment a zip can name. A constant, so that no clock and no time zone
 * is involved.
 */
const date = 0x0021;
const time = 0;
/** A regular file, readable by all and writable by its owner: 0100644 in the upper half. */
const attributes = (0o100644 << 16) >>> 0;

const localHeaderBytes = 30;
const centralHeaderBytes = 46;
const endRecordBytes = 22;

/**
 * Writes a zip with the fixed layout of `archiveFormat`: entries in the order given, sizes before
 * the data, no folder entries, extra fields, data descriptors, comments or zip64. The same entries
 * give the same bytes.
 *
 * The caller keeps to at most 65,534 entries, see `archiveFilesMax`.
 */
export class ZipWriter {
  /**
   * Memory that is never written to is never taken, so that the zip is in memory once, while it
   * grows and when it is done.
   */
  readonly #zip: Buffer<ArrayBuffer>;
  readonly #central: Buffer[] = [];
  #localBytes = 0;
  #centralBytes = 0;

  /** `sizeBytesMax`: how large the zip may become. */
  constructor(sizeBytesMax = archiveBytesMax) {
    this.#zip = Buffer.allocUnsafeSlow(sizeBytesMax);
  }

  /** Size of the zip if it were finished now, in bytes. */
  get sizeBytes(): number {
    return this.#localBytes + this.#centralBytes + endRecordBytes;
  }

  /**
   * Most bytes that the data of an entry with this path may have; below 0 when there is no room at
   * all.
   */
  roomFor(path: string): number {
    return this.#zip.length - this.sizeBytes - entryBytes(path);
  }

  /** Appends an entry and keeps nothing of it. The caller keeps to {@link roomFor}. */
  append(entry: ZipEntry): void {
    const name = Buffer.from(entry.path);
    const central = centralHeader(entry, name, this.#localBytes);
    const local = localHeader(entry, name);
    this.#zip.set(local, this.#localBytes);
    this.#zip.set(entry.data, this.#localBytes + local.length);
    this.#localBytes += local.length + entry.data.length;
    this.#central.push(central);
    this.#centralBytes += central.length;
  }

  /** The whole zip. Nothing can be appended after it. */
  finish(): Buffer<ArrayBuffer> {
    let at = this.#localBytes;
    for (const header of this.#central) {
      this.#zip.set(header, at);
      at += header.length;
    }
    const end = this.#zip.subarray(at, this.sizeBytes).fill(0);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#central.length, 8);
    end.writeUInt16LE(this.#central.length, 10);
    end.writeUInt32LE(this.#centralBytes, 12);
    end.writeUInt32LE(this.#localBytes, 16);
    return this.#zip.subarray(0, this.sizeBytes);
  }
}

/** Most that a zip of these files can take: every one of them stored. */
export function zipBytesMax(files: Iterable<{ readonly path: string; readonly sizeBytes: number }>): number {
  let bytes = endRecordBytes;
  for (const { path, sizeBytes } of files) {
    bytes += entryBytes(path) + sizeBytes;
  }
  return bytes;
}

/** What an entry takes beside its data: two headers, each with the path. */
function entryBytes(path: string): number {
  return localHeaderBytes + centralHeaderBytes + 2 * Buffer.byteLength(path);
}

function localHeader(entry: ZipEntry, name: Buffer): Buffer {
  const header = Buffer.alloc(localHeaderBytes + name.length);
  header.writeUInt32LE(0x04034b50, 0);
  writeEntryFields(header, 4, entry, name);
  name.copy(header, localHeaderBytes);
  return header;
}

function centralHeader(entry: ZipEntry, name: Buffer, localOffset: number): Buffer {
  const header = Buffer.alloc(centralHeaderBytes + name.length);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(versionMadeBy, 4);
  writeEntryFields(header, 6, entry, name);
  header.writeUInt32LE(attributes, 38);
  header.writeUInt32LE(localOffset, 42);
  name.copy(header, centralHeaderBytes);
  return header;
}

/** The 24 bytes that the local and the central header have in common. */
function writeEntryFields(header: Buffer, at: number, entry: ZipEntry, name: Buffer): void {
  header.writeUInt16LE(versionNeeded, at);
  header.writeUInt16LE(flags, at + 2);
  header.writeUInt16LE(entry.method, at + 4);
  header.writeUInt16LE(time, at + 6);
  header.writeUInt16LE(date, at + 8);
  header.writeUInt32LE(entry.crc32, at + 10);
  header.writeUInt32LE(entry.data.length, at + 14);
  header.writeUInt32LE(entry.sizeBytes, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}
