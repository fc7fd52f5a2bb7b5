import { crc32 } from "node:zlib";
import { ArchiveError } from "../../errors.js";
import { sha256Of } from "../contents.js";
import { deflateModule } from "./deflate-module.js";
import type { ZipEntry } from "./writer.js";

/** Exports of the WebAssembly module (scripts/deflate/deflate.c). Addresses and sizes in bytes. */
interface DeflateExports {
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  /** Returns the start address of the caller's memory. */
  readonly start: () => number;
  /** Compresses a file. Returns the length of the result; 0 if larger than `roomBytes`. */
  readonly deflate: (input: number, inputBytes: number, output: number, roomBytes: number) => number;
}

/** Used part of WebAssembly. TypeScript has the types only together with the types of a browser. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

const pageBytes = 64 * 1024;

/** Maximum memory of a module kept for the next folder, in bytes. Such memory never shrinks. */
const keptBytesMax = 16 * 1024 * 1024;

/** Short calls before a long call, because engines replace slow code only between two calls. */
const warmUp = { fromBytes: 4 * 1024 * 1024, calls: 24, bytes: 64 * 1024 };

let loaded: ReturnType<typeof load> | undefined;

/**
 * Hashes and compresses one file: raw deflate at level 6 by libdeflate in WebAssembly, with the
 * same bytes from every engine. Node's own zlib differs between releases and builds, see
 * docs/decisions/browsers/deflate.md. If deflate does not make the file smaller, the entry is stored.
 *
 * `fill` writes the file to the beginning of the given room, which has one byte more than the file.
 * The entry is undefined if the data is larger than `roomBytes`. `data` is valid until the next
 * call.
 */
export function compress(
  path: string,
  sizeBytes: number,
  roomBytes: number,
  fill: (room: Uint8Array) => void,
): { readonly sha256: string; readonly entry: ZipEntry | undefined } {
  loaded ??= load();
  const { memory, base, deflate } = loaded;
  const output = base + sizeBytes + 1;
  const outputBytes = Math.max(0, Math.min(sizeBytes - 1, roomBytes));
  const missingBytes = output + outputBytes - memory.buffer.byteLength;
  try {
    if (missingBytes > 0) {
      memory.grow(Math.ceil(missingBytes / pageBytes));
    }
  } catch (cause) {
    throw new ArchiveError(
      "archive_compression_failed",
      `There is not enough memory to compress a file of ${sizeBytes} bytes. Give the process more memory.`,
      { cause },
    );
  }
  fill(new Uint8Array(memory.buffer, base, sizeBytes + 1));
  const contents = new Uint8Array(memory.buffer, base, sizeBytes);
  for (; sizeBytes > warmUp.fromBytes && loaded.warmUpsLeft > 0; loaded.warmUpsLeft -= 1) {
    deflate(base, warmUp.bytes, output, Math.min(warmUp.bytes, outputBytes));
  }
  const deflatedBytes = outputBytes === 0 ? 0 : deflate(base, sizeBytes, output, outputBytes);
  const isDeflated = deflatedBytes > 0;
  const data = isDeflated ? new Uint8Array(memory.buffer, output, deflatedBytes) : contents;
  const entry = { path, method: isDeflated ? 8 : 0, crc32: crc32(contents), sizeBytes, data } as const;
  return { sha256: sha256Of(contents), entry: data.length <= roomBytes ? entry : undefined };
}

/** Releases the module if a large file has enlarged the memory. */
export function releaseMemory(): void {
  if (loaded !== undefined && loaded.memory.buffer.byteLength > keptBytesMax) {
    loaded = undefined;
  }
}

function load() {
  const compiled = new WebAssembly.Module(Buffer.from(deflateModule, "base64"));
  const exports = new WebAssembly.Instance(compiled).exports as DeflateExports;
  return { ...exports, base: exports.start(), warmUpsLeft: warmUp.calls };
}
