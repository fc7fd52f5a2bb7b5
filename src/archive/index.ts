export {
  type ArchiveEntry,
  archiveBytesMax,
  archiveFilesMax,
  archiveFormat,
  type ExtensionArchive,
  type ExtensionContents,
  fileBytesMax,
  rawBytesMax,
} from "./contents.js";
export { type ArchiveOptions, packExtension, readExtension } from "./pack.js";
