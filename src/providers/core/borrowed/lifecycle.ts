import { isDeepStrictEqual } from "node:util";
import { LookupError } from "../../../errors.js";
import { Accounts, Call } from "../../call.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  type Created,
  checked,
  type DiffRequest,
  type DiffResult,
  failuresFrom,
  type LifecycleContext,
  type PreviewRequest,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
} from "../../lifecycle.js";
import { readInPreview, settingsFailures } from "../../preview-reads.js";
import { type PropertyMap, requireAllKnown, requireKnown, unknownValue } from "../../properties.js";
import { isOpen, type NotedEntry, type Values } from "../entry.js";
import { inputFailures } from "../input-failures.js";
import { ifReadable } from "../requests.js";
import { Run } from "../run.js";
import type { Borrowed, BorrowedSettings } from "./declaration.js";
import { isRestored, isStillSet, type Known, previousOf, sentBy, takenOver } from "./previous.js";
import { SettingsOfObjects } from "./settings.js";

/**
 * The life cycle of settings of an object that exists anyway. Creating the resource sets the
 * declared ones and remembers what they were, deleting it restores that. What is not declared
 * stays.
 */
export class BorrowedLifecycle<In extends Borrowed, St extends Borrowed, Live> implements ResourceLifecycle {
  readonly nullInputs: readonly string[];
  readonly #resource: BorrowedSettings<In, St, Live>;
  readonly #accounts: Accounts;
  readonly #settings: SettingsOfObjects<In, St, Live>;
  readonly #run = new Run();
  /** What the state says of each object, for the resource that has it next. */
  readonly #stored = new Map<string, Known>();

  constructor(resource: BorrowedSettings<In, St, Live>, accounts = new Accounts()) {
    this.#resource = resource;
    this.#accounts = accounts;
    this.#settings = new SettingsOfObjects(resource);
    this.nullInputs = resource.nullInputs ?? [];
  }

