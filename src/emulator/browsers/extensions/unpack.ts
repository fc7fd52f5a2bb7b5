import { createWriteStream } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fromBufferPromise } from "yauzl";
import { parseManifest } from "./archive-check.js";

/** Unpacks the archive of an extension into a new folder. The archive was checked when it was stored. */
export async function unpackExtension(archive: Uint8Array, folder: string) {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    // yauzl refuses names that lead out of the folder.
    const path = join(folder, entry.fileName);
    await mkdir(entry.fileName.endsWith("/") ? path : dirname(path), { recursive: true });
    if (!entry.fileName.endsWith("/")) {
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path));
    }
  }
  const manifest = parseManifest(await readFile(join(folder, "manifest.json")));
  const { background } = manifest as { readonly background?: { readonly service_worker?: unknown } };
  return { folder, hasWorker: background?.service_worker !== undefined };
}
