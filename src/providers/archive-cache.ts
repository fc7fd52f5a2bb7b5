import type { ExtensionArchive } from "../archive/index.js";

/** Most that is kept in memory, so that an extension is not packed twice in one process. Bytes. */
export const archiveCacheBytesMax = 128 * 1024 * 1024;

/** Archives packed by `check`, kept for the `create` that follows in the same process; the oldest make room. */
export class ArchiveCache {
  readonly #archives = new Map<string, ExtensionArchive>();
  #bytes = 0;

  put(archive: ExtensionArchive): void {
    this.take(archive.checksum);
    this.#archives.set(archive.checksum, archive);
    this.#bytes += archive.sizeBytes;
    for (const oldest of this.#archives.values()) {
      if (this.#bytes <= archiveCacheBytesMax) {
        return;
      }
      this.take(oldest.checksum);
    }
  }

  /** The archive with this checksum, which the cache then no longer holds. */
  take(checksum: string): ExtensionArchive | undefined {
    const archive = this.#archives.get(checksum);
    if (archive !== undefined) {
      this.#archives.delete(checksum);
      this.#bytes -= archive.sizeBytes;
    }
    return archive;
  }
}
