/**
 * SHA-256 of the archive of each fixture under archive format 1. A value that changes means that every user's unchanged
 * extension is uploaded anew: it takes a new `archiveFormat`, never a new value alone.
 */
export const goldenChecksums: Readonly<Record<string, string>> = {};

/** SHA-256 over the compressed fuzz inputs of codec.test.ts, in order. */
export const goldenCodecDigest = "";
