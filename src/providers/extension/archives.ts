import type { ExtensionArchive } from "../../archive/index.js";
import { KeyedMutex } from "../core/run.js";

type Urn = string | undefined;

/** Most that is kept in memory to avoid packing an extension twice in one process. Bytes. */
export const archiveCacheBytesMax = 128 * 1024 * 1024;

interface CachedArchive {
  readonly archive: ExtensionArchive;
  /** Folders that it was packed from. */
  readonly paths: Set<string>;
  /** Resources that declare it. Each uploads it once. */
  readonly urns: Set<Urn>;
  /** How often it was taken for an upload. */
  taken: number;
}

/**
 * Archives that `check` packed, kept for the `create` that follows, and for other checks: the
 * engine checks a resource that it replaces twice, and several resources may declare the same
 * folder. The oldest ones make room.
 */
export class ArchiveCache {
  /** Folders that are being read or packed, by path. */
  readonly folders = new KeyedMutex();
  readonly #byChecksum = new Map<string, CachedArchive>();
  readonly #checked = new Set<Urn>();
  #bytes = 0;

  /** Keeps an archive of the folder `path` for the resource `urn`. */
  put(archive: ExtensionArchive, path: string, urn: Urn): void {
    const known = this.#byChecksum.get(archive.checksum);
    const { paths, urns, taken } = known ?? { paths: new Set<string>(), urns: new Set<Urn>(), taken: 0 };
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
  find(contentDigest: string, path: string, urn: Urn): ExtensionArchive | undefined {
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

  /** Whether this is the first check of a resource. The engine checks one that it replaces twice. */
  isFirstCheck(urn: Urn): boolean {
    const isFirst = !this.#checked.has(urn);
    this.#checked.add(urn);
    return isFirst;
  }

  #drop(checksum: string): void {
    this.#bytes -= this.#byChecksum.get(checksum)?.archive.sizeBytes ?? 0;
    this.#byChecksum.delete(checksum);
  }
}
