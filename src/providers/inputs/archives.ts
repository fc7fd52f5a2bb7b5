/** Archives that `check` packs and a creation uploads, for extensions and apps alike. */
import { type AppArchive, contentsSummary } from "../../archive/index.js";
import { ArchiveError } from "../../errors.js";
import { KeyedMutex } from "../core/keyed-mutex.js";
import { requireKnown, unknownValue } from "../properties.js";

type Urn = string | undefined;

/** Maximum size of the cache, which avoids packing a folder twice in a process. Bytes. */
export const archiveCacheBytesMax = 128 * 1024 * 1024;

interface CachedArchive {
  readonly archive: AppArchive;
  readonly paths: Set<string>;
  /** Resources that declare the content. Every resource uploads the archive once. */
  readonly urns: Set<Urn>;
  takeCount: number;
}

/**
 * Archives packed by `check`, for the following `create` and for further checks: the engine checks
 * a replaced resource twice, and several resources may declare the same folder. Above the maximum
 * size, the oldest archives are dropped.
 */
export class ArchiveCache {
  /** Lock of a folder while the folder is read or packed, by path. */
  readonly folders = new KeyedMutex();
  readonly #byChecksum = new Map<string, CachedArchive>();
  readonly #checked = new Set<Urn>();

  /** Keeps an archive of the folder `path` for the resource `urn`. */
  put(archive: AppArchive, path: string, urn: Urn): void {
    const known: Partial<CachedArchive> = this.#byChecksum.get(archive.checksum) ?? {};
    const { paths = new Set<string>(), urns = new Set<Urn>(), takeCount = 0 } = known;
    // The map is in the order of additions, and the newest archive comes last.
    this.#byChecksum.delete(archive.checksum);
    this.#byChecksum.set(archive.checksum, {
      archive,
      paths: paths.add(path),
      urns: urns.add(urn),
      takeCount,
    });
    for (const oldest of this.#byChecksum.keys()) {
      if (this.#sizeBytes <= archiveCacheBytesMax) {
        return;
      }
      this.#byChecksum.delete(oldest);
    }
  }

  /** Whether the cache has an archive of the folder, so that reading may save packing. */
  hasFrom(path: string): boolean {
    return [...this.#byChecksum.values()].some(({ paths }) => paths.has(path));
  }

  /** Finds the archive of a folder by content, and keeps the archive for `urn` as well. */
  find(contentDigest: string, path: string, urn: Urn): AppArchive | undefined {
    const found = [...this.#byChecksum.values()]
      // For a ready archive, equal contents do not mean equal bytes.
      .find(({ archive }) => archive.kind === "folder" && archive.contentDigest === contentDigest);
    found?.paths.add(path);
    found?.urns.add(urn);
    return found?.archive;
  }

  /** Returns a cached archive, and drops it when every resource with the content has taken it. */
  take(checksum: string): AppArchive | undefined {
    const found = this.#byChecksum.get(checksum);
    if (found === undefined) {
      return undefined;
    }
    found.takeCount += 1;
    if (found.takeCount >= found.urns.size) {
      this.#byChecksum.delete(checksum);
    }
    return found.archive;
  }

  /** Whether a check is the first of a resource. The engine checks a replaced resource twice. */
  recordCheck(urn: Urn): boolean {
    const isFirst = !this.#checked.has(urn);
    this.#checked.add(urn);
    return isFirst;
  }

  get #sizeBytes(): number {
    return [...this.#byChecksum.values()].reduce((sum, { archive }) => sum + archive.sizeBytes, 0);
  }
}

/** Contents in a preview while the files are unknown. */
const unknownContents = {
  checksum: unknownValue,
  sizeBytes: unknownValue,
  fileCount: unknownValue,
  manifest: unknownValue,
  files: unknownValue,
} as const;

/** Contents as `check` fills them in. Undefined: not yet known. */
export function summaryOf(
  packed: (Pick<AppArchive, "checksum" | "sizeBytes"> & Parameters<typeof contentsSummary>[0]) | undefined,
) {
  return packed === undefined
    ? unknownContents
    : { checksum: packed.checksum, sizeBytes: packed.sizeBytes, ...contentsSummary(packed) };
}

/**
 * Archive with the checksum from the preview: only approved bytes are uploaded. Throws `ArchiveError`
 * `archive_changed_since_check` if the folder now packs (`pack`) to different bytes.
 */
export async function archiveToUpload(
  inputs: { readonly checksum?: string | undefined; readonly path?: string | undefined },
  resource: string,
  archives: ArchiveCache,
  pack: (path: string) => Promise<AppArchive>,
): Promise<AppArchive> {
  const checksum = requireKnown(inputs.checksum, "checksum", resource);
  const cached = archives.take(checksum);
  if (cached !== undefined) {
    return cached;
  }
  const path = requireKnown(inputs.path, "path", resource);
  const archive = await pack(path);
  if (archive.checksum !== checksum) {
    throw new ArchiveError(
      "archive_changed_since_check",
      `"${path}" changed during the deployment: it now packs to checksum ${archive.checksum}, not ${checksum}. ` +
        `Nothing was uploaded. Run "pulumi up" again when nothing writes to it.`,
    );
  }
  return archive;
}
