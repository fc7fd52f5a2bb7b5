import { crc32 } from "node:zlib";
import { ArchiveError } from "../../errors.js";
import { sha256Of } from "../contents.js";
import { deflateModule } from "./deflate-module.js";
import type { ZipEntry } from "./writer.js";

/**
 * What the WebAssembly module exports, see scripts/deflate/deflate.c. Addresses and lengths in
 * bytes.
 */
interface DeflateExports {
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  /** Returns the address from which the memory is the caller's. */
  readonly start: () => number;
  /** Length of the result; 0 when it does not fit into `roomBytes`. */
  readonly deflate: (input: number, inputBytes: number, output: number, roomBytes: number) => number;
}

/** What we use of WebAssembly. TypeScript has its types only together with those of a browser. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

const pageBytes = 64 * 1024;

/** Most memory of a module that is kept for the next folder, in bytes. It never shrinks. */
const keptBytesMax = 16 * 1024 * 1024;

/** Short calls before a long one, because engines replace slow code only between two calls. */
const warmUp = { fromBytes: 4 * 1024 * 1024, calls: 24, bytes: 64 * 1024 };

let loaded: ReturnType<typeof load> | undefined;

/**
 * Hashes and compresses one file: raw deflate at level 6 by libdeflate in WebAssembly, with the
 * same bytes from every engine. Node's own zlib differs between releases and builds, see
 * docs/decisions/deflate.md. An entry that deflate does not make smaller is stored.
 *
 * `fill` writes the file to the beginning of the room it gets, which has one byte more than the
 * file. The entry is undefined when it takes more than `roomBytes`; its `data` is valid until the
 * next call.
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

/** Lets the module go when a large file has made its memory large. */
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
