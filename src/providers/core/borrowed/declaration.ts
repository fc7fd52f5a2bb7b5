import type { Call } from "../../call.js";
import type { CheckFailure } from "../../lifecycle.js";
import type { PropertyMap } from "../../properties.js";
import type { Codec, DeclaredOfKnown } from "../declared.js";
import type { Values } from "../entry.js";

/** What inputs and state of every kind of settings have in common. */
export interface Borrowed {
  /** What becomes of the settings when the resource is deleted. Undefined for a lookup. */
  readonly onDelete?: "restore" | "keep" | undefined;
}

/**
 * Settings of an object that exists anyway. Everything else is the same for all of them: see
 * `BorrowedLifecycle`. {@link Values} are settings by name, null where the object has none.
 */
export interface BorrowedSettings<In extends Borrowed, St extends Borrowed, Live> {
  /** Name of the resource's class. */
  readonly resource: string;
  /** Name of the kind in the entries of the journal. */
  readonly kind: string;
  /** What the object is, in messages: `project`. */
  readonly noun: string;
  /** What the settings are, in messages: `limits`. */
  readonly settings: string;
  /** The settings in messages: `maxConcurrentSessions 5`. */
  text(values: Values): string;
  /** The input that names the object. Undefined where there is only one, whose id is its noun. */
  readonly idInput?: string;
  /** Inputs for which a program's null means something. */
  readonly nullInputs?: readonly string[];
  readonly inputs: Codec<In>;
  readonly state: Codec<St>;

  /** What is wrong with the program's inputs, all at once. Unknown values pass. */
  failures(news: PropertyMap, apiKey: string): CheckFailure[];
  /** The program's inputs with defaults, in the form of the state file. */
  complete(news: PropertyMap): DeclaredOfKnown<In>;

  /** The object, or why it is gone, as the end of a sentence. */
  find(id: string, call: Call): Promise<Live | string>;
  /** The object. Throws `LookupError` when it does not exist. */
  require(id: string, call: Call): Promise<Live>;
  send(id: string, changes: Values, call: Call): Promise<Live>;

  /** What the object has. */
  live(live: Live): Values;
  /** What inputs declare. Settings that they leave out are not managed. */
  wanted(inputs: In): Values;
  /** What the state says of the object. */
  values(state: St): Values;
  /** What the resource has set, even if a refresh has found something else since. */
  set(state: St): Values;
  /** What the object had before the resource. */
  previous(state: St): Values;

  stateOf(inputs: In, live: Live, previous: Values): St;
  /** What a read found. `known`: the state of a resource, and not of a lookup or an import. */
  readState(
    id: string,
    live: Live,
    known: St | undefined,
    isImport: boolean,
  ): { readonly state: St; readonly inputs: DeclaredOfKnown<In> };

  /** A warning about the object itself. */
  concern?(live: Live): string | undefined;
}
