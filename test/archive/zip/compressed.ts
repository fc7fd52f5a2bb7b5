import { compress } from "../../../src/archive/zip/compressor.js";
import type { ZipEntry } from "../../../src/archive/zip/writer.js";

/**
 * Entry of a file; undefined if the entry does not fit into `roomBytes`. Valid until the next call.
 */
export function compressed(contents: Uint8Array, roomBytes: number): ZipEntry | undefined;
export function compressed(contents: Uint8Array): ZipEntry;
export function compressed(contents: Uint8Array, roomBytes = contents.length): ZipEntry | undefined {
  return compress("x", contents.length, roomBytes, (room) => room.set(contents)).entry;
}
