import { isDeepStrictEqual } from "node:util";
import { LookupError } from "../../../errors.js";
import { Accounts, Call } from "../../call.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  type Created,
  checkResult,
  type DiffRequest,
  type DiffResult,
  failuresFrom,
  type Kind,
  type LifecycleContext,
  type PreviewRequest,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
} from "../../lifecycle.js";
import { inputFailures } from "../../messages/input-failures.js";
import { type PropertyMap, requireAllKnown, requireKnown, unknownValue } from "../../properties.js";
import { readInPreview, settingsFailures } from "../../reads/preview.js";
import { walkOf } from "../../reads/walks.js";
import { marksIn, type SentSetting } from "../marks.js";
import { markUnfinished } from "../requests.js";
import { Run } from "../run.js";
import type { Borrowed, BorrowedSettings, Values } from "./declaration.js";
import { type KnownSettings, SettingsOfObjects } from "./settings.js";

/** Start of a `create`: the resource has set nothing yet, so there are no previous values yet. */
const nothing: KnownSettings = { set: {}, previous: {}, sent: [] };

/**
 * Life cycle of settings of an existing object, such as project limits. `create` sets the declared values and
 * stores the previous values in the state; `delete` restores the previous values. Never declared settings are
 * unchanged.
 */
class BorrowedLifecycle<In extends Borrowed, St extends Borrowed, Live> implements ResourceLifecycle {
  readonly importIds: readonly string[];
  readonly nullInputs: readonly string[];
  readonly #resource: BorrowedSettings<In, St, Live>;
  readonly #accounts: Accounts;
  readonly #settings: SettingsOfObjects<In, St, Live>;
  readonly #run = new Run();
  /** Settings in old states, by object id. A new resource for an object takes over the previous values. */
  readonly #storedSettings = new Map<string, KnownSettings>();

  constructor(resource: BorrowedSettings<In, St, Live>, accounts = new Accounts()) {
    this.#resource = resource;
    this.#accounts = accounts;
    this.#settings = new SettingsOfObjects(resource);
    this.importIds = [resource.idInput === undefined ? resource.noun : `<${resource.noun} id>`];
    this.nullInputs = resource.nullInputs ?? [];
  }

  async check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    const { olds, news } = request;
    const call = new Call(context, this.#accounts);
    const failures = failuresFrom(() => {
      const { apiKey } = call.settings;
      return inputFailures(request, this.#resource.inputs, apiKey, (declared) => [
        ...this.#resource.failures(declared, apiKey),
        ...this.#onDeleteFailures(declared),
      ]);
    });
    const id = this.#idIn(news);
    this.#run.note(context.urn, { isDeclared: true, isNew: olds === undefined });
    if (failures.length === 0 && id !== undefined) {
      const rival = this.#run.claim(context.urn, id);
      if (rival !== undefined) {
        failures.push({ property: this.#idProperty, reason: this.#settings.texts.rival(id, rival) });
      }
    }
    const inputs = failures.length > 0 ? {} : this.#complete(news);
    return checkResult(request, { inputs, failures }, (previewed) => this.preview(previewed, context));
  }

  #complete(news: PropertyMap): PropertyMap {
    const { inputs, complete = () => inputs.readDeclared(news) } = this.#resource;
    return inputs.write({ onDelete: "restore", ...complete(news) });
  }

