import type { ApiError } from "../../../errors.js";
import type { Call } from "../../call.js";
import type { CheckFailure, Kind } from "../../lifecycle.js";
import type { Properties, PropertyMap } from "../../properties.js";
import type { List } from "../../reads/walks.js";
import type { Codec, Declared, DeclaredOfKnown } from "../declared.js";
import type { LostCreation, Named } from "../marks.js";

/** Object as reported by the service, such as a browser pool: the members that all kinds have. */
export interface LiveObject {
  readonly id: string;
  readonly name: string | null;
  /** Creation time, ISO 8601. Null: the service omits the time. Undefined: the kind has no such time. */
  readonly createdAt?: string | null;
  /** Person who created the object. Null: unknown. Undefined: the kind has no such record. */
  readonly createdBy?: { readonly email: string } | null;
}

/** Id and, if known, name of an object, for a message or a deletion. */
export type Subject = Pick<LiveObject, "id"> & Partial<LiveObject>;

/**
 * Declares a kind of object that has an id and a name in the service: how to find, create, change and delete
 * such objects. Optional members are for special kinds, and most kinds omit them.
 */
export interface OwnedObject<In extends Named, St extends Named, Live extends LiveObject> {
  /** Name of the kind in messages: `browser pool`. */
  readonly noun: string;
  /** Command that messages recommend for the deletion of an object: `browser-infra pools delete`. */
  readonly deleteCommand: string;
  /** Whether the objects belong to a project. Default: false, they belong to the organization. */
  readonly isInProject?: boolean;
  /** Code of the error if a lookup (`get`) or an import finds no object: `api_key_not_found`. */
  readonly notFoundCode: string;
  /** Code of the error if the object of a deployed resource does not exist. Default: `notFoundCode`. */
  readonly goneCode?: string;
  readonly state: Codec<St>;
  /** Member in the state of every deployed resource, but not of a lookup (`get`): `size` of a pool. */
  readonly managedMarker: keyof St & string;

  /** List of the objects of a project, with all members of a read by id, for reads of many objects at once. */
  readonly list: List<Live>;
  /** Members of a read by id that the rows of `list` lack: objects are then read one by one. Default: none. */
  readonly listOmits?: readonly string[];
  /** Reads an object of the service by id; undefined if the object does not exist. */
  find(id: string, projectId: string | undefined, call: Call): Promise<Live | undefined>;
  /** Finds the object with a name, compared as the service compares names. Of several, returns any. */
  holderOf(name: string, projectId: string | undefined, call: Call): Promise<Live | undefined>;
  /** Called before a creation is sent. Throws if it must not be sent. Default: does nothing. */
  beforeCreate?(inputs: In, call: Call): Promise<void>;
  create(inputs: In, name: string, call: Call): Promise<Live>;
  /**
   * Only for objects that no name identifies: finds what a creation without a response has made, from the
   * inputs `sent`. Default: the holder of the name.
   */
  resultOf?(sent: In, request: LostCreation, call: Call): Promise<Live | undefined>;
  /**
   * Prepares the request that gives a live object the declared settings; undefined if none differs.
   * `isInDoubt`: an earlier request may have changed settings that no read shows, so all are sent again.
   */
  change(
    live: Live,
    inputs: In,
    known: St | undefined,
    call: Call,
    isInDoubt: boolean,
  ): (() => Promise<Live>) | undefined;
  remove(id: string, state: St, call: Call): Promise<unknown>;
  /** Builds the state of a live object. In a read, without `inputs`: hidden values come from `known`. */
  stateOf(live: Live, inputs: In | undefined, known: St | undefined): St;

  /**
   * Only for objects without a name, such as auth connections. `nameIn` builds a unique string from the
   * inputs, such as `<domain>/<profile>`. `input`: the input that failures refer to, such as `domain`.
   */
  readonly naturalName?: {
    readonly input: string;
    nameIn(inputs: DeclaredOfKnown<In>): Declared<string>;
  };
  /** Whether a replacement exists beside the old object, which goes later. Default: the old object goes first. */
  readonly createsFirst?: true;
  /**
   * Only for objects that never change: identifying values besides name and project, such as the checksum of
   * an extension. A create reuses an existing object only if all these values are equal.
   */
  identity?(of: In | St | Live): Readonly<Record<string, string>>;
  /** Advice in a name conflict: how this resource can manage the existing object. Default: by import. */
  adoptAdvice?(id: string): string;

  /** Turns the service's refusal to delete an object into a clearer error. Default: the refusal. */
  explainRefusal?(object: Subject, state: St, refusal: ApiError, call: Call): Promise<Error>;
  /** Whether the object is archived. A create reuses an archived object without a warning. */
  isArchived?(live: Live): boolean;

  /** Only for kinds whose objects are useless if the response to the creation is lost, such as API keys. */
  readonly issued?: Issued<Live>;
  /** Ids of all objects of a resource: the present API key, then keys before rotations. Default: `[id]`. */
  idsOf?(id: string, state: St): readonly string[];

  /** Settings that an object has and the program does not declare, with values. A replacement lacks them. */
  undeclared?(live: Live, state: St): PropertyMap;
  /** Inputs that no creation sends, but a request after the creation. Default: none. */
  readonly setLater?: readonly string[];
  /**
   * Evidence, as the end of a sentence, that a creation with the inputs `sent` did not just make an object, such
   * as a login. Undefined: no such evidence. The core itself compares settings and the creation time.
   */
  doubt?(live: Live, sent: In): string | undefined;
  /** Called before a deletion. True: the object stays, as the input `onDelete` says. Default: false. */
  keeps?(object: Subject, state: St, call: Call): Promise<boolean>;
  /** Called before a deletion. Throws if objects must not be deleted, such as the deployment's own key. */
  refuseRemoval?(ids: readonly string[], state: St, call: Call): Promise<void>;
}

