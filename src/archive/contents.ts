import { hash } from "node:crypto";

/**
 * Version of everything that decides an archive's bytes: the layout of the zip, the compressor and
 * its level, the order of the entries and the list of what never ships. A change of any of them
 * changes checksums, and this number with them.
 */
export const archiveFormat = 1;

/**
 * Largest archive, in bytes: 50 MiB. The service publishes no limit; its official clients refuse
 * more than this before they upload.
 */
export const archiveBytesMax = 50 * 1024 * 1024;

/**
 * Largest single file, in bytes before compression: 512 MiB. A file is in memory completely while
 * it is compressed.
 */
export const fileBytesMax = 512 * 1024 * 1024;

/** Most bytes of all files together before compression: 1 GiB. */
export const rawBytesMax = 1024 * 1024 * 1024;

/** Most files of an archive. A zip counts in 16 bits, and 65,535 announces the zip64 layout. */
export const archiveFilesMax = 65_534;

/** One file of an extension. */
export interface ArchiveEntry {
  /** Path below the extension's folder, with `/` between names. */
  readonly path: string;
  /** Size before compression, in bytes. */
  readonly sizeBytes: number;
  /** SHA-256 of the contents, 64 lowercase hexadecimal digits. */
  readonly sha256: string;
}

/** What the manifest says about the extension. */
export interface ManifestSummary {
  /** As a user reads it: a `__MSG_…__` name is looked up in the default locale. */
  readonly name: string;
  /** One to four numbers with dots between: `1.4.0`. Zeros may lead them: `2024.01.05`. */
  readonly version: string;
}

/** What an extension holds, known without compressing anything. */
export interface ExtensionContents {
  /** `folder`: packed by this package. `zip`: a ready archive, uploaded byte for byte. */
  readonly kind: "folder" | "zip";
  /** The files, in the byte order of their UTF-8 paths. */
  readonly entries: readonly ArchiveEntry[];
  /**
   * SHA-256 over one line for each entry, 64 lowercase hexadecimal digits. For a folder, equal
   * digests under the same {@link archiveFormat} mean equal archives. Never comparable with the
   * service's checksum, which is over the archive.
   */
  readonly contentDigest: string;
  readonly manifest: ManifestSummary;
  /** Gaps of an extension that Chromium loads, each a sentence without its end. */
  readonly warnings: readonly string[];
  /**
   * Files and folders (with a `/` at the end) that never ship and were found in the folder, in byte
   * order, at most 100. Empty for a ready archive, and without what `exclude` leaves out.
   */
  readonly leftOut: readonly string[];
  /** How many files and folders that never ship were found. A folder counts once. */
  readonly leftOutCount: number;
  /**
   * Patterns of `exclude`, as given, that leave out nothing: no file or folder matches them, except
   * in folders that are left out anyway. Empty for a ready archive.
   */
  readonly unusedPatterns: readonly string[];
}

/** An archive that comes from elsewhere, which may hold anything. */
export interface ForeignContents extends Omit<ExtensionContents, "manifest"> {
  /** Undefined if the manifest is missing, or has no name or version. */
  readonly manifest: ManifestSummary | undefined;
  /** Reasons for which Chromium does not load the extension, each a sentence without its end. */
  readonly refusals: readonly string[];
}

/** An extension as it is uploaded. */
export interface ExtensionArchive extends ExtensionContents {
  /** The zip. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /**
   * SHA-256 of {@link bytes}, 64 lowercase hexadecimal digits: what the service stores as the
   * extension's checksum.
   */
  readonly checksum: string;
  /** Length of {@link bytes}. */
  readonly sizeBytes: number;
}

/** SHA-256 as 64 lowercase hexadecimal digits. */
export function sha256Of(bytes: Uint8Array): string {
  return hash("sha256", bytes);
}

/** An extension with its zip. */
export function archiveOf(contents: ExtensionContents, bytes: Uint8Array<ArrayBuffer>): ExtensionArchive {
  return { ...contents, bytes, checksum: sha256Of(bytes), sizeBytes: bytes.length };
}

/** The content digest of sorted entries: SHA-256 over `path NUL size NUL sha256 LF` of each. */
export function contentDigestOf(entries: readonly ArchiveEntry[]): string {
  const lines = entries.map(({ path, sizeBytes, sha256 }) => `${path}\0${sizeBytes}\0${sha256}\n`);
  return hash("sha256", lines.join(""));
}

/**
 * Sorts by the bytes of the UTF-8 path. JavaScript compares UTF-16 units, which puts U+1F600 before
 * U+FB01. `localeCompare` changes with the machine's locale.
 */
export function sortedByPath<T extends { readonly path: string }>(files: readonly T[]): T[] {
  return files
    .map((file) => ({ file, key: Buffer.from(file.path) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ file }) => file);
}
