import type { Call } from "../../call.js";
import type { PropertyMap } from "../../properties.js";
import type { DeclaredOfKnown } from "../declared.js";

/**
 * A kind whose objects are useless after a lost answer: the service shows a value in that answer
 * only, or never shows whether an object is as declared. The provider deletes the useless object
 * and creates a new object.
 */
export interface Issued<In extends object, St extends object, Live> {
  /** The value that is shown once: `secret`. Default: none. */
  readonly shown?: string;
  /** Live objects of a project, or of none, with a name or with a name that contains `query`. */
  named(
    filter: { readonly name: string } | { readonly query: string },
    projectId: string | undefined,
    call: Call,
  ): Promise<readonly Live[]>;
  /**
   * The inputs of an object that succeeds an old object, with undeclared settings of the old object.
   * `known`: the state of the old object.
   */
  inherit?(inputs: In, old: Live | St, known: St): In;
  /** How an update rotates an object. Default: no update does. */
  readonly rotates?: Rotating<In, St, Live>;
  /** Throws if one of these objects must not be deleted, before any of them is. */
  beforeRemoval?(ids: readonly string[], state: St, call: Call): Promise<void>;
}

/** How an update rotates an object: a new object succeeds, and the resource keeps its first id. */
export interface Rotating<In extends object, St extends object, Live> {
  /** Id of the present object of a resource. */
  idOf(id: string, state: St): string;
  /** Ids of objects before rotations, which are deleted with the resource. */
  formerIdsOf(state: St): readonly string[];
  /** Why an update rotates the object, as the end of a sentence; undefined if no update does. */
  whyRotate(state: St, inputs: DeclaredOfKnown<In>): string | undefined;
  /** State members whose values are unknown before a rotation. */
  readonly rotatedOutputs: readonly (keyof St & string)[];
  /** Whether a rotation that the state does not contain has happened to the object. */
  wasRotated(present: Live, state: St): boolean;
  /** The request that rotates an object. Throws for an object that must not be rotated. */
  rotation(present: Live, inputs: In, call: Call): Promise<Rotation<Live>>;
  /**
   * The result of a rotation without an answer: a candidate, or several that cannot be
   * distinguished. Undefined if the rotation did not happen.
   */
  resultOfRotation(
    rotatedId: string,
    trace: PropertyMap,
    candidates: readonly Live[],
    call: Call,
  ): Promise<Live | readonly Live[] | undefined>;
  /** The state after a rotation. Reports the grace of the old object. Must not fail. */
  afterRotation(fresh: Live, rotated: Live, inputs: In, state: St, call: Call): Promise<St>;
}

/** A request for the successor of an object. */
interface Rotation<Live> {
  /**
   * Change to the old object that proves the rotation after a lost answer. Without a trace, the
   * request is a creation, whose object has a one-time name.
   */
  readonly trace?: PropertyMap;
  /** Sends the request once. `name`: a one-time name. */
  readonly send: (name: string) => Promise<Live>;
}
