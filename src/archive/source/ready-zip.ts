import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";
import { sizeText } from "../../text/words.js";
import {
  type ArchiveEntry,
  archiveBytesMax,
  contentDigestOf,
  type ExtensionContents,
  sortedByPath,
} from "../contents.js";
import { checkManifest } from "../manifest/manifest.js";
import { pauses } from "../steps.js";
import type { ExtensionLocation } from "./location.js";
import { readWhole } from "./read-file.js";
import { listZip, orInvalid, type ZipFileEntry, zipInvalid } from "./zip-listing.js";

/** The bytes of a ready zip. Throws `ArchiveError`, `archive_too_large` above `archiveBytesMax`. */
export function readZipFile({ absolutePath, label, stats }: ExtensionLocation): Buffer<ArrayBuffer> {
  if (stats.size > archiveBytesMax) {
    throw new ArchiveError(
      "archive_too_large",
      `${label} has ${sizeText(Number(stats.size))}; the limit of the service is ${sizeText(archiveBytesMax)}. Leave out files when you create it.`,
    );
  }
  return readWhole({ location: absolutePath, state: stats, mayBeLink: true }, label);
}

/**
 * What is in a zip: its files with their digests, and its manifest. Refuses what must not reach a
 * browser. Every entry must unpack to the size and CRC-32 it declares. Memory stays at the size of
 * the zip: entries are hashed as they unpack. Its maker chose the contents, so files that never
 * ship from a folder may be in it. `label` names it in errors.
 *
 * Throws `ArchiveError` `archive_zip_invalid`, `archive_too_many_files`, a code about a name, or
 * one about the manifest.
 */
export async function readZipContents(
  bytes: Buffer,
  label: string,
  signal: AbortSignal | undefined,
): Promise<ExtensionContents> {
  // Names stay bytes: decoded by yauzl, some would be repaired, and so renamed.
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: true };
  // Loaded when it is needed: most extensions are folders.
  const { fromBufferPromise }: typeof import("yauzl") = require("yauzl");
  const zip = await fromBufferPromise(bytes, options).catch((error: Error) => {
    throw zipInvalid(label, `it is not a complete zip (${error.message})`);
  });
  const unpack = ({ path, entry }: ZipFileEntry): AsyncIterable<Buffer> =>
    // Never more than the entry declares: yauzl ends the stream there.
    orInvalid(zip.openReadStreamPromise(entry), label, `${quotePath(path)} cannot be unpacked`);

  const files = sortedByPath(await listZip(zip, bytes, label, signal));
  const entries: ArchiveEntry[] = [];
  const pause = pauses(label, signal);
  for (const file of files) {
    await pause();
    const hash = createHash("sha256");
    let checksum = 0;
    for await (const piece of unpack(file)) {
      hash.update(piece);
      checksum = crc32(piece, checksum);
    }
    if (checksum !== file.entry.crc32) {
      throw zipInvalid(label, `the contents of ${quotePath(file.path)} do not match their CRC-32`);
    }
    entries.push({ path: file.path, sizeBytes: file.sizeBytes, sha256: hash.digest("hex") });
  }
  const manifest = await checkManifest(files, {
    label,
    read: (file) => buffer(unpack(file)),
    whyLeftOut: () => undefined,
    adviceWhenMissing: "Zip the contents of the extension's folder, not the folder itself",
  });
  const contentDigest = contentDigestOf(entries);
  return { kind: "zip", entries, contentDigest, manifest, leftOut: [], leftOutCount: 0, unusedPatterns: [] };
}
