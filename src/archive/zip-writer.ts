import type { ZipEntry } from "./zip-entry.js";

/** Version 2.0 of the zip format: deflate and folders. */
const versionNeeded = 20;
/** Made on Unix (3) by version 2.0, so that the attributes below are Unix ones, whatever system packs. */
const versionMadeBy = 0x0314;
/** The name is UTF-8. */
const flags = 0x0800;
/** 1980-01-01 00:00, the first moment a zip can name. A constant, so that no clock and no time zone is involved. */
const date = 0x0021;
const time = 0;
/** A regular file, readable by all and writable by its owner: 0100644 in the upper half. */
const attributes = (0o100644 << 16) >>> 0;

const localHeaderBytes = 30;
const centralHeaderBytes = 46;
const endRecordBytes = 22;

/**
 * Writes a zip with the fixed layout of format 1: entries in the order given, sizes before the data, no folder entries,
 * extra fields, data descriptors, comments or zip64. The same entries give the same bytes.
 *
 * The caller keeps to at most 65,534 entries and to less than 4 GiB, see `archiveFilesMax` and `archiveBytesMax`.
 */
export class ZipWriter {
  readonly #local: Uint8Array[] = [];
  readonly #central: Uint8Array[] = [];
  #localBytes = 0;
  #centralBytes = 0;

  /** Size of the zip if it were finished now, in bytes. */
  get sizeBytes(): number {
    return this.#localBytes + this.#centralBytes + endRecordBytes;
  }

  /** Appends an entry. Keeps its data until `finish`. */
  append(entry: ZipEntry): void {
    const name = Buffer.from(entry.path);
    const local = localHeader(entry, name);
    const central = centralHeader(entry, name, this.#localBytes);
    this.#local.push(local, entry.data);
    this.#localBytes += local.length + entry.data.length;
    this.#central.push(central);
    this.#centralBytes += central.length;
  }

  /** The whole zip. */
  finish(): Buffer<ArrayBuffer> {
    const end = Buffer.alloc(endRecordBytes);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#central.length, 8);
    end.writeUInt16LE(this.#central.length, 10);
    end.writeUInt32LE(this.#centralBytes, 12);
    end.writeUInt32LE(this.#localBytes, 16);
    return Buffer.concat([...this.#local, ...this.#central, end], this.sizeBytes);
  }
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
