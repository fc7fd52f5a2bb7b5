import { crc32 } from "node:zlib";
import { deflate } from "./deflate.js";

/**
 * Version of the layout below, of the deflate codec and of the list of what is never shipped. A change of any of them changes
 * checksums, and takes a new number.
 */
export const archiveFormat = 1;

/** 1980-01-01 in the zip format: written as a constant, so that neither clock nor time zone has a say. */
const dosDate = 0x0021;
const flagUtf8Names = 0x0800;
const versionNeeded = 20;
const madeByUnix = 0x0314;
const modeRegularFile = 0o100644;

/** An entry in its final form. */
export interface ZipEntry {
  readonly path: string;
  readonly crc32: number;
  readonly sizeBytes: number;
  /** 8 for deflate, 0 for stored. */
  readonly method: 8 | 0;
  /** The contents as `method` says. */
  readonly data: Uint8Array;
}

/** Compresses one file; what deflate does not make smaller is stored as it is. */
export function zipEntry(path: string, contents: Uint8Array): ZipEntry {
  const deflated = deflate(contents);
  const smaller = deflated.byteLength < contents.byteLength;
  return {
    path,
    crc32: crc32(contents),
    sizeBytes: contents.byteLength,
    method: smaller ? 8 : 0,
    data: smaller ? deflated : contents,
  };
}

/**
 * Puts entries together in the order they are added. Format 1: local headers with sizes and CRC filled in, no folder entries, no
 * extra fields, no data descriptors, no comments, no zip64, constant date and mode.
 */
export class ZipWriter {
  readonly #parts: Uint8Array[] = [];
  readonly #directory: Uint8Array[] = [];
  #entries = 0;
  #offset = 0;
  #directoryBytes = 0;

  /** Size of the archive if it ended here. Bytes. */
  get sizeBytes(): number {
    return this.#offset + this.#directoryBytes + 22;
  }

  add(entry: ZipEntry): void {
    const name = Buffer.from(entry.path);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(versionNeeded, 0);
    fields.writeUInt16LE(flagUtf8Names, 2);
    fields.writeUInt16LE(entry.method, 4);
    fields.writeUInt16LE(0, 6); // time
    fields.writeUInt16LE(dosDate, 8);
    fields.writeUInt32LE(entry.crc32, 10);
    fields.writeUInt32LE(entry.data.byteLength, 14);
    fields.writeUInt32LE(entry.sizeBytes, 18);
    fields.writeUInt16LE(name.byteLength, 22);
    fields.writeUInt16LE(0, 24); // length of extra fields

    const place = Buffer.alloc(14);
    place.writeUInt16LE(0, 0); // length of comment
    place.writeUInt16LE(0, 2); // number of the disk
    place.writeUInt16LE(0, 4); // internal attributes
    place.writeUInt32LE(modeRegularFile * 0x1_0000, 6);
    place.writeUInt32LE(this.#offset, 10);
    this.#directory.push(signature("PK\x01\x02"), uint16(madeByUnix), fields, place, name);
    this.#directoryBytes += 46 + name.byteLength;

    this.#parts.push(signature("PK\x03\x04"), fields, name, entry.data);
    this.#offset += 30 + name.byteLength + entry.data.byteLength;
    this.#entries += 1;
  }

  /** The whole archive. */
  end(): Uint8Array {
    const record = Buffer.alloc(18);
    record.writeUInt16LE(this.#entries, 4);
    record.writeUInt16LE(this.#entries, 6);
    record.writeUInt32LE(this.#directoryBytes, 8);
    record.writeUInt32LE(this.#offset, 12);
    return Buffer.concat([...this.#parts, ...this.#directory, signature("PK\x05\x06"), record]);
  }
}

function signature(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
