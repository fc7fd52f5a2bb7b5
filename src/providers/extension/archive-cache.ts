import type { ExtensionArchive } from "../../archive/index.js";

/** Most that is kept in memory, so that an extension is not packed twice in one process. Bytes. */
export const archiveCacheBytesMax = 128 * 1024 * 1024;

interface CachedArchive {
  readonly archive: ExtensionArchive;
  /** Folders it was packed from. */
  readonly paths: Set<string>;
  /** Resources that are going to upload it, each once. */
  readonly urns: Set<string | undefined>;
}

/**
 * Archives packed by `check`, kept for the checks and the `create` that follow in the same process; the oldest make room.
 * The engine checks a resource that it replaces twice, and several resources may declare the same folder.
 */
export class ArchiveCache {
  readonly #byChecksum = new Map<string, CachedArchive>();
  readonly #turns = new Map<string, Promise<unknown>>();
  #bytes = 0;

  /** Keeps an archive of the folder `path` for the resource `urn`. */
  put(archive: ExtensionArchive, path: string, urn: string | undefined): void {
    const { paths, urns } = this.#byChecksum.get(archive.checksum) ?? { paths: new Set(), urns: new Set() };
    this.#drop(archive.checksum);
    this.#byChecksum.set(archive.checksum, { archive, paths: paths.add(path), urns: urns.add(urn) });
    this.#bytes += archive.sizeBytes;
    for (const oldest of this.#byChecksum.keys()) {
      if (this.#bytes <= archiveCacheBytesMax) {
        return;
      }
      this.#drop(oldest);
    }
  }

  /** Whether an archive of this folder is there, so that reading the folder may save packing it. */
  hasFrom(path: string): boolean {
    return [...this.#byChecksum.values()].some(({ paths }) => paths.has(path));
  }

  /** The archive of a folder with exactly this content, which is then kept for the resource `urn` as well. */
  find(contentDigest: string, path: string, urn: string | undefined): ExtensionArchive | undefined {
    const found = [...this.#byChecksum.values()]
      // Of a ready archive, equal contents do not make equal bytes.
      .find(({ archive }) => archive.kind === "folder" && archive.contentDigest === contentDigest);
    found?.paths.add(path);
    found?.urns.add(urn);
    return found?.archive;
  }

  /** The archive with this checksum. Once each of its resources has taken it, the cache no longer holds it. */
  take(checksum: string): ExtensionArchive | undefined {
    const found = this.#byChecksum.get(checksum);
    const [urn] = found?.urns ?? [];
    found?.urns.delete(urn);
    if (found?.urns.size === 0) {
      this.#drop(checksum);
    }
    return found?.archive;
  }

  /** Does `work` once nobody else works on the same folder: the engine checks resources side by side. */
  async inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(path) ?? Promise.resolve()).then(work, work);
    this.#turns.set(path, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(path) === turn) {
        this.#turns.delete(path);
      }
    }
  }

  #drop(checksum: string): void {
    this.#bytes -= this.#byChecksum.get(checksum)?.archive.sizeBytes ?? 0;
    this.#byChecksum.delete(checksum);
  }
}
