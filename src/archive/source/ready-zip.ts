import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";
import { sizeText } from "../../text/words.js";
import {
  type ArchiveEntry,
  archiveBytesMax,
  contentDigestOf,
  type ExtensionArchive,
  type ExtensionContents,
  sha256Of,
  sortedByPath,
} from "../contents.js";
import { checkManifest, manifestBytesMax } from "../manifest/manifest.js";
import { pauses, runInTurns } from "../steps.js";
import type { ExtensionLocation } from "./location.js";
import { readWhole } from "./read-file.js";
import { listZip, type ZipListing } from "./zip-listing.js";

/**
 * Takes a ready zip byte for byte. It is read to list its files with their digests, to check its
 * manifest, and to refuse what must not reach a browser; every entry has to unpack to the size and
 * CRC-32 it declares. Memory stays at the size of the zip: entries are hashed as they unpack. Its
 * contents are the caller's choice, so what never ships from a folder is not looked for here.
 *
 * Throws `ArchiveError` `archive_zip_invalid`, `archive_too_large`, `archive_too_many_files`, a
 * code about a name, or one about the manifest.
 */
export async function readReadyZip(
  { absolutePath, label, stats }: ExtensionLocation,
  signal: AbortSignal | undefined,
): Promise<ExtensionArchive> {
  if (stats.size > archiveBytesMax) {
    throw new ArchiveError(
      "archive_too_large",
      `${label} has ${sizeText(Number(stats.size))}; the service takes ${sizeText(archiveBytesMax)}. Leave files out when it is made.`,
    );
  }
  const file = { location: absolutePath, state: stats, mayBeLink: true };
  const bytes = await runInTurns(readWhole(file, label), label, signal);
  const contents = await readZipContents(bytes, label, signal);
  return { ...contents, bytes, checksum: sha256Of(bytes), sizeBytes: bytes.length };
}

/** What is in a zip, by the same rules. `label` names it in errors. */
export async function readZipContents(
  bytes: Buffer,
  label: string,
  signal: AbortSignal | undefined,
): Promise<ExtensionContents> {
  const zip = await openZip(bytes, label);
  const listing = await listZip(zip, bytes.length, label, signal);
  const entries: ArchiveEntry[] = [];
  const pause = pauses(label, signal);
  for (const file of sortedByPath(listing.files)) {
    await pause();
    entries.push(await digestOf(zip, file.path, file.entry, label));
  }
  return {
    kind: "zip",
    entries,
    contentDigest: contentDigestOf(entries),
    manifest: await checkZipManifest(zip, listing, label),
    leftOut: [],
    leftOutCount: 0,
  };
}

async function openZip(bytes: Buffer, label: string): Promise<ZipFile> {
  try {
    // Names stay bytes: decoded by yauzl, they would be repaired and renamed in places.
    return await fromBufferPromise(bytes, {
      lazyEntries: true,
      decodeStrings: false,
      validateEntrySizes: true,
    });
  } catch (error) {
    throw zipInvalid(label, `it is not a whole zip (${(error as Error).message})`);
  }
}

async function digestOf(zip: ZipFile, path: string, entry: Entry, label: string): Promise<ArchiveEntry> {
  const hash = createHash("sha256");
  let checksum = 0;
  let sizeBytes = 0;
  for await (const chunk of unpack(zip, path, entry, label)) {
    hash.update(chunk);
    checksum = crc32(chunk, checksum);
    sizeBytes += chunk.length;
  }
  if (checksum !== entry.crc32) {
    throw zipInvalid(label, `the contents of ${quotePath(path)} do not have their CRC-32`);
  }
  return { path, sizeBytes, sha256: hash.digest("hex") };
}

/**
 * The contents of an entry in pieces, never more than the entry declares: yauzl ends the stream
 * there.
 */
async function* unpack(zip: ZipFile, path: string, entry: Entry, label: string): AsyncGenerator<Buffer> {
  try {
    yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  } catch (error) {
    throw zipInvalid(label, `${quotePath(path)} cannot be unpacked (${(error as Error).message})`);
  }
}

async function checkZipManifest(zip: ZipFile, { files }: ZipListing, label: string) {
  const byPath = new Map(files.map(({ path, entry }) => [path, entry]));
  const entryOf = (path: string): Entry => {
    const entry = byPath.get(path);
    if (entry === undefined) {
      throw zipInvalid(label, `it has no ${quotePath(path)}`);
    }
    return entry;
  };
  if (!byPath.has("manifest.json")) {
    throw noManifest(label, [...byPath.keys()]);
  }
  return checkManifest({
    label,
    paths: new Set(byPath.keys()),
    sizeOf: (path) => entryOf(path).uncompressedSize,
    read: async (path) => {
      const pieces: Buffer[] = [];
      for await (const piece of unpack(zip, path, entryOf(path), label)) {
        pieces.push(piece);
      }
      return Buffer.concat(pieces, Math.min(entryOf(path).uncompressedSize, manifestBytesMax));
    },
    whyLeftOut: () => undefined,
  });
}

function noManifest(label: string, paths: readonly string[]): ArchiveError {
  const [nearest] = paths
    .filter((path) => path.endsWith("/manifest.json"))
    .toSorted((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  const hint =
    nearest === undefined
      ? ""
      : `; the nearest manifest is in ${quotePath(nearest.slice(0, -"manifest.json".length))}`;
  return new ArchiveError(
    "archive_no_manifest",
    `${label} has no manifest.json at its top level. Zip the contents of the extension's folder, not the folder itself${hint}.`,
  );
}

function zipInvalid(label: string, problem: string): ArchiveError {
  return new ArchiveError(
    "archive_zip_invalid",
    `${label} cannot be used: ${problem}. Make it again, or point "path" at the folder, which is then packed here.`,
  );
}
