import { crc32 } from "node:zlib";
import stripJsonComments from "strip-json-comments";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { z } from "zod";
import { invalidInput, ServiceError } from "../../http/service-error.js";

/** Largest kept file, such as `manifest.json`, in bytes. */
const keptBytesMax = 1_048_576;

/** Most bytes of an unpacked archive (1 GiB): no small archive may keep the emulator busy. */
const unpackedBytesMax = 1_073_741_824;

const manifestShape = z.object({
  manifest_version: z.int(),
  name: z.string().min(1),
  version: z.string().min(1),
});

/**
 * Reads the manifest of an extension's archive, and lists the files with their unpacked sizes in
 * bytes. Throws `ServiceError` 400 unless the bytes are a complete zip file, every entry unpacks to
 * its declared size and CRC-32, no name occurs twice, and a `manifest.json` at the root has
 * `manifest_version`, `name` and `version`.
 *
 * The service publishes no list of its checks. The checks here are a guess: the requirements of any
 * browser, without permissions or features.
 */
export async function readArchive(bytes: Buffer) {
  const { kept, files } = await unpackArchive(bytes, (path) => path === "manifest.json");
  const manifest = kept.get("manifest.json");
  if (manifest === undefined) {
    throw invalidInput("The archive has no manifest.json at its root.");
  }
  let json: unknown;
  try {
    json = parseManifest(manifest);
  } catch {
    throw invalidInput("The archive's manifest.json is not JSON in UTF-8. It may have comments.");
  }
  const { error } = manifestShape.safeParse(json);
  if (error) {
    const members = [...new Set(error.issues.map(({ path }) => String(path[0] ?? "an object")))];
    throw invalidInput(`The archive's manifest.json has no valid ${members.join(", ")}.`);
  }
  return { files, manifest: json };
}

/** Parses a manifest. Throws an `Error` unless the bytes are JSON in UTF-8, with or without comments. */
export function parseManifest(bytes: Uint8Array): unknown {
  return JSON.parse(withoutComments(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
}

/** Removes comments, which browsers allow, from a manifest. Throws if a comment is not closed. */
function withoutComments(text: string): string {
  // The library accepts a comment that is not closed. Such a comment swallows `end`.
  const end = "\n*/";
  const stripped = stripJsonComments(text + end);
  if (!stripped.endsWith(end)) {
    throw new Error("a comment is not closed");
  }
  return stripped.slice(0, -end.length);
}

/**
 * Unpacks every entry, and drops the contents except of the entries that `isKept`, each at most 1 MiB. Throws
 * `ServiceError` 400 unless the bytes are a complete zip file.
 */
export async function unpackArchive(bytes: Buffer, isKept: (path: string) => boolean) {
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true });
  } catch {
    throw invalidInput("The file is not a zip archive.");
  }
  const names = new Set<string>();
  const files: { readonly path: string; readonly sizeBytes: number }[] = [];
  const kept = new Map<string, Buffer>();
  let unpackedBytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      if (names.has(entry.fileName)) {
        throw damaged(`it contains "${entry.fileName}" twice`);
      }
      names.add(entry.fileName);
      unpackedBytes += entry.uncompressedSize;
      if (unpackedBytes > unpackedBytesMax) {
        throw damaged("it unpacks to more than 1 GiB");
      }
      const keeps = isKept(entry.fileName);
      if (keeps && entry.uncompressedSize > keptBytesMax) {
        throw invalidInput(`The archive's ${entry.fileName} is larger than 1 MiB.`);
      }
      const contents = await readEntry(zip, entry, keeps);
      if (keeps) {
        kept.set(entry.fileName, contents);
      }
      files.push({ path: entry.fileName, sizeBytes: entry.uncompressedSize });
    }
  } catch (error) {
    // yauzl's own messages name the entry or the structure at fault.
    throw error instanceof ServiceError ? error : damaged((error as Error).message);
  }
  return { kept, files };
}

async function readEntry(zip: ZipFile, entry: Entry, keep: boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let checksum = 0;
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    checksum = crc32(chunk, checksum);
    if (keep) {
      chunks.push(chunk);
    }
  }
  if (checksum !== entry.crc32) {
    throw damaged(`the contents of "${entry.fileName}" do not match its CRC-32`);
  }
  return Buffer.concat(chunks);
}

function damaged(why: string): ServiceError {
  return invalidInput(`The zip archive cannot be used: ${why}.`);
}
