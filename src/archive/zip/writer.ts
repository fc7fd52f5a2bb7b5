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

const localSignature = Buffer.from("PK\x03\x04");
/**
 * With the version that made the zip: 2.0 on Unix, so that the attributes are Unix ones everywhere.
 */
const centralSignature = Buffer.from("PK\x01\x02\x14\x03");
/** Version 2.0 of the zip format: deflate and folders. */
const versionNeeded = 20;
/** The name is UTF-8. */
const flags = 0x0800;
/** 1980-01-01 00:00, the first moment a zip can name, so that no clock and no time zone matters. */
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

  /** Most bytes that the data of an entry may have; below 0 when not even its headers fit. */
  roomFor(path: string): number {
    return this.#zip.length - this.sizeBytes - entryBytes(path);
  }

  /** Appends an entry and keeps nothing of it. The caller keeps to {@link roomFor}. */
  append(entry: ZipEntry): void {
    const name = Buffer.from(entry.path);
    const fields = entryFields(entry, name.length);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(attributes, 6);
    place.writeUInt32LE(this.#localBytes, 10);
    const central = Buffer.concat([centralSignature, fields, place, name]);
    this.#central.push(central);
    this.#centralBytes += central.length;
    for (const part of [localSignature, fields, name, entry.data]) {
      this.#zip.set(part, this.#localBytes);
      this.#localBytes += part.length;
    }
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

/** What an entry takes besides its data: two headers, each with the path. */
function entryBytes(path: string): number {
  return localHeaderBytes + centralHeaderBytes + 2 * Buffer.byteLength(path);
}

/** The 26 bytes that the local and the central header have in common. */
function entryFields({ method, crc32, data, sizeBytes }: ZipEntry, nameBytes: number): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(versionNeeded, 0);
  fields.writeUInt16LE(flags, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(time, 6);
  fields.writeUInt16LE(date, 8);
  fields.writeUInt32LE(crc32, 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(sizeBytes, 18);
  fields.writeUInt16LE(nameBytes, 22);
  return fields;
}
