import type { Call } from "../../call.js";
import type { PropertyMap } from "../../properties.js";
import type { DeclaredOfKnown } from "../declared.js";

/**
 * A kind whose objects are useless after a lost answer: the service shows a value in the response
 * to the request only, or never shows whether an object is as declared. The provider deletes the
 * useless object and creates a new object.
 */
export interface Issued<In extends object, St extends object, Live> {
  /** Name of the value that the service shows once: `secret`. Default: none. */
  readonly shown?: string;
  /**
   * Lists the live objects of a project, or without a project, whose name is `name` or contains
   * `query`.
   */
  named(
    filter: { readonly name: string } | { readonly query: string },
    projectId: string | undefined,
    call: Call,
  ): Promise<readonly Live[]>;
  /**
   * Adds undeclared settings of an old object to the inputs of the successor. `known`: the state of
   * the old object.
   */
  inherit?(inputs: In, old: Live | St, known: St): In;
  /** Rotation of objects by an update. Default: no update rotates. */
  readonly rotates?: Rotating<In, St, Live>;
  /** Throws, before the first deletion, if any of the objects must not be deleted. */
  beforeRemoval?(ids: readonly string[], state: St, call: Call): Promise<void>;
}

/**
 * Rotation of an object by an update: a new object succeeds the old object, and the resource keeps
 * the first id.
 */
export interface Rotating<In extends object, St extends object, Live> {
  /** Id of the present object of a resource. */
  idOf(id: string, state: St): string;
  /** Ids of objects before rotations, deleted with the resource. */
  formerIdsOf(state: St): readonly string[];
  /** Reason for a rotation by an update, as the end of a sentence; undefined for no rotation. */
  whyRotate(state: St, inputs: DeclaredOfKnown<In>): string | undefined;
  /** State members whose values are unknown before a rotation. */
  readonly rotatedOutputs: readonly (keyof St & string)[];
  /** Whether the object was rotated without a record in the state. */
  wasRotated(present: Live, state: St): boolean;
  /** Prepares the request for a rotation. Throws for an object that must not be rotated. */
  rotation(present: Live, inputs: In, call: Call): Promise<Rotation<Live>>;
  /**
   * Finds the result of a rotation without a response: a candidate, or several indistinguishable
   * candidates. Undefined if the rotation did not happen.
   */
  resultOfRotation(
    rotatedId: string,
    trace: PropertyMap,
    candidates: readonly Live[],
    call: Call,
  ): Promise<Live | readonly Live[] | undefined>;
  /**
   * Builds the state after a rotation. Reports the grace period of the old object. Must not fail.
   */
  afterRotation(fresh: Live, rotated: Live, inputs: In, state: St, call: Call): Promise<St>;
}

/** Request for the successor of an object. */
interface Rotation<Live> {
  /**
   * Change to the old object that proves the rotation after a lost answer. Without a trace, the
   * request is a creation of an object with a one-time name.
   */
  readonly trace?: PropertyMap;
  /** Sends the request once. `name`: a one-time name. */
  readonly send: (name: string) => Promise<Live>;
}