/**
 * A kind whose objects are useless if the response to the creation is lost: only the response contains a
 * secret, or no read shows whether all settings are as declared. The provider deletes the object and creates
 * a new one.
 */
export interface Issued<Live extends LiveObject> {
  /** Name of the value that only the response to the creation contains: `secret`. Default: none. */
  readonly shown?: string;
  /** Lists objects of a project (undefined: of none) with the name `name`, or with `query` in the name. */
  named(
    filter: { readonly name: string } | { readonly query: string },
    projectId: string | undefined,
    call: Call,
  ): Promise<readonly Live[]>;
  /**
   * Finds what a request without a response has made. `sent`: the data of the request in the state. Undefined: a
   * creation under a one-time name. Default: always undefined.
   */
  resultsOf?(sent: PropertyMap, call: Call): Promise<Results<Live> | undefined>;
}

/** Objects that a request without a response may have made. */
export interface Results<Live extends LiveObject> {
  /** Objects that only the request can have made. Several: the request has made one of these. */
  readonly proved: readonly Live[];
  /** Further objects that the request may have made. */
  readonly possible: readonly Live[];
}

/** Rotation of the objects of a kind, such as API keys: an update creates an object that succeeds the old. */
export interface Rotation {
  /** For the preview of an update: names of outputs that a rotation will change, such as the secret `key`. */
  unknownAfterUpdate(state: Named, inputs: DeclaredOfKnown<Named>): readonly string[];
  /** Reason to rotate the object, as the end of a sentence: `"triggers" changed`. Undefined: no rotation. */
  whyRotate(state: Named, inputs: DeclaredOfKnown<Named>): string | undefined;
  /** Changes or rotates the object. For a deleted object, creates a new object or throws `LookupError`. */
  update(id: string, state: Named, inputs: Named, call: Call): Promise<Named>;
}

/** Declares a resource with an object of its own: inputs, defaults, comparisons. Used by `ownedKind`. */
export interface OwnedResource<In extends Named, St extends Named, Live extends LiveObject>
  extends OwnedObject<In, St, Live>,
    Pick<Kind, "compare" | "advice"> {
  /** Class of the resource in programs: `BrowserPool`. */
  readonly resource: string;
  readonly inputs: Codec<In> & Properties;
  readonly state: Codec<St> & Properties;
  /** Returns failures of all invalid inputs. Unknown values pass. The core itself refuses secret keys. */
  failures(news: PropertyMap, olds: In | undefined, apiKey: string, call: Call): CheckFailure[];
  /**
   * Adds defaults to the declared inputs, and what comes from files; the core adds name and project. Called for
   * inputs without failures. Throws `InputError` and `ArchiveError`. Default: adds nothing.
   */
  complete?(
    declared: DeclaredOfKnown<In>,
    news: PropertyMap,
    olds: In | undefined,
    call: Call,
  ): DeclaredOfKnown<In> | Promise<DeclaredOfKnown<In>>;
  /** Returns failures to expect from the deployment, found by reads in a preview, except of the name. */
  previewFailures?(inputs: DeclaredOfKnown<In>, olds: In | undefined, call: Call): Promise<CheckFailure[]>;
  /** Names of differing inputs that force a replacement. Default: differing inputs marked `replaces`. */
  replacingInputs?(state: St, inputs: DeclaredOfKnown<In>): readonly string[];
  /** Called by `diff`: warns of effects of a change or a replacement, such as a login that will be lost. */
  onChange?(state: St, inputs: DeclaredOfKnown<In>, call: Call): void;
  /**
   * Called for every object of the stack that a `diff` or a refresh meets. `isDeclared`: the program declares the
   * resource, and no refresh or destroy asks.
   */
  onKnown?(id: string, state: St, isDeclared: boolean, call: Call): void;
  /** For `diff` and refresh: names of inputs that differ from the state, except `name`. Default: none. */
  differingInputs?(state: St, inputs: DeclaredOfKnown<In>): readonly string[];
  /**
   * Called after a create or an update: waits for effects, such as ready browsers, or sends settings that no
   * creation can send. "gone": the object was deleted meanwhile. After an error, the state gets `unfinished`.
   */
  waitUntilReady?(live: Live, inputs: In, state: St, call: Call): Promise<"gone" | undefined>;
  /** In a read, adds defaults of inputs that the service does not return, such as `onDelete`, if missing. */
  withDefaults?(state: St): DeclaredOfKnown<In> & St;
  /** Extracts the inputs from the state that a read has built. Default: all members named like an input. */
  inputsIn?(state: St): DeclaredOfKnown<In>;
  /** Sentences about changes outside of the program; the core adds a rename. Default: lists the inputs. */
  drift?(id: string, known: St, live: St): readonly string[];
  /** Warning to show after a refresh or an import, such as "the key has expired"; undefined for none. */
  readWarning?(live: Live, isImport: boolean): string | undefined;
}

/** Any kind of owned object, without the types of the kind: the core treats all kinds alike. */
export type AnyObject = OwnedObject<Named, Named, LiveObject>;
export type AnyResource = OwnedResource<Named, Named, LiveObject>;
