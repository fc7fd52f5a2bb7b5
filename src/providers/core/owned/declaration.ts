import type { ApiError } from "../../../errors.js";
import type { Call } from "../../call.js";
import type { CheckFailure } from "../../lifecycle.js";
import type { PropertyMap } from "../../properties.js";
import type { Codec, Declared, DeclaredOfKnown } from "../declared.js";
import type { LostCreation, Unfinished } from "../marks.js";
import type { Issued } from "./issued.js";

/** Members that inputs and state of every owned object may have. */
export interface Named {
  readonly name?: string | undefined;
  /** Project id; undefined for an object of the organization. */
  readonly projectId?: string | undefined;
  /** State only. See `marks`. */
  readonly unfinished?: Unfinished | undefined;
  readonly lost?: LostCreation | undefined;
}

/** An object in the service. */
export interface LiveObject {
  readonly id: string;
  readonly name: string | null;
  /** ISO 8601 date-time. Null if the service omits the time; undefined for a kind without one. */
  readonly createdAt?: string | null;
}

/** Id and name of an object. */
export type Subject = { readonly id: string; readonly name?: string | null };

/**
 * A kind of object that the service knows by an id and a name: how to find, create, change and
 * delete one. Every promise beyond that has a member of its own, which most kinds omit.
 */
export interface OwnedObject<In extends Named, St extends Named, Live extends LiveObject> {
  /** In messages: `browser pool`. */
  readonly noun: string;
  /** Command that deletes an object: `browser-infra pools delete`. */
  readonly deleteCommand: string;
  /** Whether objects belong to a project. Default: to the organization. */
  readonly isInProject?: boolean;
  /** Code of the error for an object that does not exist. */
  readonly notFoundCode: string;
  /** Code of the error for a declared object that does not exist. Default: the same. */
  readonly goneCode?: string;
  readonly state: Codec<St>;
  /** State member that every managed resource has, and a lookup (`get`) lacks. */
  readonly essential: keyof St & string;

  /** The live object; undefined if it does not exist. */
  find(id: string, projectId: string | undefined, call: Call): Promise<Live | undefined>;
  /** Finds the object with a name, compared as the service does. If names are not unique, any. */
  holderOf(name: string, projectId: string | undefined, call: Call): Promise<Live | undefined>;
  create(inputs: In, name: string, call: Call): Promise<Live>;
  /**
   * The request that gives a live object the declared settings; undefined if there is none to send.
   * `isInDoubt`: an earlier request may have changed settings that the service does not show.
   */
  change(
    live: Live,
    inputs: In,
    known: St | undefined,
    call: Call,
    isInDoubt: boolean,
  ): (() => Promise<Live>) | undefined;
  remove(id: string, state: St, call: Call): Promise<unknown>;
  /** The state of a live object. Without inputs: of a read, in the form of what is known. */
  stateOf(live: Live, inputs: In | undefined, known: St | undefined): St;

  // Naming
  /** Kinds without names: the string in place of a name, and the input that messages name. */
  readonly naturalName?: {
    readonly input: string;
    of(inputs: DeclaredOfKnown<In>): Declared<string>;
  };
  /**
   * Immutable kinds: values that identify an object besides name and project, such as a checksum.
   * An object is reused only if they are equal.
   */
  identity?(of: In | St | Live): Readonly<Record<string, string>>;
  /** How a program takes over an object. Default: by an import. */
  adoptAdvice?(id: string): string;

  // Deleting
  /** The error for an object that the service did not delete or retire. Default: the refusal. */
  explainRefusal?(object: Subject, state: St, refusal: ApiError, call: Call): Promise<Error>;
  readonly retiring?: Retiring<St, Live>;

  // Issuing
  /** Kinds whose objects cannot be reused after a lost answer. Their names need not be unique. */
  readonly issued?: Issued<In, St, Live>;

  // Keeping settings that the program does not declare
  readonly undeclared?: Undeclared<In, St, Live>;
}

