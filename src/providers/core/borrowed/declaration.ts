import type { Call } from "../../call.js";
import type { CheckFailure, Kind } from "../../lifecycle.js";
import type { Properties, PropertyMap } from "../../properties.js";
import type { List } from "../../reads/walks.js";
import type { Codec, DeclaredOfKnown } from "../declared.js";
import type { Unfinished } from "../marks.js";

/** Values of settings by name, such as `{ maxConcurrentSessions: 5 }`. Null: the setting has no value. */
export type Values = Readonly<Record<string, string | number | boolean | null>>;

/** Selects the settings of `target` whose values differ from `now`. A value missing in `now` is null. */
export function differing(target: Values, now: Values): Values {
  return Object.fromEntries(Object.entries(target).filter(([name, value]) => (now[name] ?? null) !== value));
}

/** Common members of inputs and states of all borrowed settings: settings of an object created elsewhere. */
export interface Borrowed {
  /** Whether a deletion of the resource restores the previous values. Undefined for a lookup (`get`). */
  readonly onDelete?: "restore" | "keep" | undefined;
  /** In the state only: mark of a change without a response or of remaining work. See `marks`. */
  readonly unfinished?: Unfinished | undefined;
}

/**
 * Declares a kind of settings of an object that the resource neither creates nor deletes, such as the limits
 * of a project. `BorrowedLifecycle` contains the behavior common to all such kinds.
 */
export interface BorrowedSettings<In extends Borrowed, St extends Borrowed, Live>
  extends Pick<Kind, "compare" | "advice"> {
  /** Class of the resource in programs: `ProjectLimits`. */
  readonly resource: string;
  /** Kind of the object with the settings, in messages: `project`. */
  readonly noun: string;
  /** Common name of the settings, in messages: `limits`. */
  readonly settingsNoun: string;
  /** Lists settings with their values for a message: `maxConcurrentSessions 5`. */
  describe(values: Values): string;
  /** Input with the object's id: `projectId`. Undefined for settings of the only organization. */
  readonly idInput?: string;
  /** Inputs for which null in the program is a value, such as "no cap", and not an omission. */
  readonly nullInputs?: readonly string[];
  readonly inputs: Codec<In> & Properties;
  readonly state: Codec<St> & Properties;

  /** Returns a failure for each invalid input. The core itself checks `onDelete` and finds API keys in inputs. */
  failures(news: PropertyMap, apiKey: string): CheckFailure[];
  /**
   * Converts the program's inputs to the result of `check`, in the form of the state file. The core adds the default
   * of `onDelete`. Default: reads the inputs.
   */
  complete?(news: PropertyMap): DeclaredOfKnown<In>;

  /** List of the objects of the organization, for a refresh of many settings. Default: no list has the settings. */
  readonly list?: List<Live & { readonly id: string }>;
  /** Reads the object. If the object is missing, returns the reason, as the end of a sentence. */
  find(id: string, call: Call): Promise<Live | string>;
  /** Reads the object. Throws `LookupError` if the object does not exist. */
  require(id: string, call: Call): Promise<Live>;
  send(id: string, changes: Values, call: Call): Promise<Live>;

  /** Present values of the settings in the service, from the object as just read. */
  liveValues(live: Live): Values;
  /** Values that the program declares. Settings that the program omits are not managed. */
  declaredValues(inputs: In): Values;
  /** Values in the state: as set by the last deployment, or as found by a later refresh. */
  stateValues(state: St): Values;
  /** Values that the resource itself has set, even if a refresh has found different values since. */
  assignedValues(state: St): Values;
  /** Values that the settings had before the resource changed them. A deletion restores these values. */
  previousValues(state: St): Values;

  stateOf(inputs: In, live: Live, previous: Values): St;
  /**
   * State and inputs after a read, to which the core adds `onDelete`. `known`: the old state; undefined for a
   * lookup (`get`) or an import.
   */
  readState(
    id: string,
    live: Live,
    known: St | undefined,
    isImport: boolean,
  ): { readonly state: St; readonly inputs: DeclaredOfKnown<In> };

  /** Warning to show after a read, create or update, such as "the key has expired"; undefined for none. */
  readWarning?(live: Live): string | undefined;
}
