import type { ApiError } from "../../../errors.js";
import type { Call } from "../../call.js";
import type { CheckFailure } from "../../lifecycle.js";
import type { PropertyMap } from "../../properties.js";
import type { Codec, Declared, DeclaredOfKnown } from "../declared.js";
import type { LostCreation, Unfinished } from "../marks.js";

/** Common members of the inputs and the state of every owned object. */
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
 * A kind of object with an id and a name in the service: how to find, create, change and delete
 * objects of the kind. Every further promise has an optional member, which most kinds omit.
 */
export interface OwnedObject<In extends Named, St extends Named, Live extends LiveObject> {
  /** In messages: `browser pool`. */
  readonly noun: string;
  /** Command that deletes an object: `browser-infra pools delete`. */
  readonly deleteCommand: string;
  /** Whether objects belong to a project. Default: to the organization. */
  readonly isInProject?: boolean;
  /** Error code for a missing object of a lookup or an import. */
  readonly notFoundCode: string;
  /** Error code for a missing object of a deployed resource. Default: `notFoundCode`. */
  readonly goneCode?: string;
  readonly state: Codec<St>;
  /** State member that every managed resource has, and a lookup (`get`) lacks. */
  readonly managedMarker: keyof St & string;

  /** Reads the live object; undefined if the object does not exist. */
  find(id: string, projectId: string | undefined, call: Call): Promise<Live | undefined>;
  /** Finds an object by name, compared as the service does. Of equal names, returns any. */
  holderOf(name: string, projectId: string | undefined, call: Call): Promise<Live | undefined>;
  create(inputs: In, name: string, call: Call): Promise<Live>;
  /**
   * Builds the request for the declared settings of a live object; undefined if there is nothing to
   * send. `isInDoubt`: an earlier request may have changed settings invisible in the service.
   */
  change(
    live: Live,
    inputs: In,
    known: St | undefined,
    call: Call,
    isInDoubt: boolean,
  ): (() => Promise<Live>) | undefined;
  remove(id: string, state: St, call: Call): Promise<unknown>;
  /** Builds the state of a live object. Without `inputs`: for a read, in the form of `known`. */
  stateOf(live: Live, inputs: In | undefined, known: St | undefined): St;

  // Naming
  /** Kinds without names: the string in place of a name, and the input in place of `name`. */
  readonly naturalName?: {
    readonly input: string;
    nameIn(inputs: DeclaredOfKnown<In>): Declared<string>;
  };
  /**
   * Immutable kinds: identifying values besides name and project, such as a checksum. An object is
   * reused only if all values are equal.
   */
  identity?(of: In | St | Live): Readonly<Record<string, string>>;
  /** Advice for taking over an object. Default: advice to import. */
  adoptAdvice?(id: string): string;

  // Deleting
  /** Builds the error after the service refused to delete an object. Default: the refusal. */
  explainRefusal?(object: Subject, state: St, refusal: ApiError, call: Call): Promise<Error>;
  /** Whether an object is archived. An archived object is reused without a warning. */
  isArchived?(live: Live): boolean;

  // Issuing
  /** Kinds whose objects cannot be reused after a lost answer. Names need not be unique. */
  readonly issued?: Issued<Live>;
  /** Ids of the objects of a resource, the present object first. Default: the resource's id. */
  idsOf?(id: string, state: St): readonly string[];

  // Keeping settings that the program does not declare
  readonly undeclared?: Undeclared<In, St, Live>;
}

/**
 * A kind whose objects are useless after a lost answer: the service shows a value in the response
 * to the request only, or never shows whether an object is as declared. The provider deletes the
 * useless object and creates a new object.
 */
export interface Issued<Live extends LiveObject> {
  /** Name of the value that the service shows once: `secret`. Default: none. */
  readonly shown?: string;
  /** Lists live objects of a project, or of none, whose name is `name` or contains `query`. */
  named(
    filter: { readonly name: string } | { readonly query: string },
    projectId: string | undefined,
    call: Call,
  ): Promise<readonly Live[]>;
}

/** A kind with optional settings. A replacement in the same run inherits undeclared settings. */
export interface Undeclared<In extends Named, St extends Named, Live extends LiveObject> {
  /**
   * Undeclared settings of an object, except settings that a new object has by itself. For a
   * missing object (undefined): as far as the state contains the settings.
   */
  undeclaredSettings(live: Live | undefined, state: St): PropertyMap;
  /**
   * Divides undeclared settings into `settings` for a new object, and the names of `lost` settings,
   * which a new object cannot get.
   */
  inherit(
    undeclared: PropertyMap,
    old: St,
    inputs: DeclaredOfKnown<In>,
  ): { readonly settings: Partial<In>; readonly lost: readonly string[] };
  /** Names in a message. Default: all. */
  namesIn?(settings: Partial<In>): readonly string[];
  /** Returns the state as if the program had declared the settings `names`, with live values. */
  asDeclared(names: readonly string[], live: Live, state: St): St;
}

/** A kind of object as a program declares it: see `OwnedLifecycle`. */
export interface OwnedResource<In extends Named, St extends Named, Live extends LiveObject>
  extends OwnedObject<In, St, Live> {
  /** Name of the resource's class. */
  readonly resource: string;
  readonly inputs: Codec<In>;
  /** Reports all invalid inputs at once. Unknown values pass. Secret keys are reported elsewhere. */
  failures(news: PropertyMap, olds: In | undefined, apiKey: string, call: Call): CheckFailure[];
  /** Fills in defaults, except name and project. Default: none. */
  complete?(
    declared: DeclaredOfKnown<In>,
    news: PropertyMap,
    olds: In | undefined,
    call: Call,
  ): DeclaredOfKnown<In>;
  /** Foreseeable failures of a deployment, except of the name. Queries the service. */
  previewFailures?(inputs: DeclaredOfKnown<In>, olds: In | undefined, call: Call): Promise<CheckFailure[]>;
  /** Names of the differing inputs that replace the object. Default: inputs marked `replaces`. */
  replacingInputs?(state: St, inputs: DeclaredOfKnown<In>): readonly string[];
  /** Reports the consequences of a change or replacement, as far as the state contains them. */
  onChange?(state: St, inputs: DeclaredOfKnown<In>, call: Call): void;
  /** Names of all inputs with a change or drift; the core adds `name`. Default: none. */
  differingInputs?(state: St, inputs: DeclaredOfKnown<In>): readonly string[];
  /**
   * Waits for the effects of a creation or a change, or sends settings that a creation cannot send.
   * "gone": the object was deleted meanwhile. An error leaves the resource unfinished.
   */
  waitUntilReady?(live: Live, inputs: In, state: St, call: Call): Promise<"gone" | undefined>;
  /** Ends a resource without a deletion of the object. Returns false for a deletion. Default: false. */
  keeps?(object: Subject, state: St, call: Call): Promise<boolean>;
  /** Adds defaults of inputs invisible to a read to the state of the read. Default: unchanged. */
  withDefaults?(state: St): DeclaredOfKnown<In> & St;
  /** Inputs in the state of a read. Default: members with the names of inputs. */
  inputsIn?(state: St): DeclaredOfKnown<In>;
  /** Changes from outside, except of the name, as sentences. Default: the differing inputs. */
  drift?(id: string, known: St, live: St): readonly string[];
  /** Warning about an object after a read. */
  readWarning?(live: Live, isImport: boolean): string | undefined;
}

/** Kinds with types erased: the core treats all kinds alike. */
export type AnyObject = OwnedObject<Named, Named, LiveObject>;
export type AnyResource = OwnedResource<Named, Named, LiveObject>;
