export {
  archiveBytesMax,
  archiveFilesMax,
  archiveFormat,
  type ExtensionArchive,
  type ExtensionContents,
  fileBytesMax,
  rawBytesMax,
  sha256Of,
} from "./contents.js";
export { contentsSummary } from "./file-digests.js";
export { refusalText } from "./manifest/manifest.js";
export { type AppArchive, packApp, packExtension, readArchive, readExtension, writeShipped } from "./pack.js";
export { type ContentScript, runningParts } from "./running-parts.js";
