import { isDeepStrictEqual } from "node:util";
import type { PropertyMap } from "../properties.js";

type Urn = string | undefined;

/** An object that a run replaces, as the state has it. */
export interface ReplacedObject {
  readonly id: string;
  readonly name: string | null | undefined;
  readonly projectId: string | undefined;
  /** See `OwnedObject.identity`. */
  readonly identity?: PropertyMap;
  /** The whole state. */
  readonly state?: PropertyMap;
}

/**
 * What one run of the engine (an update, a preview, a refresh, a destroy) knows in memory about one
 * kind of resource. A provider process lives for one run. A refresh declares nothing.
 *
 * Above all it knows whether a deletion is meant. A forced replacement (`pulumi up --replace`,
 * `pulumi state taint`) calls create and then delete, with no diff before. If create finds the very
 * object that the engine deletes next, the delete must leave it.
 */
export class Run {
  /** Work on objects, by id. */
  readonly #turns = new KeyedMutex();
  /** Resources that the program declares. */
  readonly declared = new Set<Urn>();
  /** Objects that are replaced only because an earlier run may have deleted them. */
  readonly inDoubt = new Set<string>();
  /** Resources that left the program, or their former objects. */
  readonly ended = new Set<Urn>();
  /** What only one resource may have: a name in its project, or an object. By resource. */
  readonly #claims = new Map<Urn, string>();
  /** Resources that this run creates, possibly to replace one, and what they claim. */
  readonly #toCreate = new Map<Urn, string | undefined>();
  /** The resource that has each object. */
  readonly #users = new Map<string, Urn>();
  /** Objects that the state has besides. */
  readonly #kept = new Set<string>();
  /** Objects that a create of this run found or made. */
  readonly #created = new Set<string>();
  /** Resources whose inputs are those that the state has. */
  readonly #unchanged = new Set<Urn>();
  /** What the resources have that this run replaces, because they differ. */
  readonly #replacedObjects = new Map<Urn, ReplacedObject>();

  /**
   * The program declares the resource, which claims something that only one may have. Returns
   * another resource that claims the same, if any. `isNew`: the engine gave no old inputs, as for
   * everything that it is about to create.
   */
  declare(urn: Urn, claim: string | undefined, isNew: boolean): Urn {
    this.declared.add(urn);
    if (isNew) {
      this.#toCreate.set(urn, claim);
    }
    if (urn === undefined || claim === undefined) {
      return undefined;
    }
    this.#claims.set(urn, claim);
    return [...this.#claims].find(([other, theirs]) => other !== urn && theirs === claim)?.[0];
  }

  /** The inputs of the resource were checked. `olds`: those in the state. */
  checked(urn: Urn, olds: PropertyMap | undefined, inputs: PropertyMap): void {
    if (isDeepStrictEqual(olds, inputs)) {
      this.#unchanged.add(urn);
    } else {
      this.#unchanged.delete(urn);
    }
  }

  /**
   * Whether a resource can only differ in its outputs. The engine compares inputs, so `diff` must
   * say that there is a change. Where the engine finds a difference itself, it shows each input.
   */
  hasSameInputs(urn: Urn): boolean {
    return this.#unchanged.has(urn);
  }

  isClaimed(claim: string): boolean {
    return [...this.#claims.values()].includes(claim);
  }

  isToBeCreated(claim: string): boolean {
    return [...this.#toCreate.values()].includes(claim);
  }

  /** Does work on an object once all earlier work on it has ended. */
  inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(id, work);
  }

  /** The resource has this object, by the state. */
  use(id: string, urn: Urn): void {
    if (!this.#users.has(id)) {
      this.#users.set(id, urn);
    }
  }

  /** The state has this object besides the one of its resource. */
  keep(id: string): void {
    this.#kept.add(id);
  }

  /**
   * Whether the object stays although the engine deletes it for this resource: a create of this run
   * found or made it, another resource has it, or the resource has it and is not replaced. The
   * engine may only now delete what an earlier run has replaced.
   */
  keeps(id: string, urn: Urn): boolean {
    return this.isTaken(id, urn) || (this.#users.has(id) && !this.#toCreate.has(urn));
  }

  /** Whether a resource has the object, by the state or by a create of this run. */
  isUsed(id: string): boolean {
    const replaced = [...this.#replacedObjects.values()].some((old) => old.id === id);
    return replaced || this.#users.has(id) || this.#kept.has(id);
  }

  /** A create of this run found or made this object. */
  create(id: string, urn: Urn): void {
    this.#users.set(id, urn);
    this.#created.add(id);
  }

  /** The resource is replaced, so the deletion of its object is meant. */
  replace(old: ReplacedObject, urn: Urn): void {
    this.#replacedObjects.set(urn, old);
    this.#users.delete(old.id);
  }

  /** The object that this run replaces by one of the resource. */
  replacedBy(urn: Urn): ReplacedObject | undefined {
    return this.#replacedObjects.get(urn);
  }

  /** Whether the resource has an object, and keeps it. */
  hasObject(urn: Urn): boolean {
    return [...this.#users.values()].includes(urn);
  }

  /** Whether a create of this run found or made the object, or another resource has it. */
  isTaken(id: string, urn: Urn): boolean {
    return this.#created.has(id) || this.otherUser(id, urn) !== undefined;
  }

  /** The other resource of the program that has the object, if any. */
  otherUser(id: string, urn: Urn): Urn {
    const user = this.#users.get(id);
    return user === urn ? undefined : user;
  }

  /** The other resource that had the object until this run replaced it, if any. */
  formerUser(id: string, urn: Urn): Urn {
    return [...this.#replacedObjects].find(([other, old]) => other !== urn && old.id === id)?.[0];
  }

  /** Whether the resource has an object other than this one, which its state cannot have then. */
  hasAnother(urn: Urn, id: string | undefined): boolean {
    return [...this.#users].some(([other, user]) => user === urn && other !== id);
  }

  /** Whether this run had to do with the resource, so its entries are not a leftover. */
  knows(urn: Urn): boolean {
    return this.declared.has(urn) || this.ended.has(urn);
  }
}

/**
 * Runs one piece of work at a time for each key, and work on different keys side by side. The
 * engine handles many resources at once, and two of them may be about one folder or one API key.
 */
export class KeyedMutex {
  /** The work that came last, by key. A key without work is forgotten. */
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` once everything that was asked for earlier under `key` has ended, whether it
   * succeeded or failed. Returns and throws what `work` does.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) {
        this.#last.delete(key);
      }
    }
  }
}
