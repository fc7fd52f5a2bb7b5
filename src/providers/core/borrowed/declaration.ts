import type { Call } from "../../call.js";
import type { CheckFailure } from "../../lifecycle.js";
import type { PropertyMap } from "../../properties.js";
import type { Codec, DeclaredOfKnown } from "../declared.js";
import type { Unfinished } from "../marks.js";

/** Settings of an object by name, null for a setting without a value. */
export type Values = Readonly<Record<string, string | number | boolean | null>>;

/** Values in `target` that differ from the present values. A missing value counts as null. */
export function differing(target: Values, now: Values): Values {
  return Object.fromEntries(Object.entries(target).filter(([name, value]) => (now[name] ?? null) !== value));
}

/** Common members of the inputs and the state of every kind of settings. */
export interface Borrowed {
  /** Action on the settings when the resource is deleted. Undefined for a lookup. */
  readonly onDelete?: "restore" | "keep" | undefined;
  /** State only. See `marks`. */
  readonly unfinished?: Unfinished | undefined;
}

/**
 * A kind of settings of an object that exists anyway. `BorrowedLifecycle` contains the behavior
 * common to all kinds. {@link Values} are settings by name, null for a setting without a value.
 */
export interface BorrowedSettings<In extends Borrowed, St extends Borrowed, Live> {
  /** Name of the resource's class. */
  readonly resource: string;
  /** The object in messages: `project`. */
  readonly noun: string;
  /** All settings in messages: `limits`. */
  readonly settingsNoun: string;
  /** Settings with their values in messages: `maxConcurrentSessions 5`. */
  describe(values: Values): string;
  /** Input that names the object. Undefined for a single object, whose id is its noun. */
  readonly idInput?: string;
  /** Inputs in which a program's null is a value. */
  readonly nullInputs?: readonly string[];
  readonly inputs: Codec<In>;
  readonly state: Codec<St>;

  /** Reports invalid inputs at once, except those of all kinds, such as `onDelete` and secret keys. */
  failures(news: PropertyMap, apiKey: string): CheckFailure[];
  /** The program's inputs with defaults, in the form of the state file. */
  complete(news: PropertyMap): DeclaredOfKnown<In>;

  /** Reads the object, or returns the reason for a missing object, as the end of a sentence. */
  find(id: string, call: Call): Promise<Live | string>;
  /** Reads the object. Throws `LookupError` if the object does not exist. */
  require(id: string, call: Call): Promise<Live>;
  send(id: string, changes: Values, call: Call): Promise<Live>;

  /** Values in the service. */
  liveValues(live: Live): Values;
  /** Declared values. Undeclared settings are not managed. */
  declaredValues(inputs: In): Values;
  /** Values in the state, as the last deployment or refresh found them. */
  stateValues(state: St): Values;
  /** Values set by the resource, even if a refresh has found different values since. */
  assignedValues(state: St): Values;
  /** Values before the resource. */
  previousValues(state: St): Values;

  stateOf(inputs: In, live: Live, previous: Values): St;
  /** State and inputs of a read. `known`: the state of a resource, not of a lookup or an import. */
  readState(
    id: string,
    live: Live,
    known: St | undefined,
    isImport: boolean,
  ): { readonly state: St; readonly inputs: DeclaredOfKnown<In> };

  /** Warning about the object. */
  readWarning?(live: Live): string | undefined;
}
