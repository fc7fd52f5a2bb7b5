import { deflateSync } from "fflate";

/**
 * Raw deflate at level 6, with the same bytes from every JavaScript engine. Node's own zlib differs between releases
 * and builds. Only fflate's synchronous function is used: its streaming one gives bytes that depend on the chunks, and
 * corrupts some inputs.
 */
export function deflate(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: 6 });
}
