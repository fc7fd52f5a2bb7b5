import { setTimeout as sleep } from "node:timers/promises";
import type { ExtensionArchive } from "../../archive/index.js";
import { claim } from "../call.js";
import { KeyedMutex } from "../core/keyed-mutex.js";
import type { ReplacedExtension } from "./pools.js";
import type { ExtensionState } from "./properties.js";

type Urn = string | undefined;

/** How to delete an extension that a run replaces, and whose it is. */
interface Removal {
  readonly urn: Urn;
  readonly old: ReplacedExtension;
  readonly remove: () => Promise<void>;
}

/** After this time without a comparison, the engine has compared every resource. Milliseconds. */
const comparingMs = 2_000;

/**
 * What one run of the engine (an update, a preview, a refresh, a destroy) knows in memory about the
 * extensions of a program. A provider process lives for one run.
 *
 * Above all it tells whether a deletion is meant. A forced replacement (`pulumi up --replace`,
 * `pulumi state taint`) calls create and then delete, with no diff before. If the content has not
 * changed, create finds the very object that the engine deletes next. So the delete of an id that
 * is in use in this run deletes nothing.
 */
export class Run {
  /** Archives that `check` packed, for the `create` that follows. */
  readonly archives = new ArchiveCache();
  /** Folders that are being read or packed, by path. */
  readonly folders = new KeyedMutex();
  /** Resources of which this run has said what their folders leave out. */
  readonly toldLeftOut = new Set<Urn>();
  /** Resources that the program declares. */
  readonly declared = new Set<Urn>();
  /** Resources that this run creates, possibly to replace what they are now. */
  readonly toCreate = new Set<Urn>();
  /** Resources that this run replaces because they differ. */
  readonly replaced = new Set<Urn>();
  /** What the state said of extensions that this run backed up to delete them. */
  readonly backedUp = new Map<Urn, ExtensionState>();
  /** Resources that left the program, or their former objects. */
  readonly #ended = new Set<Urn>();
  /** Extensions in use: a create returned the id, or a diff found nothing to replace. */
  readonly #users = new Map<string, Urn>();
  /** Deletions of what this run replaces, by the extension's id. */
  readonly #removals = new Map<string, Removal>();
  /** Resources whose old object the engine deletes before it creates the replacement. */
  readonly #deletingFirst = new Set<Urn>();
  /** When the engine last checked or compared a resource. A moment of `performance.now()`. */
  #comparedAt = 0;
  /** Deletions under way, by the extension's id. */
  readonly deletions = new KeyedMutex();
  /** Extensions that this run has deleted. */
  readonly deleted = new Set<string>();
  /** Names that the program gives, with account and project, by resource. */
  readonly #names = new Map<Urn, string>();
  /** Extensions that a preview found to be adopted, by resource. */
  readonly #adoptions = new Map<Urn, string>();

  /** The program declares the resource. `isNew`: the engine gave no old inputs. */
  declare(urn: Urn, isNew: boolean, deletesFirst = false): void {
    this.#comparedAt = performance.now();
    this.declared.add(urn);
    if (isNew && deletesFirst) {
      this.#deletingFirst.add(urn);
    }
    if (isNew) {
      // The engine checks what it is about to create without old inputs, also when it deletes the
      // old object first.
      this.toCreate.add(urn);
    }
  }

  /** The resource is replaced, so the deletion of its extension is meant. `remove` does it. */
  replace(old: ReplacedExtension, urn: Urn, remove: () => Promise<void>): void {
    this.#comparedAt = performance.now();
    this.#users.delete(old.id);
    this.replaced.add(urn);
    this.#removals.set(old.id, { urn, old, remove });
  }

  /**
   * The program gives the resource this name. Returns another resource that has it as well, if any:
   * names are unique in a project, whatever their case.
   */
  claimName(name: string, urn: Urn): Urn {
    return claim(this.#names, name.toLowerCase(), urn);
  }

  /** The resource is to adopt this extension. Returns another resource that is, if any. */
  claimAdoption(id: string, urn: Urn): Urn {
    return claim(this.#adoptions, id, urn);
  }

  /** Whether this run replaces the extension, so that its name becomes free. */
  isReplaced(id: string): boolean {
    return this.#removals.has(id);
  }

  /** The extension that this run replaces by one of the resource. */
  replacedBy(urn: Urn): ReplacedExtension | undefined {
    return [...this.#removals.values()].find((removal) => removal.urn === urn)?.old;
  }

  /** The resource leaves the program. */
  ends(urn: Urn): void {
    this.#ended.add(urn);
  }

  /** Whether this run had to do with the resource, so its notes are not an orphan's. */
  knows(urn: Urn): boolean {
    return this.declared.has(urn) || this.#ended.has(urn);
  }

  /**
   * How to delete an extension that the engine is about to delete first. It checks the replacement
   * before that, and nothing that is protected gets so far.
   */
  removalOf(id: string): (() => Promise<void>) | undefined {
    const removal = this.#removals.get(id);
    return removal !== undefined && this.#deletingFirst.has(removal.urn) ? removal.remove : undefined;
  }

  /** Whether the engine has been quiet for so long that it has compared every resource. */
  get hasCompared(): boolean {
    return performance.now() - this.#comparedAt > comparingMs;
  }

  /** Waits until the engine has compared every resource, or until another one has the extension. */
  async untilCompared(id: string, urn: Urn, signal: AbortSignal): Promise<void> {
    while (!this.hasCompared && !this.isUsedByAnother(id, urn)) {
      await sleep(50, undefined, { signal });
    }
  }

  /** The resource has this extension from now on. */
  use(id: string, urn: Urn): void {
    this.#users.set(id, urn);
  }

  isInUse(id: string): boolean {
    return this.#users.has(id);
  }

  isUsedByAnother(id: string, urn: Urn): boolean {
    return this.#users.has(id) && this.#users.get(id) !== urn;
  }

  /** Whether the resource has an extension already, so its replacement exists. */
  hasExtension(urn: Urn): boolean {
    return [...this.#users.values()].includes(urn);
  }
}

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
class ArchiveCache {
  readonly #byChecksum = new Map<string, CachedArchive>();
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

  #drop(checksum: string): void {
    this.#bytes -= this.#byChecksum.get(checksum)?.archive.sizeBytes ?? 0;
    this.#byChecksum.delete(checksum);
  }
}
