import { OutcomeUnknownError } from "../../errors.js";
import { PartiallyCreatedError } from "../lifecycle.js";
import type { PropertyMap } from "../properties.js";
import { KeyedMutex } from "./keyed-mutex.js";
import { type LostCreation, type Named, storedFailure } from "./marks.js";

type Urn = string | undefined;

/** Relation of an object, such as an API key, to the present run of Pulumi. Recorded by {@link Run}. */
type Role =
  /** Present object of a resource in the state, and no `diff` of this run replaces the object. */
  | "stored"
  /** Older object in the state, besides the present object: the API key from before a rotation. */
  | "former"
  /** A `diff` of this run replaces the object, so the engine's later deletion is intended. */
  | "replaced"
  /** A `create` of this run has made the object, or has reused an existing object. */
  | "created"
  /** This run has deleted the object. Lists of the service may still contain the object for a moment. */
  | "deleted";

/** Old object in a replacement, as in the state: the object that a `diff` of this run replaces. */
export interface ReplacedObject {
  readonly id: string;
  readonly name: string | null | undefined;
  readonly projectId: string | undefined;
  /** All outputs of the old object, for the message about undeclared settings. */
  readonly state?: PropertyMap;
}

/** Facts about a resource, recorded in this run of Pulumi. */
interface Resource {
  /** Whether `check` was called: the program declares the resource, perhaps with invalid inputs. */
  readonly isDeclared: boolean;
  /** Whether `check` got no old inputs: the engine will create the object, perhaps as a replacement. */
  readonly isNew: boolean;
  /** Key that no two resources may share: `<project id>/<name>`, or the object's id for borrowed settings. */
  readonly claim?: string | undefined;
  /** Claimed name that a `preview` of this run has already looked up. A second `preview` skips the lookup. */
  readonly previewed?: string | undefined;
  /** Whether the inputs are unchanged. `diff` then reports changes itself: the engine compares only inputs. */
  readonly isUnchanged?: boolean;
  /** Old object of the resource, if a `diff` of this run replaces the object. */
  readonly replaces?: ReplacedObject;
  /** Creation of this resource without a response, from the state or from this run, until settled. */
  readonly lost?: LostRequest | undefined;
  /** Last failure of this run whose outputs have a mark. */
  readonly failed?: PartiallyCreatedError | undefined;
  /** Last failure of this run after a deletion without a response. */
  readonly failedDeletion?: OutcomeUnknownError | undefined;
}

/** Creation without a response, with all inputs sent. */
export interface LostRequest {
  readonly request: LostCreation;
  readonly sent: Named;
  /** Resource in the state, with the mark. Default: the creation is of this run. */
  readonly stored?: Pick<PartiallyCreatedError, "id" | "outputs">;
}

/**
 * Record of the objects and resources of one kind during one run of Pulumi: an update, a preview, a refresh
 * or a destroy. The provider process and the record end with the run: the next run has only the state and the
 * service. In a refresh, no resource is declared.
 */
export class Run {
  /** Role of every object recorded in this run, and URN of the object's resource, by object id. */
  readonly #objects = new Map<string, { readonly holder: Urn; readonly role: Role }>();
  readonly #resources = new Map<Urn, Resource>();
  /** Queue by object id: work on an object starts after the end of all earlier work on the object. */
  readonly turns = new KeyedMutex();

  /** Facts recorded about a resource in this run. For an unknown URN: neither declared nor new. */
  of(urn: Urn): Resource {
    return this.#resources.get(urn) ?? { isDeclared: false, isNew: false };
  }

  /** Adds facts to the record of a resource, such as `{ isDeclared: true }` in `check`. */
  note(urn: Urn, facts: Partial<Resource>): void {
    this.#resources.set(urn, { ...this.of(urn), ...facts });
  }

  /**
   * Runs a create or an update. `work` gets the last failure of the resource in this run: a retry hook of the
   * program calls again after a failure, with the state from before the failure. Only the last error reaches the
   * state. So an error without outputs keeps the mark of the failure, or of a lost creation in the state, except
   * `name_taken`, which ends a lost creation.
   */
  async withLastFailure<T>(
    urn: Urn,
    work: (last: PartiallyCreatedError | undefined) => Promise<T>,
  ): Promise<T> {
    const { failed } = this.of(urn);
    try {
      const result = await work(failed);
      this.note(urn, { failed: undefined, lost: undefined });
      return result;
    } catch (error) {
      const marked = failed ?? this.of(urn).lost?.stored;
      const isKept = marked !== undefined && (error as { code?: string }).code !== "name_taken";
      const last =
        isKept && error instanceof Error && !(error instanceof PartiallyCreatedError)
          ? storedFailure(marked.id, marked.outputs, error)
          : error;
      this.note(urn, { failed: last instanceof PartiallyCreatedError ? last : undefined });
      throw last;
    }
  }