/** A kind whose objects can be kept, or put out of use, in place of a deletion. */
export interface Retiring<St extends Named, Live extends LiveObject> {
  /** Action when the resource is deleted. */
  onDelete(state: St): "remove" | "keep" | "retire";
  /** The request that retires an object; undefined if the object is retired already. */
  retire(live: Live, call: Call): (() => Promise<Live>) | undefined;
  /** Whether an object is retired. Reusing one needs no warning. */
  isRetired(live: Live): boolean;
}

/** A kind with settings that a program may omit. A replacement in the same run inherits them. */
export interface Undeclared<In extends Named, St extends Named, Live extends LiveObject> {
  /**
   * Undeclared settings of an object that a new object does not have by itself. Undefined for an
   * object that does not exist any more: as far as the state contains them.
   */
  of(live: Live | undefined, state: St): PropertyMap;
  /** The undeclared settings that a new object gets, and the names of those that it cannot get. */
  inherit(
    undeclared: PropertyMap,
    old: St,
    inputs: DeclaredOfKnown<In>,
  ): { readonly settings: Partial<In>; readonly lost: readonly string[] };
  /** Names in a message. Default: all. */
  namesIn?(settings: Partial<In>): readonly string[];
  /** The state as if the program had declared these settings, with their live values. */
  declaring(names: readonly string[], live: Live, state: St): St;
}

/** A kind of object as a program declares it: see `OwnedLifecycle`. */
export interface OwnedResource<In extends Named, St extends Named, Live extends LiveObject>
  extends OwnedObject<In, St, Live> {
  /** Name of the resource's class. */
  readonly resource: string;
  readonly inputs: Codec<In>;
  /** Reports all invalid inputs at once. Unknown values pass. Secret keys are reported elsewhere. */
  failures(news: PropertyMap, olds: In | undefined, apiKey: string, call: Call): CheckFailure[];
  /** The program's inputs in one form. Default: unchanged. */
  normalized?(news: PropertyMap): PropertyMap;
  /** Fills in defaults, except name and project. Default: none. */
  complete?(
    declared: DeclaredOfKnown<In>,
    news: PropertyMap,
    olds: In | undefined,
    call: Call,
  ): DeclaredOfKnown<In>;
  /** Failures of a deployment, except those of the name. Asks the service. */
  previewFailures?(inputs: DeclaredOfKnown<In>, olds: In | undefined, call: Call): Promise<CheckFailure[]>;
  /** Inputs whose change replaces the object. Default: those that are marked so. */
  replaces?(state: St, inputs: DeclaredOfKnown<In>): readonly string[];
  /** Reports the consequences of a replacement, as far as the state contains them. */
  onReplacement?(state: St, inputs: DeclaredOfKnown<In>, call: Call): void;
  /** Names of inputs, except `name`, that differ from the state. Default: none. */
  differing?(state: St, inputs: DeclaredOfKnown<In>): readonly string[];
  /**
   * Waits for the effects of a creation or a change. "gone": the object was deleted meanwhile. An
   * error leaves the resource unfinished.
   */
  afterwards?(live: Live, inputs: In, state: St, call: Call): Promise<"gone" | undefined>;
  /** The state of an import with inputs that a read cannot see. Default: unchanged. */
  withDefaults?(state: St): DeclaredOfKnown<In> & St;
  /** The inputs in the state of a read. Default: the members of the same names. */
  inputsIn?(state: St): DeclaredOfKnown<In>;
  /** Changes made outside of the program, except the name. Default: the differing inputs. */
  drift?(id: string, known: St, live: St): readonly string[];
  /** A warning about an object that was read. */
  concern?(live: Live, isImport: boolean): string | undefined;
}

/** Kinds with their types erased: the core treats all kinds alike. */
export type AnyInputs = Named;
export type AnyObject = OwnedObject<Named, Named, LiveObject>;
export type AnyResource = OwnedResource<Named, Named, LiveObject>;
