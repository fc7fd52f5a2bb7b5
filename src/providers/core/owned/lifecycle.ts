import { isDeepStrictEqual } from "node:util";
import { quote } from "../../../text/escape.js";
import { listed, messageOf } from "../../../text/words.js";
import { Accounts, Call } from "../../call.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  type Created,
  type DiffRequest,
  type DiffResult,
  importIdForms,
  type LifecycleContext,
  type PreviewRequest,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
} from "../../lifecycle.js";
import { type PropertyMap, requireAllKnown, requireKnown, unknownValue } from "../../properties.js";
import type { DeclaredOfKnown } from "../declared.js";
import { marksIn, type SentSetting, sentNames, storedFailure } from "../marks.js";
import { markUnfinished } from "../requests.js";
import { memoOfNames, OwnedChecks } from "./checks.js";
import type { AnyResource, LiveObject, Named } from "./declaration.js";
import { Issuer } from "./issuer.js";
import { OwnedObjects } from "./objects.js";

/** Life cycle of a resource that creates and deletes an object of its own, such as a browser pool. */
export class OwnedLifecycle implements ResourceLifecycle {
  readonly importIds: readonly string[];
  readonly #resource: AnyResource;
  readonly #accounts: Accounts;
  readonly #objects: OwnedObjects;
  readonly #checks: OwnedChecks;
  readonly #issuer: Issuer | undefined;

  constructor(resource: AnyResource, accounts = new Accounts(), issuer = Issuer) {
    this.importIds = importIdForms(resource);
    this.#resource = resource;
    this.#accounts = accounts;
    this.#objects = new OwnedObjects(resource, (live, inputs) => this.#canBecome(live, inputs));
    this.#checks = new OwnedChecks(resource, this.#objects);
    const { issued } = resource;
    this.#issuer = issued && new issuer(issued, this.#objects);
  }

