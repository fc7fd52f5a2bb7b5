import type { Call } from "../../call.js";
import type { CheckFailure } from "../../lifecycle.js";
import type { PropertyMap } from "../../properties.js";
import type { Codec, DeclaredOfKnown } from "../declared.js";
import type { Values } from "../entries.js";

/**
 * Settings of an object that exists anyway. Everything else is the same for all of them: see
 * `BorrowedLifecycle`. {@link Values} are settings by name, null where the object has none.
 */
export interface BorrowedSettings<In extends object, St extends object, Live> {
  /** Name of the resource's class. */
  readonly resource: string;
  /** Tells the entries of the journal apart. */
  readonly kind: string;
  /** The input that names the object. */
  readonly idInput: string;
  /** Inputs for which a program's null means something. */
  readonly nullInputs?: readonly string[];
  readonly inputs: Codec<In>;
  readonly state: Codec<St>;

  /** What is wrong with the program's inputs, all at once. Unknown values pass. */
  failures(news: PropertyMap, apiKey: string): CheckFailure[];
  /** The program's inputs with defaults, in the form of the state file. */
  complete(news: PropertyMap): DeclaredOfKnown<In>;
  /** Whether a preview need not look, as these inputs send nothing new. */
  isPreviewed(inputs: PropertyMap, olds: PropertyMap): boolean;
  isSame(state: St, inputs: DeclaredOfKnown<In>): boolean;
  onDelete(of: In | St): "restore" | "keep" | undefined;

  /** The object, or why it is gone, as the end of a sentence. */
  find(id: string, call: Call): Promise<Live | string>;
  /** The object. Throws `LookupError` when it does not exist. */
  require(id: string, call: Call): Promise<Live>;
  send(id: string, changes: Values, call: Call): Promise<Live>;
  /** What to throw for a refusal. `isLeaving`: previous values were to be restored. */
  explained?(id: string, error: unknown, isLeaving: boolean, call: Call): Promise<unknown>;

  /** What the object has. */
  live(live: Live): Values;
  /** What inputs declare. Settings that they leave out are not managed. */
  wanted(inputs: In): Values;
  /** What the state says of the object. */
  values(state: St): Values;
  /** What the resource has set, whatever a refresh has found since. */
  set(state: St): Values;
  /** What the object had before the resource. */
  previous(state: St): Values;

  /** Whether the state is that of a resource, and not of a lookup or an import. */
  isManaged(state: St): boolean;
  stateOf(inputs: In, live: Live, previous: Values): St;
  readState(
    id: string,
    live: Live,
    known: St | undefined,
    isImport: boolean,
  ): { readonly state: St; readonly inputs: DeclaredOfKnown<In> };

  readonly texts: BorrowedTexts<St, Live>;
}

/** The messages about one kind of settings. */
interface BorrowedTexts<St, Live> {
  rival(id: string, rival: string): string;
  unchanged(id: string, live: Live, previous: Values): string;
  gone(id: string, why: string): string;
  goneBefore(id: string, why: string): string;
  /** What somebody else has changed, one sentence each. */
  drift(id: string, known: St, live: Live): readonly string[];
  handedOn(id: string, previous: Values): string;
  restored(id: string, values: Values, isUndeclared: boolean): string;
  changedOutside(
    id: string,
    name: string,
    was: { readonly set: Values[string]; readonly now: Values[string]; readonly before: Values[string] },
  ): string;
  interrupted(id: string): string;
  /** Without the journal: that what was there may be an interrupted deployment's own. */
  unnoted(id: string, previous: Values): string;
  /** What an earlier deployment has set, which no later one has met. */
  unclaimed(id: string, previous: Values): string;
  /** What whoever deploys should know of the object itself. */
  concern?(live: Live): string | undefined;
}
