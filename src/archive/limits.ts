/** Largest archive, bytes (50 MiB). The service's own clients stop there; its own limit is not published. */
export const archiveBytesMax = 50 * 1024 * 1024;

/** Largest single file, bytes (512 MiB). A file is compressed whole, in memory. */
export const fileBytesMax = 512 * 1024 * 1024;

/** Most that the files of one extension may hold together, bytes (1 GiB). */
export const contentBytesMax = 1024 * 1024 * 1024;

/** Most files in one archive: the zip format counts to 65,535, and that number means "more, see elsewhere". */
export const filesMax = 65_534;

/** Longest path in an archive, bytes of UTF-8. Chromium reads paths into 256 bytes and cuts what is longer. */
export const pathBytesMax = 255;

/** "61.3 MiB", for messages. */
export function mebibytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}
