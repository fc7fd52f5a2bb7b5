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
  type ForeignContents,
  sortedByPath,
} from "../contents.js";
import { checkManifest, readManifest } from "../manifest/manifest.js";
import { Refusals } from "../rules/refusals.js";
import { redactedPath, secretsOfZip } from "../rules/secrets.js";
import { PieceSearch } from "../rules/word-search.js";
import { createPause } from "../steps.js";
import { checkApp } from "./app-folder.js";
import type { ExtensionLocation, FolderSource } from "./location.js";
import { readWhole } from "./read-file.js";
import { listZip, withZipErrors, type ZipFileEntry, zipInvalidError } from "./zip-listing.js";

/** Reads a ready zip, or the zip in a `.crx`. Throws `archive_too_large` above `archiveBytesMax`. */
export function readZipFile({ absolutePath, label, stats }: ExtensionLocation): Buffer<ArrayBuffer> {
  if (stats.size > archiveBytesMax) {
    throw new ArchiveError(
      "archive_too_large",
      `${label} has ${sizeText(Number(stats.size))}; the limit of the service's own clients is ${sizeText(archiveBytesMax)}. Create the archive with fewer files.`,
    );
  }
  return unwrapCrx(readWhole({ location: absolutePath, state: stats, mayBeLink: true }, label), label);
}

/** Zip in a packed extension of version 2 or 3, even if named `.zip`; otherwise all bytes. */
function unwrapCrx(bytes: Buffer<ArrayBuffer>, label: string): Buffer<ArrayBuffer> {
  if (bytes.length < 16 || bytes.toString("latin1", 0, 4) !== "Cr24") {
    return bytes;
  }
  const [version, first, second] = [4, 8, 12].map((at) => bytes.readUInt32LE(at));
  const start = version === 2 ? 16 + (first ?? 0) + (second ?? 0) : 12 + (first ?? 0);
  if (start >= bytes.length) {
    throw zipInvalidError(label, "it is a packed extension (.crx) without a zip inside");
  }
  // Separate memory, because an upload sends the whole buffer.
  const zip = Buffer.allocUnsafeSlow(bytes.length - start);
  bytes.copy(zip, 0, start);
  return zip;
}

interface ZipReading extends Pick<FolderSource, "label" | "apiKey" | "app"> {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the contents of a zip: files with digests, and the manifest, or the entrypoint of an app.
 * Refuses files that must not reach a browser. Every entry must unpack to the declared size and
 * CRC-32. Memory stays at the size of the zip: entries are hashed while unpacked. Files that never
 * ship from a folder are allowed, because the author of the zip chose the contents.
 *
 * Throws `ArchiveError` `archive_zip_invalid`, `archive_too_many_files`, `archive_api_key`, or a
 * code about a name or the manifest.
 */
export async function readZipContents(bytes: Buffer, reading: ZipReading): Promise<ExtensionContents> {
  const { files, source, rest } = await readFiles(bytes, reading);
  const { app } = reading;
  return { ...rest, ...(await (app ? checkApp(files, app, source) : checkManifest(files, source))) };
}

/** Reads the contents of an archive from the service, even if Chromium would not load it. */
export async function readForeignZip(bytes: Buffer, reading: ZipReading): Promise<ForeignContents> {
  const { files, source, rest } = await readFiles(bytes, reading);
  const { summary, refusals, warnings } = (await readManifest(files, source)) ?? noManifest;
  return { ...rest, manifest: summary, refusals, warnings };
}

const noManifest = {
  summary: undefined,
  refusals: ["it has no manifest.json at its top level"],
  warnings: [],
};

/** Opens a zip. Returns the files, sorted by path, and a function that unpacks a file. */
export async function openZip(bytes: Buffer, label: string, signal: AbortSignal | undefined) {
  // Names stay bytes, because yauzl repairs some names when decoding, and so renames files.
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: true };
  // Loaded on first use: most extensions are folders.
  const { fromBufferPromise }: typeof import("yauzl") = require("yauzl");
  const zip = await fromBufferPromise(bytes, options).catch((error: Error) => {
    throw zipInvalidError(label, `it is not a complete zip (${error.message})`);
  });
  const unpack = ({ path, entry }: ZipFileEntry): AsyncIterable<Buffer> =>
    // Never more than the declared size: yauzl ends the stream there.
    withZipErrors(zip.openReadStreamPromise(entry), label, `${quotePath(path)} cannot be unpacked`);
  return { files: sortedByPath(await listZip(zip, bytes, label, signal)), unpack };
}

async function readFiles(bytes: Buffer, { label, apiKey, signal }: ZipReading) {
  const { files, unpack } = await openZip(bytes, label, signal);
  const entries: ArchiveEntry[] = [];
  const secrets = secretsOfZip(apiKey);
  const refusals = new Refusals();
  const pause = createPause(label, signal);
  for (const file of files) {
    await pause();
    const hash = createHash("sha256");
    const search = new PieceSearch(secrets);
    let checksum = 0;
    for await (const piece of unpack(file)) {
      hash.update(piece);
      search.add(piece);
      checksum = crc32(piece, checksum);
    }
    if (checksum !== file.entry.crc32) {
      throw zipInvalidError(label, `the contents of ${quotePath(file.path)} do not match their CRC-32`);
    }
    const pathWithKey = redactedPath(file.path, apiKey);
    if (pathWithKey !== undefined) {
      refusals.add("archive_api_key", pathWithKey);
    } else {
      refusals.addSecret(file.path, search.found);
    }
    entries.push({ path: file.path, sizeBytes: file.sizeBytes, sha256: hash.digest("hex") });
  }
  refusals.throwIfAny(label);
  const source = {
    label,
    read: (file: ZipFileEntry) => buffer(unpack(file)),
    exclusionOf: () => undefined,
    adviceWhenMissing: "Zip the contents of the extension's folder, not the folder itself",
  };
  const contentDigest = contentDigestOf(entries);
  const rest = { entries, contentDigest, excludedPaths: [], excludedCount: 0, unusedPatterns: [] };
  return { files, source, rest: { kind: "zip", ...rest } as const };
}
