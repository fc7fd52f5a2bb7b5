import { hash } from "node:crypto";

/**
 * Version of the rules that determine an archive's bytes: the layout of the zip, the compressor and
 * the level, the order of the entries and the list of files that never ship. Every change of these
 * rules changes checksums and must change the version.
 */
export const archiveFormat = 1;

/** Largest archive, in bytes: the limit of the official clients. The service publishes none. */
export const archiveBytesMax = 50 * 1024 * 1024;

/** Largest file, in bytes before compression: 512 MiB. Compression holds the file in memory. */
export const fileBytesMax = 512 * 1024 * 1024;

/** Maximum size of all files together, in bytes before compression: 1 GiB. */
export const rawBytesMax = 1024 * 1024 * 1024;

/** Maximum files of an archive. A zip has a 16-bit count; 65,535 announces the zip64 layout. */
export const archiveFilesMax = 65_534;

export interface ArchiveEntry {
  /** Path below the extension's folder, with `/` between names. */
  readonly path: string;
  /** Size before compression, in bytes. */
  readonly sizeBytes: number;
  /** SHA-256 of the contents, 64 lowercase hexadecimal digits. */
  readonly sha256: string;
}

/** Name and version of an extension, from the manifest. */
export interface ManifestSummary {
  /** Name as shown to users: a `__MSG_…__` name is looked up in the default locale. */
  readonly name: string;
  /** One to four numbers with dots between: `1.4.0`. Leading zeros are allowed: `2024.01.05`. */
  readonly version: string;
}

/** Contents of an extension, known without compression. */
export interface ExtensionContents {
  /** `folder`: packed by this package. `zip`: a ready archive, uploaded byte for byte. */
  readonly kind: "folder" | "zip";
  /** Files, in the byte order of the UTF-8 paths. */
  readonly entries: readonly ArchiveEntry[];
  /**
   * SHA-256 over one line for each entry, 64 lowercase hexadecimal digits. For a folder, equal
   * digests under the same {@link archiveFormat} mean equal archives. Not comparable with the
   * service's checksum, which is the SHA-256 of the archive.
   */
  readonly contentDigest: string;
  readonly manifest: ManifestSummary;
  /** Gaps of an extension that Chromium loads, as sentences without a full stop. */
  readonly warnings: readonly string[];
  /**
   * Files and folders (with a `/` at the end) in the folder that never ship, in byte order, at most
   * 100. Without files excluded by `exclude`. Empty for a ready archive.
   */
  readonly excludedPaths: readonly string[];
  /** Number of files and folders that never ship. A folder counts once. */
  readonly excludedCount: number;
  /**
   * Patterns of `exclude`, as given, without a match. Matches inside excluded folders do not count.
   * Empty for a ready archive.
   */
  readonly unusedPatterns: readonly string[];
}

/** Contents of a foreign archive, without any guarantee. */
export interface ForeignContents extends Omit<ExtensionContents, "manifest"> {
  /** Undefined if the manifest is missing, or has no name or version. */
  readonly manifest: ManifestSummary | undefined;
  /** Reasons why Chromium does not load the extension, as sentences without a full stop. */
  readonly refusals: readonly string[];
}

/** An extension ready for the upload. */
export interface ExtensionArchive extends ExtensionContents {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of {@link bytes}, 64 lowercase hexadecimal digits: the service's checksum. */
  readonly checksum: string;
  /** Length of {@link bytes}. */
  readonly sizeBytes: number;
}

/** Computes the SHA-256 as 64 lowercase hexadecimal digits. */
export function sha256Of(bytes: Uint8Array): string {
  return hash("sha256", bytes);
}

/** Combines contents and zip into an archive. */
export function archiveOf(contents: ExtensionContents, bytes: Uint8Array<ArrayBuffer>): ExtensionArchive {
  return { ...contents, bytes, checksum: sha256Of(bytes), sizeBytes: bytes.length };
}

/** Digests sorted entries: SHA-256 over `path NUL size NUL sha256 LF` of each entry. */
export function contentDigestOf(entries: readonly ArchiveEntry[]): string {
  const lines = entries.map(({ path, sizeBytes, sha256 }) => `${path}\0${sizeBytes}\0${sha256}\n`);
  return hash("sha256", lines.join(""));
}

/**
 * Sorts by the bytes of the UTF-8 path. JavaScript compares UTF-16 units and so sorts U+1F600
 * before U+FB01. `localeCompare` depends on the machine's locale.
 */
export function sortedByPath<T extends { readonly path: string }>(files: readonly T[]): T[] {
  return files
    .map((file) => ({ file, key: Buffer.from(file.path) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ file }) => file);
}