  /**
   * Runs a deletion. The state can record no deletion, so only the error of a deletion without a response asks for
   * a refresh. If a retry hook calls again, and that call fails with less, the error is thrown again.
   */
  async withLastDeletion<T>(urn: Urn, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.note(urn, { failedDeletion: undefined });
      return result;
    } catch (error) {
      const last = error instanceof OutcomeUnknownError ? error : this.of(urn).failedDeletion;
      this.note(urn, { failedDeletion: last });
      throw last ?? error;
    }
  }

  /** Records a resource's claim to a name or an object. Returns the URN of a rival with the same claim. */
  claim(urn: Urn, claim: string | undefined): Urn {
    this.note(urn, { claim });
    const hasSame = ([other, theirs]: [Urn, Resource]) => other !== urn && theirs.claim === claim;
    return urn === undefined || claim === undefined ? undefined : [...this.#resources].find(hasSame)?.[0];
  }

  /** Whether the program declares a resource with this `claim` (see `Resource`) that the run creates. */
  isToBeCreated(claim: string): boolean {
    return [...this.#resources.values()].some((each) => each.isNew && each.claim === claim);
  }

  /** Records `id` as `stored` and `formerIds` as `former`. If two resources do so, the first has `id`. */
  recordStored(id: string, urn: Urn, formerIds: readonly string[] = []): void {
    const role = this.#objects.get(id)?.role;
    if (role !== "stored" && role !== "created") {
      this.#objects.set(id, { holder: urn, role: "stored" });
    }
    for (const former of formerIds.filter((each) => !this.#objects.has(each))) {
      this.#objects.set(former, { holder: urn, role: "former" });
    }
  }

  /** Records that a `create` of this run has made or reused an object for a resource. */
  recordCreateResult(id: string, urn: Urn): void {
    this.#objects.set(id, { holder: urn, role: "created" });
  }

  /** Records that a `diff` of this run replaces `old`, so that the deletion by the engine is carried out. */
  recordReplacement(old: ReplacedObject, urn: Urn): void {
    this.note(urn, { replaces: old });
    this.#objects.set(old.id, { holder: urn, role: "replaced" });
  }

  recordDeletion(id: string, urn: Urn): void {
    this.#objects.set(id, { holder: urn, role: "deleted" });
  }

  /**
   * Decides whether a deletion by the engine is carried out ("goes"). An object stays if a `create` of this
   * run has made or reused the object, or if a resource has the object and is not being recreated. A forced
   * replacement (`pulumi up --replace`, `pulumi state taint`) calls create and delete without a diff. An
   * object not recorded in this run goes: an earlier run may have replaced the object.
   */
  deletionFor(id: string, urn: Urn): "goes" | "stays" {
    const { holder, role } = this.#objects.get(id) ?? {};
    const isToReplace = holder === urn && this.of(urn).isNew;
    return role === "created" || (role === "stored" && !isToReplace) ? "stays" : "goes";
  }

  /** Whether this run has recorded the object in any role except `deleted`. */
  isKnown(id: string): boolean {
    return this.#objects.has(id) && !this.isDeleted(id);
  }

  isDeleted(id: string): boolean {
    return this.#objects.get(id)?.role === "deleted";
  }

  /** Whether a resource has a `stored` or `created` object. */
  hasObject(urn: Urn): boolean {
    return [...this.#objects.keys()].some((id) => this.holderOf(id) === urn);
  }

  /** Whether the run has recorded any object of a resource, even a deleted object. */
  hasRecord(urn: Urn): boolean {
    return [...this.#objects.values()].some(({ holder }) => holder === urn);
  }

  /** Finds the URN of the resource of a `stored` or `created` object. */
  holderOf(id: string): Urn {
    const { holder, role } = this.#objects.get(id) ?? {};
    return role === "stored" || role === "created" ? holder : undefined;
  }

  /** Finds the resource with an object, as {@link holderOf} does, but undefined for the resource `urn`. */
  otherHolderOf(id: string, urn: Urn): Urn {
    const holder = this.holderOf(id);
    return holder === urn ? undefined : holder;
  }

  /** Finds a resource, except `urn`, whose object the run has recorded in any role, even as deleted. */
  otherRecordedFor(id: string, urn: Urn): Urn {
    const { holder } = this.#objects.get(id) ?? {};
    return holder === urn ? undefined : holder;
  }
}
