import type { ApiError } from "../../../errors.js";
import type { Call } from "../../call.js";
import type { CheckFailure } from "../../lifecycle.js";
import type { PropertyMap } from "../../properties.js";
import type { Codec, Declared, DeclaredOfKnown } from "../declared.js";
import type { Issued } from "./issued.js";

/** What inputs and state of every owned object have in common. */
export interface Named {
  readonly name?: string | undefined;
  /** The project that it is in, for a kind that belongs to one. */
  readonly projectId?: string | undefined;
  /** Of a state: why the object is not as declared. The next diff must see it. */
  readonly unfinished?: string | undefined;
}

/** An object as the service has it. */
export interface LiveObject {
  readonly id: string;
  readonly name: string | null;
  /**
   * ISO 8601 date-time. Null where the service does not say it; undefined for a kind that has none,
   * whose creations are known by their names alone.
   */
  readonly createdAt?: string | null;
}

/**
 * A kind of object that the service knows by an id and a name: how it is found, created, changed
 * and deleted. Everything else is the same for all of them: see `OwnedObjects`.
 */
export interface OwnedObject<In extends Named, St extends Named, Live extends LiveObject> {
  /** Name of the kind in the entries of the journal. */
  readonly kind: string;
  /** In messages: `browser pool`. */
  readonly noun: string;
  /** The command that deletes it, for a person: `browser-infra pools delete`. */
  readonly deleteCommand: string;
  /** Whether it belongs to a project. Default: to the organization. */
  readonly isInProject?: boolean;
  /** Code of the error for an object that does not exist. */
  readonly notFoundCode: string;
  /** Code of the error for a declared object that is gone. Default: the same. */
  readonly goneCode?: string;
  /**
   * For a kind whose objects show something once, such as a secret, or hide what they were made of.
   * Its names need not be unique: a creation is sent under a name that no other request has, and
   * then the object gets its own name. Default: names are unique.
   */
  readonly issued?: Issued<In, St, Live>;
  /**
   * For a kind without names: what identifies an object, as one string in place of a name. It is
   * made of inputs whose change replaces the object. Inputs and state have it as `name`.
   */
  readonly naturalName?: {
    /** The input that messages about it name. */
    readonly input: string;
    of(inputs: DeclaredOfKnown<In>): Declared<string>;
  };
  readonly state: Codec<St>;
  /** A member that every state has. What a program looks up lacks it. */
  readonly essential: keyof St & string;
  /** Members of the state that change without a request. The journal does not compare them. */
  readonly incidental: readonly (keyof St & string)[];
  /**
   * For a kind that the service cannot change: what makes an object another one, besides its name
   * and its project. An existing object is reused only if it is exactly what is declared.
   */
  identity?(of: In | St | Live): PropertyMap;
  /** How a program adopts an object that it did not create. Default: by an import. */
  adoptAdvice?(id: string): string;
  /** What it holds, to recreate it if its replacement fails. Undefined: it is gone. */
  archive?(
    id: string,
    state: St,
    call: Call,
  ): Promise<{ readonly bytes: Uint8Array; readonly state: St } | undefined>;
  /** Undefined when it is gone. */
  find(id: string, projectId: string | undefined, call: Call): Promise<Live | undefined>;
  /** What has a name, as the service compares names. If names are not unique, one of them. */
  holderOf(name: string, projectId: string | undefined, call: Call): Promise<Live | undefined>;
  create(inputs: In, name: string, call: Call): Promise<Live>;
  /**
   * The inputs of an issued object that takes the place of an old object, with undeclared settings
   * of the old object. `known`: the state of the old object.
   */
  inherit?(inputs: In, old: Live | St, known: St): In;
  /**
   * The request that makes the live object as declared; undefined if it is so. `isInDoubt`: an
   * earlier request may have changed what the service does not show.
   */
  change(
    live: Live,
    inputs: In,
    known: St | undefined,
    call: Call,
    isInDoubt: boolean,
  ): (() => Promise<Live>) | undefined;
  remove(id: string, state: St, call: Call): Promise<unknown>;
  /**
   * What an object has that its program does not declare. The journal keeps it for the object that
   * takes its place, whose creation finds it with `Entries.handedDown`. Asks the service.
   */
  handDown?(id: string, state: St, call: Call): Promise<PropertyMap>;
  /** The request that retires it; undefined if it is retired already. */
  retire?(live: Live, call: Call): (() => Promise<Live>) | undefined;
  /** The service's code for not deleting it because something uses it. */
  readonly inUseCode?: string;
  /** Why the service refused to delete or to retire it. Default: its own words. */
  whyKept?(object: Pick<Live, "id" | "name">, state: St, refusal: ApiError, call: Call): Promise<Error>;
  /** What the state keeps. No inputs: of a read, normalized to what is known. */
  stateOf(live: Live, inputs: In | undefined, known: St | undefined): St;
  /** Whether it is retired, so that reusing it needs no warning. */
  isDormant?(live: Live): boolean;
}

/** A kind of object as a program declares it: see `OwnedLifecycle`. */
export interface OwnedResource<In extends Named, St extends Named, Live extends LiveObject>
  extends OwnedObject<In, St, Live> {
  /** Name of the resource's class. */
  readonly resource: string;
  readonly inputs: Codec<In>;
  /**
   * What is wrong with the program's inputs, all at once. Unknown values pass. That none is a
   * secret key is checked for every kind.
   */
  failures(news: PropertyMap, olds: In | undefined, apiKey: string, call: Call): CheckFailure[];
  /** The program's inputs in one form. Default: as they are. */
  normalized?(news: PropertyMap): PropertyMap;
  /** Fills in defaults, besides the name and the project. Default: none. */
  complete?(
    declared: DeclaredOfKnown<In>,
    news: PropertyMap,
    olds: In | undefined,
    call: Call,
  ): DeclaredOfKnown<In>;
  /** What a deployment would refuse, besides the name. Asks the service. */
  previewFailures?(inputs: DeclaredOfKnown<In>, olds: In | undefined, call: Call): Promise<CheckFailure[]>;
  /** Inputs whose change replaces the object. Default: those that are marked so. */
  replaces?(state: St, inputs: DeclaredOfKnown<In>): readonly string[];
  /** Says what a replacement loses, as far as the state tells. */
  onReplacement?(state: St, inputs: DeclaredOfKnown<In>, call: Call): void;
  /** What else is not as in the state, besides the name. Default: nothing. */
  differing?(state: St, inputs: DeclaredOfKnown<In>): readonly string[];
  /** What becomes of it when the resource goes. Default: it is removed. */
  onDelete?(state: St): "remove" | "keep" | "retire";
  /**
   * Waits for what follows a creation or a change; "gone" if the object goes meanwhile. What it
   * throws leaves the resource unfinished.
   */
  afterwards?(live: Live, inputs: In, state: St, call: Call): Promise<"gone" | undefined>;
  /** The state with inputs that a read cannot see, for an import. Default: there are none. */
  withDefaults?(state: St): DeclaredOfKnown<In> & St;
  /** The inputs in the state of a read, where they differ from its members of the same names. */
  inputsIn?(state: St): DeclaredOfKnown<In>;
  /** What was changed outside of this program, besides the name. Default: what differs, by name. */
  drift?(id: string, known: St, live: St): readonly string[];
  /** A warning about an object that was read. */
  concern?(live: Live, isImport: boolean): string | undefined;
}
