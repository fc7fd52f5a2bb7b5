import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { ArchiveError, CanceledError } from "../errors.js";
import { type ArchiveEntry, byPathBytes, sha256Of } from "./contents.js";
import { contentBytesMax, fileBytesMax, filesMax } from "./limits.js";
import { refuseUnportable } from "./portable-name.js";

/** Most a file may grow when it is unpacked, beyond which the archive is taken for a bomb: the format itself ends at 1032. */
const expansionMax = 1_100;

/** A ready archive, opened: its files with their contents still packed. */
export interface ReadyZip {
  readonly entries: readonly ArchiveEntry[];
  read(path: string): Promise<Uint8Array>;
}

/**
 * Reads a zip archive that somebody else packed: lists its files with their digests, and refuses what no browser unpacks as it
 * was meant: names that lead out of the folder, links, encryption, a name twice, sizes beyond measure.
 */
export async function readReadyZip(
  bytes: Buffer,
  shownPath: string,
  signal: AbortSignal | undefined,
): Promise<ReadyZip> {
  const refuse = (why: string): ArchiveError =>
    new ArchiveError("archive_zip_invalid", `"${shownPath}" is not an archive that can be uploaded: ${why}.`);
  try {
    const zip = await fromBufferPromise(bytes, {
      lazyEntries: true,
      validateEntrySizes: true,
      autoClose: false,
    });
    if (zip.entryCount > filesMax) {
      throw refuse(`it has ${zip.entryCount} entries, and ${filesMax} are taken`);
    }
    const files = new Map<string, Entry>();
    const entries: ArchiveEntry[] = [];
    let contentBytes = 0;
    for await (const entry of zip.eachEntry()) {
      if (signal?.aborted) {
        throw new CanceledError(`Reading "${shownPath}" was canceled.`);
      }
      const path = entry.fileName;
      if (path.endsWith("/")) {
        continue;
      }
      const problem = entryProblem(entry, files);
      if (problem !== undefined) {
        throw refuse(problem);
      }
      contentBytes += entry.uncompressedSize;
      if (contentBytes > contentBytesMax) {
        throw refuse("it unpacks to more than 1 GiB");
      }
      files.set(path, entry);
      const contents = await unpack(zip, entry);
      if (crc32(contents) !== entry.crc32) {
        throw refuse(`the contents of "${path}" do not have their CRC-32`);
      }
      entries.push({ path, sizeBytes: contents.byteLength, sha256: sha256Of(contents) });
    }
    refuseUnportable([...files.keys()], `"${shownPath}"`);
    const read = async (path: string): Promise<Uint8Array> => {
      const entry = files.get(path);
      return entry === undefined ? new Uint8Array() : unpack(zip, entry);
    };
    return { entries: entries.sort(byPathBytes), read };
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof CanceledError) {
      throw error;
    }
    // The reader's own texts name the entry or the structure at fault.
    throw refuse((error as Error).message);
  }
}

function entryProblem(entry: Entry, others: ReadonlyMap<string, Entry>): string | undefined {
  const path = entry.fileName;
  const unixMode = entry.versionMadeBy >> 8 === 3 ? entry.externalFileAttributes >>> 16 : 0;
  const kind = unixMode & 0o170000;
  if (kind !== 0 && kind !== 0o100000) return `"${path}" is a link or a special file`;
  if (entry.isEncrypted()) return `"${path}" is encrypted`;
  if (others.has(path)) return `it holds "${path}" twice`;
  if (entry.uncompressedSize > fileBytesMax) return `"${path}" unpacks to more than 512 MiB`;
  if (entry.uncompressedSize > Math.max(1, entry.compressedSize) * expansionMax)
    return `"${path}" claims to unpack to ${entry.uncompressedSize} bytes from ${entry.compressedSize}`;
  return undefined;
}

/** The reader itself stops an entry that grows beyond the size it declares. */
async function unpack(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
