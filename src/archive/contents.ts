import { createHash } from "node:crypto";

/** One file of an extension. */
export interface ArchiveEntry {
  /** Path below the extension's folder, with `/`. */
  readonly path: string;
  /** Size before compression, bytes. */
  readonly sizeBytes: number;
  /** SHA-256 of the contents, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** Name and version from the extension's manifest, a localized name resolved to the default locale's. */
export interface ManifestSummary {
  readonly name: string;
  readonly version: string;
}

/** What is in an extension, as far as it can be known without compressing anything. */
export interface ExtensionContents {
  readonly kind: "folder" | "zip";
  /** Sorted by the bytes of their UTF-8 paths. */
  readonly entries: readonly ArchiveEntry[];
  /**
   * SHA-256 over the sorted entries, each `path NUL size NUL sha256 LF`. Equal contents have equal digests, however they are
   * packed; it is never to be compared with a checksum of the service.
   */
  readonly contentDigest: string;
  readonly manifest: ManifestSummary;
  /** Paths in the folder that are never shipped, at most the first 100. Empty for a ready archive. */
  readonly leftOut: readonly string[];
}

/** An extension ready to be uploaded. */
export interface ExtensionArchive extends ExtensionContents {
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`, 64 lower-case hexadecimal digits: what the service stores as the extension's checksum. */
  readonly checksum: string;
  readonly sizeBytes: number;
}

/** How an extension is read. */
export interface ArchiveOptions {
  /** Glob patterns of paths to leave out; see docs/archive.md. Only for folders. */
  readonly exclude?: readonly string[];
  /** Ends the work early, with `CanceledError`. */
  readonly signal?: AbortSignal;
}

/** Order of entries: by bytes. Every other order depends on the machine's locale or on UTF-16. */
export function byPathBytes(a: { readonly path: string }, b: { readonly path: string }): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
}

/** See {@link ExtensionContents.contentDigest}; `entries` have to be sorted. */
export function contentDigestOf(entries: readonly ArchiveEntry[]): string {
  const hash = createHash("sha256");
  for (const { path, sizeBytes, sha256 } of entries) {
    hash.update(`${path}\0${sizeBytes}\0${sha256}\n`);
  }
  return hash.digest("hex");
}

/** SHA-256 as 64 lower-case hexadecimal digits. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
