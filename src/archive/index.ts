export {
  type ArchiveEntry,
  archiveBytesMax,
  archiveFilesMax,
  archiveFormat,
  type ExtensionArchive,
  type ExtensionContents,
  fileBytesMax,
  rawBytesMax,
  sha256Of,
} from "./contents.js";
export { type ContentsSummary, contentsSummary } from "./contents-summary.js";
export { type ArchiveOptions, packExtension, readArchive, readExtension } from "./pack.js";
