import { crc32 } from "node:zlib";
import { deflate } from "./deflate.js";

/** How an entry's data is kept: 0 as it is, 8 deflated. The numbers are those of the zip format. */
export type ZipMethod = 0 | 8;

/** A file that is ready to be appended to a zip. */
export interface ZipEntry {
  readonly path: string;
  readonly method: ZipMethod;
  readonly crc32: number;
  /** Size before compression, in bytes. */
  readonly sizeBytes: number;
  /** What goes into the zip: deflated, or the contents themselves. */
  readonly data: Uint8Array;
}

/**
 * Compresses one file. Depends on nothing but its arguments, so that it can run on any thread. An entry that deflate
 * does not make smaller, an empty one among them, is stored.
 */
export function compressEntry(path: string, bytes: Uint8Array): ZipEntry {
  const file = { path, crc32: crc32(bytes), sizeBytes: bytes.length };
  if (bytes.length > 0) {
    const deflated = deflate(bytes);
    if (deflated.length < bytes.length) {
      return { ...file, method: 8, data: deflated };
    }
  }
  return { ...file, method: 0, data: bytes };
}
