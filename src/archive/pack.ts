import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { InputError } from "../errors.js";
import {
  archiveOf,
  type ExtensionArchive,
  type ExtensionContents,
  type ForeignContents,
} from "./contents.js";
import { compileExclude } from "./rules/exclude.js";
import { listFolder } from "./source/folder.js";
import { type AppSource, type FolderSource, locateExtension } from "./source/location.js";
import { openZip, readForeignZip, readZipContents, readZipFile } from "./source/ready-zip.js";
import { runInTurns } from "./steps.js";
import { packFolder, readFolder } from "./zip/pack-folder.js";

/** All options may be missing; then nothing is excluded and no key is searched for. */
export interface ArchiveOptions
  extends Partial<Pick<FolderSource, "exclude" | "apiKey" | "knownDigest" | "app">> {
  /** Base folder of a relative path. Without `baseFolder`, the path must be absolute. */
  readonly baseFolder?: string;
  /** Ends the work with a `CanceledError`: between two files, or at once while a worker packs. */
  readonly signal?: AbortSignal;
}

/**
 * Reads and checks an extension without compressing it: the files with their digests, and the
 * manifest. Enough for a preview of unchanged files, and about as fast as hashing the files.
 *
 * `path`: folder of an unpacked extension, or a ready `.zip`. Throws `InputError` if `path` or
 * `exclude` is invalid, `ArchiveError` if the files cannot be an extension's archive, and
 * `CanceledError`.
 */
export async function readExtension(path: string, options: ArchiveOptions = {}): Promise<ExtensionContents> {
  const { knownDigest, signal } = options;
  const { location, source } = locate(path, options);
  return location.kind === "folder"
    ? readFolder({ ...source, knownDigest }, signal)
    : readZipContents(readZipFile(location), { ...source, signal });
}

/**
 * Packs an extension into the zip for the upload. The same files give the same bytes on every
 * machine: dates, permissions and order do not count. A ready `.zip` is checked and used byte for
 * byte.
 *
 * Arguments and errors as for {@link readExtension}, and `ArchiveError` `archive_too_large` above
 * `archiveBytesMax`.
 */
export async function packExtension(path: string, options: ArchiveOptions = {}): Promise<ExtensionArchive> {
  const { signal } = options;
  const { location, source } = locate(path, options);
  if (location.kind === "folder") {
    return packFolder(source, signal);
  }
  const bytes = readZipFile(location);
  return archiveOf(await readZipContents(bytes, { ...source, signal }), bytes);
}

/**
 * Reads an archive in memory, such as a download from the service: files with digests, and the
 * manifest, even if Chromium would not load the extension. `label`: name of the archive in errors.
 * Throws `ArchiveError` for an unreadable zip, and `CanceledError`.
 */
export function readArchive(
  bytes: Uint8Array,
  label: string,
  signal?: AbortSignal,
): Promise<ForeignContents> {
  return readForeignZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), { label, signal });
}

/**
 * Writes the shipped files of an extension into an empty folder, without a check of manifest or
 * contents. Otherwise, arguments and errors as for {@link readExtension}.
 */
export async function writeShipped(path: string, target: string, options: ArchiveOptions): Promise<void> {
  const { signal } = options;
  const { location, source } = locate(path, options);
  const { label } = source;
  const place = (file: string) => {
    const written = join(target, file);
    mkdirSync(dirname(written), { recursive: true });
    return written;
  };
  if (location.kind === "zip") {
    const { files, unpack } = await openZip(readZipFile(location), label, signal);
    for (const file of files) {
      writeFileSync(place(file.path), await buffer(unpack(file)));
    }
    return;
  }
  const listing = listFolder(source, compileExclude(source.exclude), () => "");
  for (const file of (await runInTurns(listing, label, signal)).files) {
    copyFileSync(file.location, place(file.path));
  }
}

/** Code of an app, ready for the upload. */
export type AppArchive = Omit<ExtensionArchive, "manifest">;

/**
 * Packs the code of an app into the zip for the upload, as {@link packExtension} packs an extension: the same
 * files give the same bytes. Folders of installed dependencies stay out, and so does what Git ignores.
 *
 * Throws `InputError` on `path` or `exclude`, `ArchiveError` `app_manifest_missing` or
 * `app_entrypoint_missing`, and the errors of {@link packExtension}.
 */
export function packApp(
  path: string,
  options: ArchiveOptions & { readonly app: AppSource },
): Promise<AppArchive> {
  return packExtension(path, options);
}

function locate(path: string, { exclude = [], apiKey, app, baseFolder }: ArchiveOptions) {
  const location = locateExtension(path, baseFolder);
  const { kind, absolutePath, label } = location;
  if (kind === "zip" && exclude.length > 0) {
    throw new InputError(
      "exclude_with_zip",
      "exclude",
      `"exclude" applies only to a folder. ${label} is uploaded unchanged: create the archive without these files, or point "path" at the folder.`,
    );
  }
  return { location, source: { absolutePath, label, exclude, apiKey, app } };
}
