import { isDeepStrictEqual } from "node:util";
import { LookupError, OutcomeUnknownError } from "../../../errors.js";
import { Accounts, Call } from "../../call.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  type Created,
  type DiffRequest,
  type DiffResult,
  failuresFrom,
  type LifecycleContext,
  type PreviewRequest,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
} from "../../lifecycle.js";
import { readInPreview, settingsFailures } from "../../look.js";
import { type PropertyMap, requireKnown, unknownValue } from "../../properties.js";
import { digestOf, type Entries, isOpen, type NotedEntry, orLater, type Values } from "../entries.js";
import { ifReadable } from "../readable.js";
import { continuesAdvice, sendNoted, stillUnknown } from "../requests.js";
import { Run } from "../run.js";
import type { BorrowedSettings } from "./declaration.js";
import {
  differing,
  hasSent,
  type Known,
  previousOf,
  previousOfAll,
  sentBy,
  takenOver,
  unlessRestored,
} from "./previous.js";

const nothing: Known = { set: {}, previous: {} };

/**
 * The life cycle of settings of an object that exists anyway. Creating the resource sets the declared
 * ones and remembers what they were, deleting it restores that. What is not declared stays.
 */
export class BorrowedLifecycle<In extends object, St extends object, Live> implements ResourceLifecycle {
  readonly nullInputs: readonly string[];
  readonly #resource: BorrowedSettings<In, St, Live>;
  readonly #accounts: Accounts;
  readonly #run = new Run();
  /** What the state says of each object, for the resource that has it next. */
  readonly #stored = new Map<string, Known>();

  constructor(resource: BorrowedSettings<In, St, Live>, accounts = new Accounts()) {
    this.#resource = resource;
    this.#accounts = accounts;
    this.nullInputs = resource.nullInputs ?? [];
  }

