import { crc32 } from "node:zlib";
import { ArchiveError } from "../../errors.js";
import { deflateModule } from "./deflate-module.js";
import type { ZipEntry } from "./writer.js";

/**
 * What the WebAssembly module exports, see scripts/deflate/deflate.c. Addresses and lengths in
 * bytes.
 */
interface DeflateExports {
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  /**
   * Returns the address from which the memory is the caller's; 0 when the compressor found no room.
   */
  readonly start: () => number;
  /** Length of the result; 0 when it does not fit into `roomBytes`. */
  readonly deflate: (input: number, inputBytes: number, output: number, roomBytes: number) => number;
}

/**
 * What is used of WebAssembly. The compiler's own types for it come only with those of a browser.
 */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

const pageBytes = 64 * 1024;

/**
 * Memory of a compressor that is kept for the next folder, in bytes. A module's memory never
 * shrinks.
 */
const keptBytesMax = 16 * 1024 * 1024;

let kept: Compressor | undefined;

/**
 * Raw deflate at level 6 by libdeflate in WebAssembly, with the same bytes from every engine.
 * Node's own zlib differs between releases and builds. See docs/decisions/deflate.md.
 */
export class Compressor {
  readonly #exports: DeflateExports;
  /** Where the memory that is ours begins. */
  readonly #base: number;

  private constructor() {
    const compiled = new WebAssembly.Module(Buffer.from(deflateModule, "base64"));
    this.#exports = new WebAssembly.Instance(compiled).exports as DeflateExports;
    this.#base = this.#exports.start();
  }

  /**
   * The compressor of this thread. A file is loaded and compressed without a turn of the event loop
   * in between.
   */
  static shared(): Compressor {
    kept ??= new Compressor();
    return kept;
  }

  /** Lets the shared compressor go when a large file has made its memory large. */
  static release(): void {
    if (kept !== undefined && kept.#exports.memory.buffer.byteLength > keptBytesMax) {
      kept = undefined;
    }
  }

  /**
   * Memory for a file of `sizeBytes`, and one byte more, see `readInto`. The result of compressing
   * it goes behind it, in at most `roomBytes`. Valid until the next call.
   */
  roomFor(sizeBytes: number, roomBytes: number): Uint8Array<ArrayBuffer> {
    const { memory } = this.#exports;
    const missing = this.#base + sizeBytes + 1 + roomBytes - memory.buffer.byteLength;
    if (missing > 0) {
      try {
        memory.grow(Math.ceil(missing / pageBytes));
      } catch (cause) {
        throw new ArchiveError(
          "archive_compression_failed",
          `There is no memory to compress a file of ${sizeBytes} bytes. Give the process more memory.`,
          { cause },
        );
      }
    }
    return new Uint8Array(memory.buffer, this.#base, sizeBytes + 1);
  }

  /**
   * Compresses the file that fills the memory from {@link roomFor}. An entry that deflate does not
   * make smaller, an empty one among them, is stored. Undefined when it takes more than `roomBytes`
   * either way. `data` is valid until the next call.
   */
  compress(path: string, sizeBytes: number, roomBytes: number): ZipEntry | undefined {
    const memory = this.#exports.memory.buffer;
    const contents = new Uint8Array(memory, this.#base, sizeBytes);
    const file = { path, crc32: crc32(contents), sizeBytes };
    const output = this.#base + sizeBytes + 1;
    const deflatedBytes =
      sizeBytes === 0
        ? 0
        : this.#exports.deflate(this.#base, sizeBytes, output, Math.min(sizeBytes - 1, roomBytes));
    if (deflatedBytes > 0) {
      return { ...file, method: 8, data: new Uint8Array(memory, output, deflatedBytes) };
    }
    return sizeBytes <= roomBytes ? { ...file, method: 0, data: contents } : undefined;
  }
}
