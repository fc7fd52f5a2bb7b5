import type { Call } from "../../call.js";
import type { PropertyMap } from "../../properties.js";
import type { DeclaredOfKnown } from "../declared.js";

/**
 * A kind of object that is of no use once the answer to its creation is lost: the service shows
 * something in that answer only, or never says whether the object is as declared. Another one is
 * created, and then it is deleted.
 */
export interface Issued<In extends object, St extends object, Live> {
  /** What is shown once: `secret`. Default: nothing. */
  readonly shown?: string;
  /** Live objects with the name, or with one that contains it, in the project or in none. */
  named(
    filter: { readonly name: string } | { readonly query: string },
    projectId: string | undefined,
    call: Call,
  ): Promise<readonly Live[]>;
  /** How an update rotates one. Default: it never does. */
  readonly rotates?: Rotating<In, St, Live>;
  /** Throws when one of these objects must not be deleted, before any of them is. */
  beforeRemoval?(ids: readonly string[], state: St, call: Call): Promise<void>;
}

/**
 * How an update rotates an object: another one takes its place, and the resource keeps the id of
 * its first one.
 */
export interface Rotating<In extends object, St extends object, Live> {
  /** The object that a resource has now. */
  idOf(id: string, state: St): string;
  /** Objects that rotations have replaced, and that go with the resource. */
  formerIdsOf(state: St): readonly string[];
  /** Why an update rotates the object, as the end of a sentence; undefined when it does not. */
  whyRotate(state: St, inputs: DeclaredOfKnown<In>): string | undefined;
  /** Members of the state whose values are unknown until a rotation has happened. */
  readonly rotatedOutputs: readonly (keyof St & string)[];
  /** The request that rotates an object. Throws for one that must not be rotated. */
  rotation(present: Live, inputs: In, call: Call): Promise<Rotation<Live>>;
  /**
   * What a rotation without an answer made: one of the candidates, or several of which any may be
   * it. Undefined when it did not happen.
   */
  madeBy(
    rotatedId: string,
    trace: PropertyMap,
    candidates: readonly Live[],
    call: Call,
  ): Promise<Live | readonly Live[] | undefined>;
  /** The state after a rotation. Says what a person should know. Must not fail. */
  afterRotation(fresh: Live, rotated: Live, inputs: In, state: St, call: Call): Promise<St>;
}

/** A request for an object that takes the place of another one. */
interface Rotation<Live> {
  /**
   * What it changes of the other one, by which its result is known if the answer is lost. Without
   * it, the request is a creation, and its result is known by the one-time name.
   */
  readonly trace?: PropertyMap;
  /** Sends it, once. `name`: a one-time name. */
  readonly send: (name: string) => Promise<Live>;
}
