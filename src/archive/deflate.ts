import { deflateSync } from "fflate";

/**
 * Raw deflate whose bytes are a function of the input alone, on every machine: pure JavaScript, pinned to an exact version.
 * Node's own zlib differs between builds; and of this library only the synchronous form is sound, since its streaming deflate
 * makes archives that cannot be read back. See docs/decisions/archive-format.md.
 */
export function deflate(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: 6 });
}
