import type { ExtensionArchive } from "../../archive/index.js";

/** Most that is kept in memory to avoid packing an extension twice in one process. Bytes. */
export const archiveCacheBytesMax = 128 * 1024 * 1024;

interface CachedArchive {
  readonly archive: ExtensionArchive;
  /** Folders that it was packed from. */
  readonly paths: Set<string>;
  /** Resources that declare it. Each uploads it once. */
  readonly urns: Set<string | undefined>;
  /** How often it was taken for an upload. */
  taken: number;
}

/**
 * Archives that `check` packed, kept for the checks and the `create` that follow in the same
 * process. The oldest ones make room. The engine checks a resource that it replaces twice, and
 * several resources may declare the same folder.
 */
export class ArchiveCache {
  readonly #byChecksum = new Map<string, CachedArchive>();
  #bytes = 0;

  /** Keeps an archive of the folder `path` for the resource `urn`. */
  put(archive: ExtensionArchive, path: string, urn: string | undefined): void {
    const { paths, urns, taken } = this.#byChecksum.get(archive.checksum) ?? {
      paths: new Set(),
      urns: new Set(),
      taken: 0,
    };
    this.#drop(archive.checksum);
    this.#byChecksum.set(archive.checksum, { archive, paths: paths.add(path), urns: urns.add(urn), taken });
    this.#bytes += archive.sizeBytes;
    for (const oldest of this.#byChecksum.keys()) {
      if (this.#bytes <= archiveCacheBytesMax) {
        return;
      }
      this.#drop(oldest);
    }
  }

  /** Whether there is an archive of this folder, so that reading the folder may save packing it. */
  hasFrom(path: string): boolean {
    return [...this.#byChecksum.values()].some(({ paths }) => paths.has(path));
  }

  /** The archive of a folder with exactly this content, kept for the resource `urn` as well. */
  find(contentDigest: string, path: string, urn: string | undefined): ExtensionArchive | undefined {
    const found = [...this.#byChecksum.values()]
      // For a ready archive, equal contents do not mean equal bytes.
      .find(({ archive }) => archive.kind === "folder" && archive.contentDigest === contentDigest);
    found?.paths.add(path);
    found?.urns.add(urn);
    return found?.archive;
  }

  /** The archive with this checksum. It is dropped once each of its resources has taken it. */
  take(checksum: string): ExtensionArchive | undefined {
    const found = this.#byChecksum.get(checksum);
    if (found === undefined) {
      return undefined;
    }
    found.taken += 1;
    if (found.taken >= found.urns.size) {
      this.#drop(checksum);
    }
    return found.archive;
  }

  #drop(checksum: string): void {
    this.#bytes -= this.#byChecksum.get(checksum)?.archive.sizeBytes ?? 0;
    this.#byChecksum.delete(checksum);
  }
}
