import { claim } from "../call.js";
import { KeyedMutex } from "../core/keyed-mutex.js";

type Urn = string | undefined;

/**
 * What one run of the engine knows in memory about the browser pools of a program. A provider
 * process lives for one run.
 */
export class PoolRun {
  /** Work on pools, by id. */
  readonly pools = new KeyedMutex();
  /** Resources that the program declares. */
  readonly declared = new Set<Urn>();
  /** Pools that a create of this run found and brought under its resource. */
  readonly found = new Set<string>();
  /** Pools that are replaced only because an earlier run may have deleted them. */
  readonly inDoubt = new Set<string>();
  /** The resource that has each pool, as far as this run has seen. */
  readonly #users = new Map<string, Urn>();
  /** Resources that left the program, or their former objects. */
  readonly #ended = new Set<Urn>();
  /** Resources that this run replaces because they differ. */
  readonly #replaced = new Set<Urn>();
  /** Names that the program gives, with the project, by resource. */
  readonly #names = new Map<Urn, string>();

  /**
   * The program gives the resource this name. Returns another resource that has it as well, if any:
   * names are unique in a project, whatever their case.
   */
  claimName(name: string, urn: Urn): Urn {
    return claim(this.#names, name.toLowerCase(), urn);
  }

  /** The resource has this pool. */
  use(id: string, urn: Urn): void {
    this.#users.set(id, urn);
  }

  /** Whether the pool is that of another resource. */
  isUsedByAnother(id: string, urn: Urn): boolean {
    return this.#users.has(id) && this.#users.get(id) !== urn;
  }

  /** The resource is replaced because it differs. */
  replace(urn: Urn): void {
    this.#replaced.add(urn);
  }

  isReplaced(urn: Urn): boolean {
    return this.#replaced.has(urn);
  }

  /** The resource leaves the program. */
  ends(urn: Urn): void {
    this.#ended.add(urn);
  }

  /** Whether this run had to do with the resource, so its notes are not an orphan's. */
  knows(urn: Urn): boolean {
    return this.declared.has(urn) || this.#ended.has(urn);
  }
}
