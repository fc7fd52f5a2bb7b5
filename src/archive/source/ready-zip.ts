import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
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
import { checkManifest, manifestMissing } from "../manifest/manifest.js";
import { pauses } from "../steps.js";
import type { ExtensionLocation } from "./location.js";
import { readWhole } from "./read-file.js";
import { listZip, zipInvalid } from "./zip-listing.js";

/**
 * Reads a ready zip, which is used byte for byte. Lists its files with their digests, checks its
 * manifest, and refuses what must not reach a browser. Every entry must unpack to the size and
 * CRC-32 it declares. Memory stays at the size of the zip: entries are hashed as they unpack. The
 * caller chose its contents, so files that never ship from a folder may be in it.
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
      `${label} has ${sizeText(Number(stats.size))}; the service takes ${sizeText(archiveBytesMax)}. Leave files out when you make it.`,
    );
  }
  const bytes = readWhole({ location: absolutePath, state: stats, mayBeLink: true }, label);
  const contents = await readZipContents(bytes, label, signal);
  return { ...contents, bytes, checksum: sha256Of(bytes), sizeBytes: bytes.length };
}

/** What is in a zip, by the same rules. `label` names it in errors. */
export async function readZipContents(
  bytes: Buffer,
  label: string,
  signal: AbortSignal | undefined,
): Promise<ExtensionContents> {
  // Names stay bytes: decoded by yauzl, some would be repaired, and so renamed.
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: true };
  const zip = await fromBufferPromise(bytes, options).catch((error: Error) => {
    throw zipInvalid(label, `it is not a whole zip (${error.message})`);
  });
  const files = sortedByPath(await listZip(zip, bytes.length, label, signal));
  const entries: ArchiveEntry[] = [];
  const pause = pauses(label, signal);
  for (const { path, entry } of files) {
    await pause();
    entries.push(await digestOf(zip, path, entry, label));
  }
  const byPath = new Map(files.map(({ path, entry }) => [path, entry]));
  if (!byPath.has("manifest.json")) {
    const advice = "Zip the contents of the extension's folder, not the folder itself";
    throw manifestMissing(label, advice, nearestManifest([...byPath.keys()]));
  }
  const manifest = await checkManifest({
    label,
    sizes: new Map(entries.map(({ path, sizeBytes }) => [path, sizeBytes])),
    read: (path) => buffer(unpack(zip, path, byPath.get(path) as Entry, label)),
    whyLeftOut: () => undefined,
  });
  const contentDigest = contentDigestOf(entries);
  return { kind: "zip", entries, contentDigest, manifest, leftOut: [], leftOutCount: 0 };
}

async function digestOf(zip: ZipFile, path: string, entry: Entry, label: string): Promise<ArchiveEntry> {
  const hash = createHash("sha256");
  let checksum = 0;
  let sizeBytes = 0;
  for await (const piece of unpack(zip, path, entry, label)) {
    hash.update(piece);
    checksum = crc32(piece, checksum);
    sizeBytes += piece.length;
  }
  if (checksum !== entry.crc32) {
    throw zipInvalid(label, `the contents of ${quotePath(path)} do not have their CRC-32`);
  }
  return { path, sizeBytes, sha256: hash.digest("hex") };
}

/** An entry in pieces, never more than it declares: yauzl ends the stream there. */
async function* unpack(zip: ZipFile, path: string, entry: Entry, label: string): AsyncGenerator<Buffer> {
  try {
    yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  } catch (error) {
    throw zipInvalid(label, `${quotePath(path)} cannot be unpacked (${(error as Error).message})`);
  }
}

/** The folder with a manifest that has the fewest folders above it, and then sorts first. */
function nearestManifest(paths: readonly string[]): string | undefined {
  const [nearest] = paths
    .filter((path) => path.endsWith("/manifest.json"))
    .sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  return nearest?.slice(0, -"manifest.json".length);
}