  async check(
    { olds, news, isPreview = false }: CheckRequest,
    context: LifecycleContext,
  ): Promise<CheckResult> {
    const call = new Call(context, this.#accounts);
    const { idInput, texts } = this.#resource;
    const failures = failuresFrom(() => this.#resource.failures(news, call.settings.apiKey));
    const id = this.#idIn(news);
    if (failures.length === 0 && id !== undefined) {
      const rival = this.#run.declare(context.urn, id, olds === undefined);
      ifReadable(call, () => this.#entries(call).declare(id));
      if (rival !== undefined) {
        failures.push({ property: idInput, reason: texts.rival(id, rival) });
      }
    }
    // Invalid inputs are not repeated: one of them may be a secret.
    const inputs = failures.length > 0 ? {} : this.#resource.inputs.write(this.#resource.complete(news));
    if (isPreview && failures.length === 0) {
      failures.push(...(await this.preview({ olds, inputs, memo: undefined }, context)));
    }
    return { inputs, failures };
  }

  async preview({ olds, inputs }: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    const call = new Call(context, this.#accounts);
    const failures = await settingsFailures(undefined, call);
    const id = this.#idIn(inputs);
    const isKnown = olds !== undefined && this.#resource.isPreviewed(inputs, olds);
    if (failures.length > 0 || id === undefined || isKnown) {
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
    return problem === undefined ? [] : [{ property: this.#resource.idInput, reason: problem.message }];
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const { idInput } = this.#resource;
    const call = new Call(context, this.#accounts);
    const state = this.#resource.state.read(olds);
    this.#remember(id, state);
    // An object that is still to be created is another one, too.
    if (news[idInput] !== id) {
      return { replaces: [idInput] };
    }
    const values = this.#resource.values(state);
    const isDeclared = this.#run.declared.has(context.urn);
    if (isDeclared) {
      this.#run.use(id, context.urn);
    }
    const isInDoubt = ifReadable(call, () => this.#isInDoubt(id, state, isDeclared, call)) ?? true;
    const isDrifted = isDeclared && !isDeepStrictEqual(this.#resource.set(state), values);
    const isSame = this.#resource.isSame(state, this.#resource.inputs.readDeclared(news));
    return isSame ? { changes: isInDoubt || isDrifted } : {};
  }

  /** Whether the object may not be as the state says. In a refresh, nothing is declared. */
  #isInDoubt(id: string, state: St, isDeclared: boolean, call: Call): boolean {
    const entries = this.#entries(call);
    const values = this.#resource.values(state);
    if (isDeclared) {
      const entry = entries.about(id);
      if (takenOver(this.#resource.previous(state), entry).length > 0) {
        return true;
      }
      if (entry?.isHandedOn === true) {
        entries.update(entry, { isHandedOn: undefined });
      }
      entries.seen(id, values);
    }
    return entries.isInDoubt(id, values);
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    this.#requireKnown(declared);
    const { idInput, resource, texts } = this.#resource;
    const inputs = this.#resource.inputs.read(declared);
    const id = requireKnown(this.#idIn(declared), idInput, resource);
    const call = new Call(context, this.#accounts);
    return this.#run.objects.run(id, async () => {
      const found = await this.#resource.require(id, call);
      const { live, previous, isSent } = await this.#apply(id, inputs, found, nothing, call);
      if (!isSent) {
        context.report.info(texts.unchanged(id, found, previous));
      }
      this.#concern(live, call);
      this.#run.create(id, context.urn);
      return { id, outputs: this.#resource.state.write(this.#resource.stateOf(inputs, live, previous)) };
    });
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const { id, isImport = false } = stored;
    const { texts } = this.#resource;
    const state = this.#resource.state.read(stored.state);
    const call = new Call(context, this.#accounts);
    // For a lookup there is no resource that decided anything.
    const isManaged = this.#resource.isManaged(state);
    const live = isManaged ? await this.#resource.find(id, call) : await this.#resource.require(id, call);
    if (typeof live === "string") {
      // The state forgets the resource, so nobody settles what it was still to inherit.
      ifReadable(call, () => this.#entries(call).drop(this.#entries(call).about(id)));
      context.report.warning(texts.gone(id, live));
      return undefined;
    }
    this.#concern(live, call);
    const read = this.#resource.readState(id, live, isManaged ? state : undefined, isImport);
    for (const message of isManaged ? texts.drift(id, state, live) : []) {
      context.report.info(message);
    }
    return {
      id,
      outputs: this.#resource.state.write(read.state),
      inputs: this.#resource.inputs.write(read.inputs),
    };
  }

  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    this.#requireKnown(news);
    const inputs = this.#resource.inputs.read(news);
    const state = this.#resource.state.read(olds);
    const call = new Call(context, this.#accounts);
    return this.#run.objects.run(id, async () => {
      const entry = this.#entries(call).about(id);
      const set = this.#resource.set(state);
      const previous = this.#resource.previous(state);
      const wanted = this.#resource.wanted(inputs);
      const isSet = isDeepStrictEqual(wanted, this.#resource.values(state)) && isDeepStrictEqual(wanted, set);
      if (isSet && takenOver(previous, entry).length === 0 && !this.#entries(call).isInDoubt(id, wanted)) {
        return this.#resource.state.write({ ...state, ...inputs });
      }
      const live = await this.#resource.require(id, call);
      const known = { set, previous: previousOf(previous, entry) };
      const changed = await this.#apply(id, inputs, live, known, call);
      this.#concern(changed.live, call);
      return this.#resource.state.write(this.#resource.stateOf(inputs, changed.live, changed.previous));
    });
  }

  async delete({ id, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const state = this.#resource.state.read(stored);
    const call = new Call(context, this.#accounts);
    this.#remember(id, state);
    const entries = this.#entries(call);
    return this.#run.objects.run(id, async () => {
      const entry = entries.about(id);
      const set = this.#resource.set(state);
      const previous = previousOf(this.#resource.previous(state), entry);
      if (this.#run.isCreated(id) || this.#run.otherUser(id, context.urn) !== undefined) {
        context.report.info(this.#resource.texts.handedOn(id, previous));
        // The other resource took for previous what this one had set.
        const theirs = Object.entries(entry?.previous ?? {}).filter(([name, value]) => set[name] !== value);
        this.#note(call, {
          ...(entry ?? { answered: digestOf(set) }),
          id,
          sent: [set, ...(entry?.sent ?? [])],
          previous: { ...previous, ...Object.fromEntries(theirs) },
          isHandedOn: true,
        });
      } else if (this.#resource.onDelete(state) !== "keep" || this.#run.isToBeCreated(id)) {
        // If the resource replaces itself, its successor must find the previous values.
        await this.#restore(id, { set, previous: { ...entry?.previous, ...previous } }, call);
      } else {
        entries.drop(entry);
      }
    });
  }

  hasLeftovers(context: LifecycleContext): boolean {
    return this.#entries(new Call(context, this.#accounts))
      .leftovers()
      .some((entry) => isOpen(entry) && !this.#knows(entry));
  }

  async end(isUpdate: boolean | undefined, context: LifecycleContext): Promise<void> {
    const call = new Call(context, this.#accounts);
    const entries = this.#entries(call);
    const leftovers = entries.leftovers().filter((entry) => !this.#knows(entry));
    entries.conclude();
    if (isUpdate !== true) {
      return;
    }
    entries.forgetRemoved();
    for (const entry of leftovers) {
      await this.#settle(entry, call.about(entry.urn));
    }
    // What was noted meanwhile is this deployment's as well.
    entries.conclude();
  }

  /**
   * An entry that this update did not meet. What a killed deployment set is restored. What one set
   * that ended in order may be in the state all the same, which a run with `--target` does not show.
   */
  async #settle(entry: NotedEntry, call: Call): Promise<void> {
    const { id = "", previous = {} } = entry;
    const entries = this.#entries(call);
    if (isOpen(entry)) {
      await this.#run.objects.run(id, () => this.#restore(id, { set: sentBy(entry), previous }, call));
    } else if (entry.isHandedOn !== true) {
      if (entry.isUnclaimed === true) {
        entries.drop(entry);
      } else {
        await this.#tell(entry, call);
      }
    }
  }

  async #tell(entry: NotedEntry, call: Call): Promise<void> {
    const { id = "", previous = {} } = entry;
    const live = await this.#resource.find(id, call);
    if (typeof live !== "string" && Object.keys(differing(previous, this.#resource.live(live))).length > 0) {
      call.context.report.warning(this.#resource.texts.unclaimed(id, previous));
    }
    this.#entries(call).update(entry, { isUnclaimed: true });
  }

  #entries(call: Call): Entries {
    return call.entries(this.#resource.kind);
  }

  #idIn(inputs: PropertyMap): string | undefined {
    const id = inputs[this.#resource.idInput];
    return typeof id === "string" ? id : undefined;
  }

  #concern(live: Live, { context }: Call): void {
    const concern = this.#resource.texts.concern?.(live);
    if (concern !== undefined) {
      context.report.warning(concern);
    }
  }

  /** Whether this run had to do with the object, so entries about it are not a leftover. */
  #knows({ id = "" }: NotedEntry): boolean {
    return this.#run.isClaimed(id) || this.#stored.has(id);
  }

  /** Throws `InputError` for an unknown input, which would pass for one that is not declared. */
  #requireKnown(declared: PropertyMap): void {
    for (const [name, value] of Object.entries(declared)) {
      if (value === unknownValue) {
        requireKnown(undefined, name, this.#resource.resource);
      }
    }
  }

  /** Keeps what the state says of an object, in case another resource has it next. */
  #remember(id: string, state: St): void {
    this.#stored.set(id, { set: this.#resource.values(state), previous: this.#resource.previous(state) });
  }

  /**
   * Gives the object what inputs declare, and restores what they no longer declare. Returns what
   * everything declared was before.
   */
  async #apply(id: string, inputs: In, live: Live, known: Known, call: Call) {
    const { texts } = this.#resource;
    const wanted = this.#resource.wanted(inputs);
    const now = this.#resource.live(live);
    const entry = unlessRestored(this.#entries(call).about(id));
    const every = {
      set: { ...sentBy(entry), ...known.set },
      previous: { ...entry?.previous, ...known.previous },
    };
    const left = Object.keys(every.set).filter((name) => !Object.hasOwn(wanted, name));
    const keeps = this.#resource.onDelete(inputs) === "keep";
    const restored = keeps ? {} : this.#restorable(id, left, now, every, call);
    const stored = known === nothing ? this.#stored.get(id) : undefined;
    const previous = previousOfAll(Object.keys(wanted), now, { known, entry, stored });
    const changed = await this.#set(
      id,
      {
        op: "change",
        target: { ...restored, ...wanted },
        live,
        known: { ...known, previous: { ...every.previous, ...previous } },
      },
      call,
    );
    const noted = this.#entries(call).about(id);
    if (noted !== undefined) {
      this.#entries(call).update(noted, { answered: digestOf(wanted) });
    }
    if (Object.keys(restored).length > 0) {
      call.context.report.info(texts.restored(id, restored, true));
    }
    return { live: changed ?? live, previous, isSent: changed !== undefined };
  }

  /** Restores what was there before, as far as nobody else has changed it. */
  async #restore(id: string, known: Known, call: Call): Promise<void> {
    const { report } = call.context;
    const { texts } = this.#resource;
    const entries = this.#entries(call);
    const entry = entries.about(id);
    const live = await this.#resource.find(id, call);
    if (typeof live === "string") {
      entries.drop(entry);
      report.info(texts.goneBefore(id, live));
      return;
    }
    const set = { ...sentBy(entry), ...known.set };
    const now = this.#resource.live(live);
    const target = this.#restorable(id, Object.keys(set), now, { ...known, set }, call);
    let changed: Live | undefined;
    try {
      changed = await this.#set(id, { op: "remove", target, live, known }, call);
    } catch (error) {
      if (error instanceof OutcomeUnknownError || typeof (await this.#resource.find(id, call)) !== "string") {
        throw error;
      }
      // Deleted in between.
      entries.drop(entries.about(id));
      return;
    }
    if (changed !== undefined) {
      report.info(texts.restored(id, target, false));
    }
  }

  /** The previous values that may come back: what is there now is what the resource set. */
  #restorable(
    id: string,
    names: readonly string[],
    now: Values,
    { set, previous }: Known,
    call: Call,
  ): Values {
    const entry = this.#entries(call).about(id);
    return Object.fromEntries(
      names.flatMap((name) => {
        const before = previous[name];
        const value = now[name] ?? null;
        if (before === undefined || before === value) {
          return [];
        }
        if (set[name] !== value && !hasSent(entry, name, value)) {
          const was = { set: set[name] ?? null, now: value, before };
          call.context.report.warning(this.#resource.texts.changedOutside(id, name, was));
          return [];
        }
        return [[name, before]];
      }),
    );
  }

  /** Sends what differs, noted before and after. Undefined when there is nothing to send. */
  async #set(
    id: string,
    change: {
      readonly op: "change" | "remove";
      readonly target: Values;
      readonly live: Live;
      readonly known: Known;
    },
    call: Call,
  ): Promise<Live | undefined> {
    const { op, target, live, known } = change;
    const entries = this.#entries(call);
    const earlier = unlessRestored(entries.about(id));
    const changes = differing(target, this.#resource.live(live));
    const sent = [...(earlier?.sent ?? []), known.set, target];
    const intent = {
      op,
      id,
      sent,
      previous: known.previous,
      isHandedOn: op === "change" ? earlier?.isHandedOn : undefined,
    };
    if (Object.keys(changes).length === 0) {
      if (earlier !== undefined) {
        this.#note(call, { ...intent, answered: digestOf(target) });
      }
      return undefined;
    }
    const isLeaving = op === "remove";
    try {
      return await sendNoted(
        entries,
        {
          intent,
          isLeaving,
          send: () => this.#resource.send(id, changes, call),
          answered: () => ({ answered: digestOf(target) }),
          resolve: (outcome) => {
            const interrupted = this.#resource.texts.interrupted(id);
            throw stillUnknown(outcome, call.context, interrupted, continuesAdvice);
          },
        },
        call.context.report,
      );
    } catch (error) {
      throw error instanceof OutcomeUnknownError
        ? error
        : ((await this.#resource.explained?.(id, error, isLeaving, call)) ?? error);
    }
  }

  /** Notes what is known already. If that fails, a later run finds out by itself. */
  #note(call: Call, entry: Omit<Parameters<Entries["intend"]>[0], "op"> & { op?: NotedEntry["op"] }): void {
    orLater(() => this.#entries(call).intend({ op: "change", ...entry }));
  }
}
