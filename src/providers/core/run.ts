import type { PropertyMap } from "../properties.js";

type Urn = string | undefined;

/** Role of an object in a run. */
type Role =
  /** The state has the object, and this run does not replace it. */
  | "stored"
  /** The state lists the object besides the present one, such as a key before its rotation. */
  | "former"
  /** A diff of this run replaces the object, so its deletion is meant. */
  | "replaced"
  /** A create of this run has made or reused the object. */
  | "created"
  /** This run has deleted the object. A list may still have it for a moment. */
  | "deleted";

/** An object of the state that a run replaces. */
export interface ReplacedObject {
  readonly id: string;
  readonly name: string | null | undefined;
  readonly projectId: string | undefined;
  /** Outputs in the state. Default: not needed. */
  readonly state?: PropertyMap;
}

/** A resource in a run. */
interface Resource {
  /** Whether the program declares the resource, also with invalid inputs. */
  readonly isDeclared: boolean;
  /** Whether the engine gave no old inputs, as for every object that it is about to create. */
  readonly isNew: boolean;
  /** A name in its project, or an object: what only one resource of the program may have. */
  readonly claim?: string | undefined;
  /** Whether the inputs equal those in the state. Then only outputs differ. */
  readonly isUnchanged?: boolean;
  readonly replaces?: ReplacedObject;
}

/**
 * Objects and resources of one kind in one run of the engine: an update, a preview, a refresh or a
 * destroy. A provider process lives for one run, and afterwards only the state and the service
 * remain. A refresh declares nothing.
 */
export class Run {
  /** Every object that this run has met, by id. */
  readonly #objects = new Map<string, { readonly holder: Urn; readonly role: Role }>();
  readonly #resources = new Map<Urn, Resource>();
  readonly #turns = new KeyedMutex();

  /** Records that the program declares a resource. */
  declare(urn: Urn, isNew: boolean): void {
    this.#note(urn, { isDeclared: true, isNew });
  }

  isDeclared(urn: Urn): boolean {
    return this.#resources.get(urn)?.isDeclared === true;
  }

  /** Records what only this resource may have. Returns a resource that claims the same, if any. */
  claim(urn: Urn, claim: string | undefined): Urn {
    this.#note(urn, { claim });
    const hasSame = ([other, theirs]: [Urn, Resource]) => other !== urn && theirs.claim === claim;
    return urn === undefined || claim === undefined ? undefined : [...this.#resources].find(hasSame)?.[0];
  }

  hasClaim(urn: Urn, claim: string): boolean {
    return this.#resources.get(urn)?.claim === claim;
  }

  /** Whether this run creates a resource with the claim, possibly to replace one. */
  isToBeCreated(claim: string): boolean {
    return [...this.#resources.values()].some((each) => each.isNew && each.claim === claim);
  }

  compare(urn: Urn, isUnchanged: boolean): void {
    this.#note(urn, { isUnchanged });
  }

  /** Whether a resource can differ in outputs only. The engine itself compares inputs only. */
  isUnchanged(urn: Urn): boolean {
    return this.#resources.get(urn)?.isUnchanged === true;
  }

  /** Records the object that the state has of a resource. The first resource counts. */
  store(id: string, urn: Urn, formerIds: readonly string[] = []): void {
    const role = this.#objects.get(id)?.role;
    if (role !== "stored" && role !== "created") {
      this.#objects.set(id, { holder: urn, role: "stored" });
    }
    for (const former of formerIds.filter((each) => !this.#objects.has(each))) {
      this.#objects.set(former, { holder: urn, role: "former" });
    }
  }

  /** Records what a create of this run has made or reused. */
  create(id: string, urn: Urn): void {
    this.#objects.set(id, { holder: urn, role: "created" });
  }

  /** Records that this run replaces an object of the resource. */
  replace(old: ReplacedObject, urn: Urn): void {
    this.#note(urn, { replaces: old });
    this.#objects.set(old.id, { holder: urn, role: "replaced" });
  }

  delete(id: string, urn: Urn): void {
    this.#objects.set(id, { holder: urn, role: "deleted" });
  }

  /** Object being replaced in this run, by resource URN. */
  replacedBy(urn: Urn): ReplacedObject | undefined {
    return this.#resources.get(urn)?.replaces;
  }

  /**
   * What becomes of an object that the engine deletes for a resource. A forced replacement (`pulumi
   * up --replace`, `pulumi state taint`) calls create and then delete, with no diff before: what the
   * create reused must stay. The engine may only now delete what an earlier run has replaced.
   */
  fateOf(id: string, urn: Urn): "goes" | "stays" {
    const { holder, role } = this.#objects.get(id) ?? {};
    const isToReplace = holder === urn && this.#resources.get(urn)?.isNew === true;
    return role === "created" || (role === "stored" && !isToReplace) ? "stays" : "goes";
  }

  /** Whether the state or this run has the object, or had it until a replacement. */
  isKnown(id: string): boolean {
    return this.#objects.has(id) && !this.isDeleted(id);
  }

  isDeleted(id: string): boolean {
    return this.#objects.get(id)?.role === "deleted";
  }

  /** Whether the resource has an object, or had one in this run. */
  hasMet(urn: Urn): boolean {
    return [...this.#objects.values()].some(({ holder }) => holder === urn);
  }

  /** Whether the resource has an object that stays. */
  hasObject(urn: Urn): boolean {
    return [...this.#objects.values()].some(({ holder, role }) => holder === urn && isPresent(role));
  }

  /** The holder of an object. `orFormer`: or the holder until this run replaced the object. */
  holderOf(id: string, orFormer = false): Urn {
    const { holder, role } = this.#objects.get(id) ?? {};
    const former = () => [...this.#resources].find(([, { replaces }]) => replaces?.id === id)?.[0];
    return role !== undefined && isPresent(role) ? holder : orFormer ? former() : undefined;
  }

  /** A further resource of the program that has the object. */
  otherHolderOf(id: string, urn: Urn, orFormer = false): Urn {
    const holder = this.holderOf(id, orFormer);
    return holder === urn ? undefined : holder;
  }

  /** Does work on an object once all earlier work on the object has ended. */
  inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(id, work);
  }

  #note(urn: Urn, facts: Partial<Resource>): void {
    const known = this.#resources.get(urn) ?? { isDeclared: false, isNew: false };
    this.#resources.set(urn, { ...known, ...facts });
  }
}

function isPresent(role: Role): boolean {
  return role === "stored" || role === "created";
}

/**
 * Runs one piece of work at a time for each key, and work on different keys side by side. The
 * engine handles many resources at once, and two of them may be about one folder or one API key.
 */
export class KeyedMutex {
  /** Last piece of work, by key. A key without work is dropped. */
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` once all work that was given earlier under `key` has ended, with or without an
   * error. Returns and throws what `work` does.
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
