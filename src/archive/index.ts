/** Folder or ready archive in, archive and its SHA-256 out: the same bytes on every machine. */
export type {
  ArchiveEntry,
  ArchiveOptions,
  ExtensionArchive,
  ExtensionContents,
  ManifestSummary,
} from "./contents.js";
export { archiveBytesMax, contentBytesMax, fileBytesMax, filesMax, pathBytesMax } from "./limits.js";
export { packExtension, readExtension } from "./pack.js";
export { archiveFormat } from "./zip-writer.js";