  #onDeleteFailures({ onDelete }: PropertyMap): CheckFailure[] {
    const { settingsNoun } = this.#resource;
    const reason = `"onDelete" must be "restore", which restores the previous ${settingsNoun}, or "keep", which leaves the ${settingsNoun} unchanged.`;
    const allowed: readonly (typeof onDelete)[] = [undefined, unknownValue, "restore", "keep"];
    return allowed.includes(onDelete) ? [] : [{ property: "onDelete", reason }];
  }

  async preview({ olds, inputs }: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    const call = new Call(context, this.#accounts);
    const failures = await settingsFailures(undefined, call);
    const id = this.#idIn(inputs);
    // Unchanged settings send nothing. A refresh detects a missing object.
    if (
      failures.length > 0 ||
      id === undefined ||
      (olds !== undefined && this.#hasSameSettings(olds, inputs))
    ) {
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

  #hasSameSettings(olds: PropertyMap, news: PropertyMap): boolean {
    const { inputs: codec, declaredValues } = this.#resource;
    return (
      this.#idIn(olds) === this.#idIn(news) &&
      isDeepStrictEqual(declaredValues(codec.read(olds)), declaredValues(codec.read(news)))
    );
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const state = this.#resource.state.read(olds);
    this.#storedSettings.set(id, this.#knownSettings(olds));
    // The id of an object still to be created is unknown, and differs, too.
    if (this.#idIn(news) !== id) {
      return { replaces: [this.#idProperty] };
    }
    const isDeclared = this.#run.of(context.urn).isDeclared;
    if (isDeclared) {
      this.#run.recordStored(id, context.urn);
    }
    if (marksIn(olds).unfinished !== undefined) {
      return { changes: true };
    }
    const isDrifted =
      isDeclared &&
      !isDeepStrictEqual(this.#resource.assignedValues(state), this.#resource.stateValues(state));
    return this.#isSame(state, news) ? { changes: isDrifted } : {};
  }

  #isSame(state: St, news: PropertyMap): boolean {
    const inputs = this.#resource.inputs.read(news);
    return (
      !Object.values(news).includes(unknownValue) &&
      inputs.onDelete === state.onDelete &&
      isDeepStrictEqual(this.#resource.declaredValues(inputs), this.#resource.stateValues(state))
    );
  }

  create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    requireAllKnown(declared, this.#resource.resource);
    const inputs = this.#resource.inputs.read(declared);
    const id = requireKnown(this.#idIn(declared), this.#idProperty, this.#resource.resource);
    const call = new Call(context, this.#accounts);
    return this.#run.turns.run(id, async () => {
      const outputs = await this.#run.withLastFailure(context.urn, (last) => {
        const known = last === undefined ? nothing : this.#knownSettings(last.outputs);
        return this.#apply(id, inputs, known, call, this.#storedSettings.get(id));
      });
      this.#run.recordCreateResult(id, context.urn);
      return { id, outputs };
    });
  }

  async #apply(id: string, inputs: In, known: KnownSettings, call: Call, former?: KnownSettings) {
    const { state, stateOf, liveValues, require } = this.#resource;
    const found = await require(id, call);
    const { texts } = this.#settings;
    const { report } = call.context;
    const wanted = this.#resource.declaredValues(inputs);
    const plan = this.#settings.plan(id, inputs, liveValues(found), known, former, call);
    const changed = await markUnfinished(
      id,
      // The state keeps the previous values of settings restored by the same request.
      state.write(stateOf(inputs, found, { ...known.previous, ...plan.previous })),
      [...sentSettingsOf(wanted), ...sentSettingsOf(known.set), ...known.sent],
      () => this.#settings.send(id, plan.target, found, call),
    );
    if (Object.keys(plan.restored).length > 0) {
      report.info(texts.restored(id, plan.restored));
    }
    const present = changed ?? found;
    this.#reportReadWarning(present, call);
    if (known === nothing && changed === undefined) {
      // A value set by an interrupted deployment looks like a value of a different program.
      const level = isDeepStrictEqual(plan.previous, wanted) ? "warning" : "info";
      report[level](texts.unchanged(id, wanted, plan.previous));
    }
    return state.write(stateOf(inputs, present, plan.previous));
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const { id, isImport = false } = stored;
    const { texts } = this.#settings;
    const state = this.#resource.state.read(stored.state);
    const call = new Call(context, this.#accounts);
    // The state of a lookup or an import has no `onDelete`.
    const isManaged = state.onDelete !== undefined;
    const row = isManaged ? await this.#rowOf(id, call) : undefined;
    const live = row ?? (await this.#resource[isManaged ? "find" : "require"](id, call));
    if (typeof live === "string") {
      context.report.warning(`${texts.object(id)} is gone: ${live}.`);
      return undefined;
    }
    this.#reportReadWarning(live, call);
    const drift = isManaged
      ? texts.drift(id, this.#resource.stateValues(state), this.#resource.liveValues(live))
      : undefined;
    if (drift !== undefined) {
      context.report.info(drift);
    }
    const read = this.#resource.readState(id, live, isManaged ? state : undefined, isImport);
    const { onDelete = "restore", unfinished } = state;
    const marks = { onDelete: isManaged || isImport ? onDelete : undefined, unfinished };
    return {
      id,
      outputs: this.#resource.state.write({ ...read.state, ...marks }),
      inputs: this.#resource.inputs.write({ ...read.inputs, onDelete }),
    };
  }

  async #rowOf(id: string, call: Call): Promise<Live | undefined> {
    const { list } = this.#resource;
    return list && walkOf(list, undefined, call).take(id, call);
  }

  update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    requireAllKnown(news, this.#resource.resource);
    const inputs = this.#resource.inputs.read(news);
    const call = new Call(context, this.#accounts);
    const update = async (outputs: PropertyMap) => {
      const state = this.#resource.state.read(outputs);
      const known = this.#knownSettings(outputs);
      const wanted = this.#resource.declaredValues(inputs);
      const isSet =
        isDeepStrictEqual(wanted, this.#resource.stateValues(state)) && isDeepStrictEqual(wanted, known.set);
      return isSet && state.unfinished === undefined
        ? this.#resource.state.write({ ...state, ...inputs })
        : this.#apply(id, inputs, known, call);
    };
    return this.#run.turns.run(id, () =>
      this.#run.withLastFailure(context.urn, (last) => update(last?.outputs ?? olds)),
    );
  }

  async delete({ id, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const { onDelete } = this.#resource.state.read(stored);
    const call = new Call(context, this.#accounts);
    const known = this.#knownSettings(stored);
    this.#storedSettings.set(id, known);
    return this.#run.turns.run(id, async () => {
      if (this.#run.deletionFor(id, context.urn) === "stays") {
        context.report.warning(this.#settings.texts.transferred(id, known.previous));
      } else if (onDelete !== "keep" || this.#run.isToBeCreated(id)) {
        // Even with `keep`: the new resource of a replacement must find the previous values.
        const restore = () => this.#settings.restore(id, known, call);
        await this.#run.withLastDeletion(context.urn, restore);
      }
    });
  }

  get #idProperty(): string {
    return this.#resource.idInput ?? "";
  }

  #idIn(inputs: PropertyMap): string | undefined {
    const { idInput, noun } = this.#resource;
    const id = idInput === undefined ? noun : inputs[idInput];
    return typeof id === "string" ? id : undefined;
  }

  #reportReadWarning(live: Live, { context }: Call): void {
    const concern = this.#resource.readWarning?.(live);
    if (concern !== undefined) {
      context.report.warning(concern);
    }
  }

  #knownSettings(stored: PropertyMap): KnownSettings {
    const state = this.#resource.state.read(stored);
    return {
      set: this.#resource.assignedValues(state),
      previous: this.#resource.previousValues(state),
      sent: marksIn(stored).unfinished?.settings ?? [],
    };
  }
}

/** Converts values to the form of the mark `unfinished`, in which null becomes a missing `value`. */
function sentSettingsOf(values: Values): SentSetting[] {
  return Object.entries(values).map(([name, value]) => (value === null ? { name } : { name, value }));
}

/** Kind whose resources set values of existing objects. */
export function borrowedKind<In extends Borrowed, St extends Borrowed, Live>(
  resource: BorrowedSettings<In, St, Live>,
): Kind {
  return { ...resource, lifecycle: (accounts) => new BorrowedLifecycle(resource, accounts) };
}