  async check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    const { olds, news } = request;
    const call = new Call(context, this.#accounts);
    const failures = failuresFrom(() => {
      const { apiKey } = call.settings;
      return inputFailures(news, this.#resource.inputs, apiKey, this.#resource.failures(news, apiKey));
    });
    const id = this.#idIn(news);
    if (failures.length === 0 && id !== undefined) {
      const rival = this.#run.declare(context.urn, id, olds === undefined);
      ifReadable(call, () => {
        this.#settings.entries(call).declare(id);
        this.#settings.entries(call).about(id);
      });
      if (rival !== undefined) {
        failures.push({ property: this.#idProperty, reason: this.#settings.texts.rival(id, rival) });
      }
    }
    const inputs = failures.length > 0 ? {} : this.#resource.inputs.write(this.#resource.complete(news));
    return checked(request, { inputs, failures }, (previewed) => this.preview(previewed, context));
  }

  async preview({ olds, inputs }: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    const call = new Call(context, this.#accounts);
    const failures = await settingsFailures(undefined, call);
    const id = this.#idIn(inputs);
    // What does not change sends nothing. An object that is gone is found by a refresh.
    if (failures.length > 0 || id === undefined || (olds !== undefined && this.#setsSame(olds, inputs))) {
      return failures;
    }
    const problem = await readInPreview(call, async (limited) => {
      try {
        await this.#resource.require(id, limited);
        return undefined;
      } catch (error) {
        if (error instanceof LookupError) {
          return error;
        }
        throw error;
      }
    });
    return problem === undefined ? [] : [{ property: this.#idProperty, reason: problem.message }];
  }

  #setsSame(olds: PropertyMap, news: PropertyMap): boolean {
    const { inputs: codec, wanted } = this.#resource;
    return (
      this.#idIn(olds) === this.#idIn(news) &&
      isDeepStrictEqual(wanted(codec.read(olds)), wanted(codec.read(news)))
    );
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const call = new Call(context, this.#accounts);
    const state = this.#resource.state.read(olds);
    this.#remember(id, state);
    // An object that is still to be created is another one, too.
    if (this.#idIn(news) !== id) {
      return { replaces: [this.#idProperty] };
    }
    const isDeclared = this.#run.declared.has(context.urn);
    if (isDeclared) {
      this.#run.use(id, context.urn);
    }
    // The check has already reported what cannot be read.
    const isInDoubt =
      ifReadable(call, () => this.#isInDoubt(id, state, isDeclared, call), { isReported: isDeclared }) ??
      true;
    const isDrifted =
      isDeclared && !isDeepStrictEqual(this.#resource.set(state), this.#resource.values(state));
    return this.#isSame(state, news) ? { changes: isInDoubt || isDrifted } : {};
  }

  #isSame(state: St, news: PropertyMap): boolean {
    const inputs = this.#resource.inputs.read(news);
    return (
      !Object.values(news).includes(unknownValue) &&
      inputs.onDelete === state.onDelete &&
      isDeepStrictEqual(this.#resource.wanted(inputs), this.#resource.values(state))
    );
  }

  /** Whether the object may not be as the state says. In a refresh, nothing is declared. */
  #isInDoubt(id: string, state: St, isDeclared: boolean, call: Call): boolean {
    const entries = this.#settings.entries(call);
    // What a refresh has found may be our own change, which the state does not have.
    const set = this.#resource.set(state);
    if (isDeclared) {
      const entry = entries.about(id);
      if (takenOver(this.#resource.previous(state), entry).length > 0) {
        return true;
      }
      if (entry?.isHandedOn === true) {
        entries.update(entry, { isHandedOn: undefined });
      }
      entries.seen(id, set);
    }
    return entries.isInDoubt(id, set);
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    requireAllKnown(declared, this.#resource.resource);
    const inputs = this.#resource.inputs.read(declared);
    const id = requireKnown(this.#idIn(declared), this.#idProperty, this.#resource.resource);
    const call = new Call(context, this.#accounts);
    return this.#run.inTurn(id, async () => {
      const found = await this.#resource.require(id, call);
      const isNoted = this.#settings.entries(call).about(id) !== undefined;
      const former = this.#stored.get(id);
      const { live, previous, isSent } = await this.#settings.apply(id, inputs, found, { former }, call);
      if (!isSent) {
        this.#reportUnchanged(id, this.#resource.wanted(inputs), previous, isNoted, call);
      }
      this.#concern(live, call);
      this.#run.create(id, context.urn);
      return { id, outputs: this.#resource.state.write(this.#resource.stateOf(inputs, live, previous)) };
    });
  }

  /** Without the journal, what a killed deployment has set looks like another program's value. */
  #reportUnchanged(id: string, wanted: Values, previous: Values, isNoted: boolean, { context }: Call): void {
    const { texts } = this.#settings;
    if (isNoted || !isDeepStrictEqual(previous, wanted)) {
      context.report.info(texts.unchanged(id, wanted, previous));
    } else {
      context.report.warning(texts.unnoted(id, wanted));
    }
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const { id, isImport = false } = stored;
    const { texts } = this.#settings;
    const state = this.#resource.state.read(stored.state);
    const call = new Call(context, this.#accounts);
    // For a lookup there is no resource that decided anything.
    const isManaged = state.onDelete !== undefined;
    const live = isManaged ? await this.#resource.find(id, call) : await this.#resource.require(id, call);
    if (typeof live === "string") {
      // The state forgets the resource, so what it was still to inherit is never settled.
      ifReadable(call, () => this.#settings.entries(call).drop(this.#settings.entries(call).about(id)));
      context.report.warning(texts.gone(id, live));
      return undefined;
    }
    this.#concern(live, call);
    const drift = isManaged
      ? texts.drift(id, this.#resource.values(state), this.#resource.live(live))
      : undefined;
    if (drift !== undefined) {
      context.report.info(drift);
    }
    const read = this.#resource.readState(id, live, isManaged ? state : undefined, isImport);
    return {
      id,
      outputs: this.#resource.state.write(read.state),
      inputs: this.#resource.inputs.write(read.inputs),
    };
  }

  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    requireAllKnown(news, this.#resource.resource);
    const inputs = this.#resource.inputs.read(news);
    const state = this.#resource.state.read(olds);
    const call = new Call(context, this.#accounts);
    return this.#run.inTurn(id, async () => {
      const entries = this.#settings.entries(call);
      const entry = entries.about(id);
      const { set, previous } = this.#known(state);
      const wanted = this.#resource.wanted(inputs);
      const isSet = isDeepStrictEqual(wanted, this.#resource.values(state)) && isDeepStrictEqual(wanted, set);
      if (isSet && takenOver(previous, entry).length === 0 && !entries.isInDoubt(id, wanted)) {
        return this.#resource.state.write({ ...state, ...inputs });
      }
      const live = await this.#resource.require(id, call);
      const known = { set, previous: previousOf(previous, entry) };
      const changed = await this.#settings.apply(id, inputs, live, { known }, call);
      this.#concern(changed.live, call);
      return this.#resource.state.write(this.#resource.stateOf(inputs, changed.live, changed.previous));
    });
  }

  async delete({ id, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const state = this.#resource.state.read(stored);
    const call = new Call(context, this.#accounts);
    this.#remember(id, state);
    return this.#run.inTurn(id, async () => {
      const entry = this.#settings.entries(call).about(id);
      const { set, previous } = this.#known(state);
      const known = { set, previous: previousOf(previous, entry) };
      if (this.#run.isTaken(id, context.urn)) {
        this.#settings.handOn(id, known, call);
      } else if (state.onDelete !== "keep" || this.#run.isToBeCreated(id)) {
        // If the resource replaces itself, its successor must find the previous values.
        const every = { set, previous: { ...entry?.previous, ...known.previous } };
        await this.#settings.restore(id, every, call);
      } else {
        this.#settings.entries(call).drop(entry);
      }
    });
  }

  hasLeftovers(context: LifecycleContext): boolean {
    const call = new Call(context, this.#accounts);
    const leftovers = ifReadable(call, () => this.#settings.entries(call).leftovers()) ?? [];
    return leftovers.some((entry) => isOpen(entry) && !isRestored(entry) && !this.#knows(entry));
  }

  async end(isUpdate: boolean | undefined, context: LifecycleContext): Promise<void> {
    const call = new Call(context, this.#accounts);
    const entries = this.#settings.entries(call);
    const leftovers = entries.leftovers().filter((entry) => !this.#knows(entry));
    entries.conclude();
    if (isUpdate === false) {
      return;
    }
    if (isUpdate === true) {
      entries.forgetRemoved((id) => this.#knows({ id }));
    }
    for (const entry of leftovers) {
      await this.#settle(entry, isUpdate, call.about(entry.urn));
    }
    // What was noted meanwhile is this deployment's as well.
    entries.conclude();
  }

  /**
   * An entry that this deployment did not meet. An update restores what a killed one set. What one
   * set that completed may be in the state all the same, which a run with `--target` does not show:
   * it is reported once, and kept for a resource that declares it again.
   */
  async #settle(entry: NotedEntry, isUpdate: boolean | undefined, call: Call): Promise<void> {
    const { id = "", previous = {} } = entry;
    const entries = this.#settings.entries(call);
    if (isRestored(entry)) {
      entries.takeOver(entry, {});
    } else if (isOpen(entry)) {
      if (isUpdate === true) {
        const known = { set: sentBy(entry), previous };
        await this.#run.inTurn(id, () => this.#settings.restore(id, known, call));
      }
    } else if (entry.isHandedOn !== true) {
      const live = await this.#resource.find(id, call);
      if (typeof live === "string" || !isStillSet(entry, this.#resource.live(live))) {
        entries.drop(entry);
      } else if (entry.isUnclaimed !== true) {
        call.context.report.warning(this.#settings.texts.unclaimed(id, previous));
        entries.update(entry, { isUnclaimed: isUpdate });
      }
    }
  }

  get #idProperty(): string {
    return this.#resource.idInput ?? "";
  }

  #idIn(inputs: PropertyMap): string | undefined {
    const { idInput, noun } = this.#resource;
    const id = idInput === undefined ? noun : inputs[idInput];
    return typeof id === "string" ? id : undefined;
  }

  #concern(live: Live, { context }: Call): void {
    const concern = this.#resource.concern?.(live);
    if (concern !== undefined) {
      context.report.warning(concern);
    }
  }

  /** Whether this run had to do with the object, so entries about it are not a leftover. */
  #knows({ id = "" }: Pick<NotedEntry, "id">): boolean {
    return this.#run.isClaimed(id) || this.#stored.has(id);
  }

  /** Keeps what the state says of an object, in case another resource has it next. */
  #remember(id: string, state: St): void {
    this.#stored.set(id, this.#known(state));
  }

  #known(state: St): Known {
    return { set: this.#resource.set(state), previous: this.#resource.previous(state) };
  }
}