  check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    return this.#checks.check(request, new Call(context, this.#accounts));
  }

  preview(request: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    return this.#checks.preview(request, new Call(context, this.#accounts));
  }

  diff({ id: resourceId, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const { urn, report } = context;
    const { run, texts } = this.#objects;
    const { lost, unfinished } = marksIn(olds);
    if (lost !== undefined) {
      return this.#objects.replaceLost(resourceId, context);
    }
    const state = this.#resource.state.read(olds);
    const { presentId: id, formerIds } = this.#objects.idsOf(resourceId, state);
    const inputs = this.#resource.inputs.readDeclared(news);
    // A refresh declares nothing, and passes the outputs of the live object as old outputs.
    const isDeclared = run.of(urn).isDeclared;
    if (isDeclared) {
      run.recordStored(id, urn, formerIds);
      this.#resource.onChange?.(state, inputs, new Call(context, this.#accounts));
    }
    const replaces = this.#replacingInputs(withSent(state), inputs);
    if (replaces.length > 0) {
      run.recordReplacement({ id, name: state.name, projectId: state.projectId, state: olds }, urn);
      const isForced = run.of(urn).isUnchanged || unfinished !== undefined;
      const found = { ...(isForced ? { changes: true } : {}), replaces };
      return this.#issuer === undefined ? { ...found, deleteBeforeReplace: true } : found;
    }
    const why = isDeclared ? this.#issuer?.whyRotate?.(state, inputs) : undefined;
    if (why !== undefined) {
      report.info(`This deployment rotates ${texts.object({ id })}: ${why}.`);
    }
    if (why !== undefined || unfinished !== undefined) {
      // The engine compares inputs, and the state may contain the inputs of the interrupted request.
      return { changes: true };
    }
    const isSame = state.name === inputs.name && this.#differingInputs(state, inputs).length === 0;
    return isSame ? { changes: false } : {};
  }

  unknownAfterUpdate({ olds, news }: DiffRequest): readonly string[] {
    const { state, inputs } = this.#resource;
    return this.#issuer?.unknownAfterUpdate?.(state.read(olds), inputs.readDeclared(news)) ?? [];
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    requireAllKnown(declared, this.#resource.resource);
    const inputs = this.#resource.inputs.read(declared);
    const name = requireKnown(inputs.name, this.#objects.nameInput, this.#resource.resource);
    const call = new Call(context, this.#accounts);
    const { run } = this.#objects;
    if (this.#issuer !== undefined) {
      const { id, state } = await this.#issuer.create(inputs, call);
      return { id, outputs: this.#resource.state.write(state) };
    }
    const { live: found, isNew } = await this.#objects.findOrCreate(inputs, name, call);
    const { id } = found;
    run.recordCreateResult(id, context.urn);
    const outputs = this.#resource.state.write(this.#resource.stateOf(found, inputs, undefined));
    const change = () => run.turns.run(id, () => this.#objects.change(found, inputs, undefined, call));
    const live = isNew ? found : await markUnfinished(id, outputs, this.#sentSettings(inputs, {}), change);
    return { id, outputs: await this.#complete(live, inputs, undefined, call) };
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const { report } = context;
    const { isInProject = false, inputs, state: codec } = this.#resource;
    const { isImport = false } = stored;
    const { texts } = this.#objects;
    const call = new Call(context, this.#accounts);
    const known = codec.read(stored.state);
    if (marksIn(stored.state).lost !== undefined) {
      return { id: stored.id, outputs: stored.state, inputs: inputs.write(known) };
    }
    const found = await this.#objects.read(stored, known, call);
    const { id, projectId, live, isManaged } = found;
    if (live === undefined) {
      report.warning(texts.goneFromState(found.presentId));
      this.#objects.inheritance?.saveGone(found.presentId, known, call);
      const former = found.formerIds.map((each) => ({ id: each }));
      if (former.length > 0) {
        report.warning(texts.unmanaged(former));
      }
      return undefined;
    }
    const concern = this.#resource.readWarning?.(live, isImport);
    if (concern !== undefined) {
      report.warning(concern);
    }
    const read = this.#resource.stateOf(live, undefined, known);
    const state = isInProject ? { ...read, projectId } : read;
    for (const message of isManaged ? this.#drift(live.id, known, state) : []) {
      report.info(message);
    }
    const complete = this.#resource.withDefaults?.(state) ?? state;
    const memo = memoOfNames.write({
      ...(isInProject ? { projectDefaulted: found.isDefaulted } : {}),
      autoName: { name: live.name ?? undefined, projectId: isInProject ? projectId : undefined },
    });
    return {
      id,
      // A read does not show every possible effect of an unfinished request.
      outputs: codec.write({ unfinished: known.unfinished, ...(isManaged || isImport ? complete : state) }),
      inputs: inputs.write(this.#resource.inputsIn?.(complete) ?? complete),
      // Without a declared name, an imported object keeps the present name.
      ...(isImport ? { memo } : {}),
    };
  }

  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    const state = this.#resource.state.read(olds);
    requireAllKnown(news, this.#resource.resource);
    const inputs = this.#resource.inputs.read(news);
    const call = new Call(context, this.#accounts);
    const sent = this.#sentSettings(inputs, state);
    const { presentId } = this.#objects.idsOf(id, state);
    const update = this.#issuer?.update?.bind(this.#issuer, presentId, state, inputs, call);
    if (update !== undefined) {
      return this.#resource.state.write(await markUnfinished(id, olds, sent, update));
    }
    const change = async () => {
      const present = await this.#resource.find(id, state.projectId, call);
      if (present === undefined) {
        throw this.#objects.texts.goneError(id);
      }
      return this.#objects.change(present, inputs, state, call);
    };
    const live = await markUnfinished(id, olds, sent, () => this.#objects.run.turns.run(id, change));
    return this.#complete(live, inputs, state, call);
  }

  async delete({ id: resourceId, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const call = new Call(context, this.#accounts);
    const { run, texts, inheritance } = this.#objects;
    const { urn, report } = context;
    const state = this.#resource.state.read(stored);
    const { lost } = marksIn(stored);
    if (lost !== undefined) {
      return this.#objects.undoLost(lost, state, call);
    }
    const { presentId: id, formerIds } = this.#objects.idsOf(resourceId, state);
    const target = { id, name: state.name ?? null };
    if (run.deletionFor(id, urn) === "stays") {
      report.info(`Keeping ${texts.object({ id })}: this deployment reuses it.`);
      return;
    }
    if ((await this.#resource.keeps?.(target, state, call)) === true) {
      return;
    }
    await this.#issuer?.beforeRemoval?.([id, ...formerIds], state, call);
    const { isDeclared } = run.of(urn);
    if (isDeclared && (await this.#objects.hasFollowed(id, state, call))) {
      report.info(`Keeping ${texts.object({ id })}: the service has carried the new name over to it.`);
      return;
    }
    if (isDeclared) {
      await inheritance?.save(id, state, call);
    }
    // The present object last: a refresh without a present object forgets the former objects.
    for (const each of [...formerIds.map((formerId) => ({ id: formerId, name: null })), target]) {
      await this.#objects.remove(each, state, call);
    }
  }

  #replacingInputs(state: Named, inputs: DeclaredOfKnown<Named>): readonly string[] {
    const { types } = this.#resource.inputs;
    const names = Object.keys(types) as (keyof Named)[];
    const differing = names.filter(
      (input) => types[input]?.replaces && !isDeepStrictEqual(state[input], inputs[input]),
    );
    return this.#resource.replacingInputs?.(state, inputs) ?? differing;
  }

  #canBecome(live: LiveObject, inputs: Named): boolean {
    const state = this.#resource.stateOf(live, inputs, undefined);
    return this.#replacingInputs({ ...state, projectId: inputs.projectId }, inputs).length === 0;
  }

  #differingInputs(state: Named, inputs: DeclaredOfKnown<Named>): readonly string[] {
    return this.#resource.differingInputs?.(state, inputs).filter((each) => each !== "name") ?? [];
  }

  /** Names of settings that this update, or an earlier update without a response, may have changed. */
  #sentSettings(inputs: Named, state: Named): readonly SentSetting[] {
    const names = Object.keys(inputs) as (keyof Named)[];
    const differing = names.filter((name) => !isDeepStrictEqual(inputs[name], state[name]));
    return [...new Set([...sentNames(state), ...differing])].map((name) => ({ name }));
  }

  #drift(id: string, known: Named, live: Named): readonly string[] {
    const subject = this.#objects.texts.subject({ id });
    const [from, to] = [quote(known.name ?? ""), quote(live.name ?? "")];
    const isRenamed = known.name !== live.name && this.#resource.naturalName === undefined;
    const names = this.#differingInputs(known, live);
    const changed = [`${subject} was changed outside of this program: its ${listed(names)}.`];
    return [
      ...(isRenamed ? [`${subject} was renamed outside of this program: from ${from} to ${to}.`] : []),
      ...(this.#resource.drift?.(id, known, live) ?? (names.length === 0 ? [] : changed)),
    ];
  }

  /** After a create or an update: waits for the effects, such as ready browsers, and returns the outputs. */
  async #complete(live: LiveObject, inputs: Named, known: Named | undefined, call: Call) {
    const { id } = live;
    const state = this.#resource.stateOf(live, inputs, known);
    // The object is as declared.
    const outputs = this.#resource.state.write({ ...state, unfinished: undefined });
    let isGone = false;
    try {
      isGone = (await this.#resource.waitUntilReady?.(live, inputs, state, call)) === "gone";
    } catch (error) {
      const reason = messageOf(error);
      throw storedFailure(id, { ...outputs, unfinished: { reason } }, new Error(reason, { cause: error }));
    }
    if (isGone) {
      throw this.#objects.texts.goneError(id);
    }
    return outputs;
  }
}

/**
 * Adds to a state, as unknown values, settings missing there that a request without a response may have set.
 * To `diff`, such settings differ: a setting that no update can clear then causes a replacement.
 */
function withSent(state: Named): Named {
  return { ...Object.fromEntries(sentNames(state).map((name) => [name, unknownValue])), ...state };
}
