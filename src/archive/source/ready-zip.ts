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
import { pauses } from "../steps.js";
import type { ExtensionLocation } from "./location.js";
import { readWhole } from "./read-file.js";
import { listZip, orInvalid, type ZipFileEntry, zipInvalid } from "./zip-listing.js";

/**
 * The bytes of a ready zip, or of the zip in a packed extension (`.crx`). Throws `ArchiveError`,
 * `archive_too_large` above `archiveBytesMax`.
 */
export function readZipFile({ absolutePath, label, stats }: ExtensionLocation): Buffer<ArrayBuffer> {
  if (stats.size > archiveBytesMax) {
    throw new ArchiveError(
      "archive_too_large",
      `${label} has ${sizeText(Number(stats.size))}; the limit of the service is ${sizeText(archiveBytesMax)}. Leave out files when you create it.`,
    );
  }
  return zipInside(readWhole({ location: absolutePath, state: stats, mayBeLink: true }, label), label);
}

/** The zip in a packed extension of version 2 or 3, also under the name of a zip; else all bytes. */
function zipInside(bytes: Buffer<ArrayBuffer>, label: string): Buffer<ArrayBuffer> {
  if (bytes.length < 16 || bytes.toString("latin1", 0, 4) !== "Cr24") {
    return bytes;
  }
  const [version, first, second] = [4, 8, 12].map((at) => bytes.readUInt32LE(at));
  const start = version === 2 ? 16 + (first ?? 0) + (second ?? 0) : 12 + (first ?? 0);
  if (start >= bytes.length) {
    throw zipInvalid(label, "it is a packed extension (.crx) without a zip inside");
  }
  // Memory of its own: an upload takes all of it.
  const zip = Buffer.allocUnsafeSlow(bytes.length - start);
  bytes.copy(zip, 0, start);
  return zip;
}

/** How a zip is read. */
interface ZipReading {
  /** Names the zip in errors. */
  readonly label: string;
  /** The key that no file may hold. Default: none is looked for. */
  readonly apiKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What is in a zip: its files with their digests, and its manifest. Refuses what must not reach a
 * browser. Every entry must unpack to the size and CRC-32 it declares. Memory stays at the size of
 * the zip: entries are hashed as they unpack. Its maker chose the contents, so files that never
 * ship from a folder may be in it.
 *
 * Throws `ArchiveError` `archive_zip_invalid`, `archive_too_many_files`, `archive_api_key`, a code
 * about a name, or one about the manifest.
 */
export async function readZipContents(bytes: Buffer, reading: ZipReading): Promise<ExtensionContents> {
  const { files, source, rest } = await readFiles(bytes, reading);
  return { ...rest, ...(await checkManifest(files, source)) };
}

/**
 * The same for an archive that the service has: its manifest may be one that Chromium would not
 * load, and then that is part of the result.
 */
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

/** The files of a zip, sorted by path, and a function that unpacks one of them. */
export async function openZip(bytes: Buffer, label: string, signal: AbortSignal | undefined) {
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
  return { files: sortedByPath(await listZip(zip, bytes, label, signal)), unpack };
}

async function readFiles(bytes: Buffer, { label, apiKey, signal }: ZipReading) {
  const { files, unpack } = await openZip(bytes, label, signal);
  const entries: ArchiveEntry[] = [];
  const secrets = secretsOfZip(apiKey);
  const refusals = new Refusals();
  const pause = pauses(label, signal);
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
      throw zipInvalid(label, `the contents of ${quotePath(file.path)} do not match their CRC-32`);
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
    whyLeftOut: () => undefined,
    adviceWhenMissing: "Zip the contents of the extension's folder, not the folder itself",
  };
  const contentDigest = contentDigestOf(entries);
  const rest = { entries, contentDigest, leftOut: [], leftOutCount: 0, unusedPatterns: [] };
  return { files, source, rest: { kind: "zip", ...rest } as const };
}
