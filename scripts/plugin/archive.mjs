import { createHash } from "node:crypto";
import { createWriteStream, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { TarArchive } from "archiver";

/** A file of an archive. */
/** @typedef {{ name: string, contents: Buffer, mode: number }} ArchiveFile */

/** A fixed date: equal files give equal archives. */
const date = new Date(0);

/**
 * Writes files to a tar archive, packed by gzip.
 *
 * @param {string} path
 * @param {readonly ArchiveFile[]} files
 */
export async function writeTar(path, files) {
  const archive = new TarArchive({ gzip: true, gzipOptions: { level: 9 } });
  for (const { name, contents, mode } of files) {
    archive.append(contents, { name, mode, date });
  }
  await Promise.all([archive.finalize(), pipeline(archive, createWriteStream(path))]);
}

/**
 * Writes the SHA-256 of every archive in a folder to the file `SHA256SUMS`, in the format of
 * `sha256sum --check`.
 *
 * @param {string} folder
 */
export function writeChecksums(folder) {
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith(".tar.gz"))
    .sort()
    .map((file) => {
      const sha256 = createHash("sha256").update(readFileSync(join(folder, file)));
      return `${sha256.digest("hex")}  ${file}\n`;
    });
  writeFileSync(join(folder, "SHA256SUMS"), lines.join(""));
}
