import { archiveBytesMax } from "../contents.js";

/** A file ready to be appended to a zip. */
export interface ZipEntry {
  readonly path: string;
  /** Compression method, as in the zip format: 0 stored, 8 deflated. */
  readonly method: 0 | 8;
  readonly crc32: number;
  /** Size before compression, in bytes. */
  readonly sizeBytes: number;
  /** Data for the zip: deflated, or the contents unchanged. */
  readonly data: Uint8Array;
}

const localSignature = Buffer.from("PK\x03\x04");
/** With the version of the creator: 2.0 on Unix, so that every reader sees Unix attributes. */
const centralSignature = Buffer.from("PK\x01\x02\x14\x03");
/** Version 2.0 of the zip format: deflate and folders. */
const versionNeeded = 20;
/** The name is UTF-8. */
const flags = 0x0800;
/** 1980-01-01 00:00, the earliest time of a zip, so that no clock and no time zone matters. */
const date = 0x0021;
const time = 0;
/** A regular file, readable by all and writable by the owner: 0100644 in the upper half. */
const attributes = (0o100644 << 16) >>> 0;

const localHeaderBytes = 30;
const centralHeaderBytes = 46;
const endRecordBytes = 22;

/**
 * Writes a zip with the fixed layout of `archiveFormat`: entries in the given order, sizes before
 * the data, no folder entries, extra fields, data descriptors, comments or zip64. The same entries
 * give the same bytes.
 *
 * Limit for the caller: 65,534 entries, see `archiveFilesMax`.
 */
export class ZipWriter {
  /** Memory of the maximum size: the system allocates only written pages, and the zip exists once. */
  readonly #zip: Buffer<ArrayBuffer>;
  readonly #central: Buffer[] = [];
  #localBytes = 0;
  #centralBytes = 0;

  /** `sizeBytesMax`: maximum size of the zip in bytes. */
  constructor(sizeBytesMax = archiveBytesMax) {
    this.#zip = Buffer.allocUnsafeSlow(sizeBytesMax);
  }

  /** Size in bytes of the zip if finished now. */
  get sizeBytes(): number {
    return this.#localBytes + this.#centralBytes + endRecordBytes;
  }

  /** Returns the maximum size in bytes of an entry's data; below 0 if not even the headers fit. */
  roomFor(path: string): number {
    return this.#zip.length - this.sizeBytes - entryBytes(path);
  }

  /** Appends a copy of an entry. Limit for the caller: {@link roomFor}. */
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

  /** Returns the whole zip. Afterwards, no entry can be appended. */
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

/** Computes the maximum size in bytes of a zip: every file stored. */
export function zipBytesMax(files: Iterable<{ readonly path: string; readonly sizeBytes: number }>): number {
  let bytes = endRecordBytes;
  for (const { path, sizeBytes } of files) {
    bytes += entryBytes(path) + sizeBytes;
  }
  return bytes;
}

/** Computes the size of an entry without the data: two headers, each with the path. */
function entryBytes(path: string): number {
  return localHeaderBytes + centralHeaderBytes + 2 * Buffer.byteLength(path);
}

/** Builds the 26 bytes shared by the local and the central header. */
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
