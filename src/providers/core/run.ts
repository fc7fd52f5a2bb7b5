import { KeyedMutex } from "../keyed-mutex.js";
import type { PropertyMap } from "../properties.js";

type Urn = string | undefined;

/** Role of an object in a run. */
type Role =
  /** In the state, and not replaced by this run. */
  | "stored"
  /** In the state as a predecessor of the present object, such as a key before its rotation. */
  | "former"
  /** Replaced by a diff of this run, so the deletion by the engine is intended. */
  | "replaced"
  /** Made or reused by a create of this run. */
  | "created"
  /** Deleted by this run. A list may still contain the object for a moment. */
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
  /** Whether the engine gave no old inputs, as for every resource about to be created. */
  readonly isNew: boolean;
  /** Exclusive claim: the id of borrowed settings, or project id and folded name of an object. */
  readonly claim?: string | undefined;
  /** Claim whose present holder a preview has reported. */
  readonly previewed?: string | undefined;
  /**
   * Whether the inputs equal the inputs in the state. Any difference is then in outputs, and the
   * engine itself compares inputs only.
   */
  readonly isUnchanged?: boolean;
  /** Object being replaced in this run. */
  readonly replaces?: ReplacedObject;
}

/**
 * Objects and resources of one kind in one run of the engine: an update, a preview, a refresh or a
 * destroy. A provider process lives for one run, and afterwards only the state and the service
 * remain. A refresh declares nothing.
 */
export class Run {
  /** Objects of the state and of this run, by id. */
  readonly #objects = new Map<string, { readonly holder: Urn; readonly role: Role }>();
  readonly #resources = new Map<Urn, Resource>();
  /** Work on an object, by id, after the end of all earlier work on the object. */
  readonly turns = new KeyedMutex();

  /** Facts about a resource. */
  of(urn: Urn): Resource {
    return this.#resources.get(urn) ?? { isDeclared: false, isNew: false };
  }

  /** Records facts about a resource. */
  note(urn: Urn, facts: Partial<Resource>): void {
    this.#resources.set(urn, { ...this.of(urn), ...facts });
  }

  /** Records the exclusive claim of a resource. Returns the URN of a rival with the same claim. */
  claim(urn: Urn, claim: string | undefined): Urn {
    this.note(urn, { claim });
    const hasSame = ([other, theirs]: [Urn, Resource]) => other !== urn && theirs.claim === claim;
    return urn === undefined || claim === undefined ? undefined : [...this.#resources].find(hasSame)?.[0];
  }

  /** Whether this run creates a resource with the claim, possibly as a replacement. */
  isToBeCreated(claim: string): boolean {
    return [...this.#resources.values()].some((each) => each.isNew && each.claim === claim);
  }

  /** Records the object of a state, and the objects before rotations. The first holder counts. */
  recordStored(id: string, urn: Urn, formerIds: readonly string[] = []): void {
    const role = this.#objects.get(id)?.role;
    if (role !== "stored" && role !== "created") {
      this.#objects.set(id, { holder: urn, role: "stored" });
    }
    for (const former of formerIds.filter((each) => !this.#objects.has(each))) {
      this.#objects.set(former, { holder: urn, role: "former" });
    }
  }

  /** Records an object made or reused by a create of this run. */
  recordCreateResult(id: string, urn: Urn): void {
    this.#objects.set(id, { holder: urn, role: "created" });
  }

  /** Records the replacement of an object of the resource. */
  recordReplacement(old: ReplacedObject, urn: Urn): void {
    this.note(urn, { replaces: old });
    this.#objects.set(old.id, { holder: urn, role: "replaced" });
  }

  recordDeletion(id: string, urn: Urn): void {
    this.#objects.set(id, { holder: urn, role: "deleted" });
  }

  /**
   * Decides whether a deletion by the engine is carried out. A forced replacement (`pulumi up
   * --replace`, `pulumi state taint`) calls create and then delete, with no diff before: an object
   * reused by the create must stay. An object unknown to this run goes: an earlier run may have
   * replaced the object, and the engine deletes such an object only now.
   */
  deletionFor(id: string, urn: Urn): "goes" | "stays" {
    const { holder, role } = this.#objects.get(id) ?? {};
    const isToReplace = holder === urn && this.of(urn).isNew;
    return role === "created" || (role === "stored" && !isToReplace) ? "stays" : "goes";
  }

  /** Whether the state or this run contains the object, in any role but deleted. */
  isKnown(id: string): boolean {
    return this.#objects.has(id) && !this.isDeleted(id);
  }

  isDeleted(id: string): boolean {
    return this.#objects.get(id)?.role === "deleted";
  }

  /** Whether the resource has a stored or created object. `orFormer`: or had one in this run. */
  hasObject(urn: Urn, orFormer = false): boolean {
    return [...this.#objects.keys()].some((id) => this.holderOf(id, orFormer) === urn);
  }

  /** Finds the holder of a stored or created object. `orFormer`: also of a replaced object. */
  holderOf(id: string, orFormer = false): Urn {
    const { holder, role } = this.#objects.get(id) ?? {};
    return orFormer || role === "stored" || role === "created" ? holder : undefined;
  }

  /** Finds the holder of an object, unless `urn` is the holder. */
  otherHolderOf(id: string, urn: Urn, orFormer = false): Urn {
    const holder = this.holderOf(id, orFormer);
    return holder === urn ? undefined : holder;
  }
}
