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
  type Kind,
  type LifecycleContext,
  type PreviewRequest,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
} from "../../lifecycle.js";
import { type PropertyMap, requireAllKnown, requireKnown } from "../../properties.js";
import { removeInParent, writeInParent } from "../../reads/parents.js";
import type { DeclaredOfKnown } from "../declared.js";
import {
  addToMark,
  type LostCreation,
  marksIn,
  type Named,
  type SentSetting,
  sentNames,
  storedFailure,
  withMark,
  withSent,
} from "../marks.js";
import { markUnfinished } from "../requests.js";
import { memoOfNames, OwnedChecks } from "./checks.js";
import type { AnyResource, LiveObject, Rotation } from "./declaration.js";
import type { Finder } from "./finder.js";
import { earlierReason, Issuer } from "./issuer.js";
import { OwnedObjects, type StoredLoss } from "./objects.js";

/** Life cycle of a resource that creates and deletes an object of its own, such as a browser pool. */
export class OwnedLifecycle implements ResourceLifecycle {
  readonly importIds: readonly string[];
  readonly #resource: AnyResource;
  readonly #accounts: Accounts;
  readonly #objects: OwnedObjects;
  readonly #checks: OwnedChecks;
  readonly #finder: Finder;
  readonly #issuer: Issuer | undefined;
  readonly #rotation: Rotation | undefined;

  constructor(
    resource: AnyResource,
    accounts = new Accounts(),
    rotation?: new (issuer: Issuer, objects: OwnedObjects) => Rotation,
  ) {
    this.importIds = importIdForms(resource);
    this.#resource = resource;
    this.#accounts = accounts;
    this.#objects = new OwnedObjects(resource, {
      canBecome: (live, inputs, sent) => this.#canBecome(live, inputs, sent),
      differing: (live, inputs) => this.#differing(live, inputs),
    });
    this.#finder = this.#objects.finder;
    this.#checks = new OwnedChecks(resource, this.#objects);
    this.#issuer = resource.issued && new Issuer(resource.issued, this.#objects);
    this.#rotation = this.#issuer && rotation && new rotation(this.#issuer, this.#objects);
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
      return this.#objects.replaceLost(this.#lossIn(resourceId, olds, lost), context);
    }
    const state = this.#resource.state.read(olds);
    const { presentId: id, formerIds } = this.#finder.idsOf(resourceId, state);
    const inputs = this.#resource.inputs.readDeclared(news);
    // A refresh declares nothing, and passes the outputs of the live object as old outputs.
    const isDeclared = run.of(urn).isDeclared;
    if (isDeclared) {
      run.recordStored(id, urn, formerIds);
      const call = new Call(context, this.#accounts);
      this.#resource.onKnown?.(id, state, true, call);
      this.#resource.onChange?.(state, inputs, call);
    }
    const replaces = this.#replacingInputs(withSent(state), inputs);
    if (replaces.length > 0) {
      run.recordReplacement({ id, name: state.name, projectId: state.projectId, state: olds }, urn);
      const isForced = run.of(urn).isUnchanged || unfinished !== undefined;
      const found = { ...(isForced ? { changes: true } : {}), replaces };
      const isBeside = this.#issuer !== undefined || this.#resource.createsFirst === true;
      return isBeside ? found : { ...found, deleteBeforeReplace: true };
    }
    const why = isDeclared ? this.#rotation?.whyRotate(state, inputs) : undefined;
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
    return this.#rotation?.unknownAfterUpdate(state.read(olds), inputs.readDeclared(news)) ?? [];
  }

  create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    requireAllKnown(declared, this.#resource.resource);
    const call = new Call(context, this.#accounts);
    const inputs = this.#resource.inputs.read(declared);
    const create = () =>
      this.#objects.run.withLastFailure(context.urn, async (last) =>
        last === undefined || marksIn(last.outputs).lost !== undefined
          ? this.#create(inputs, call)
          : // This run has made the object, but has not finished.
            {
              id: last.id,
              outputs: await this.#update({ id: last.id, olds: last.outputs, news: declared }, call),
            },
      );
    return writeInParent(this.#parentOf(inputs), call, create);
  }

  async #create(inputs: Named, call: Call): Promise<Created> {
    const name = requireKnown(inputs.name, this.#finder.nameInput, this.#resource.resource);
    const { run } = this.#objects;
    if (this.#issuer !== undefined) {
      const { id, state } = await this.#issuer.create(inputs, call);
      return { id, outputs: this.#resource.state.write(state) };
    }
    const { live: found, isNew, known } = await this.#objects.findOrCreate(inputs, name, call);
    const { id } = found;
    run.recordCreateResult(id, call.context.urn);
    const outputs = this.#resource.state.write(this.#resource.stateOf(found, inputs, undefined));
    const change = () => run.turns.run(id, () => this.#objects.change(found, inputs, known, call));
    const live = isNew
      ? found
      : await markUnfinished(id, outputs, this.#sentSettings(inputs, known ?? {}), change);
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
    const found = await this.#finder.read(stored, known, call);
    const { id, projectId, live, isManaged } = found;
    if (found.isArchived) {
      return { id, outputs: stored.state, inputs: inputs.write(this.#resource.inputsIn?.(known) ?? known) };
    }
    if (live === undefined) {
      report.warning(texts.goneFromState(found.presentId));
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
    if (isManaged) {
      this.#resource.onKnown?.(live.id, state, false, call);
    }
    const full = this.#resource.withDefaults?.(state) ?? state;
    // A read does not show every possible effect of an unfinished request, and may find a further one.
    const unfinished = addToMark(known.unfinished, full.unfinished);
    const complete = { ...full, unfinished };
    const memo = memoOfNames.write({
      ...(isInProject ? { projectDefaulted: found.isDefaulted } : {}),
      autoName: { name: live.name ?? undefined, projectId: isInProject ? projectId : undefined },
    });
    return {
      id,
      outputs: codec.write(isManaged || isImport ? complete : { ...state, unfinished }),
      inputs: inputs.write(this.#resource.inputsIn?.(complete) ?? complete),
      // Without a declared name, an imported object keeps the present name.
      ...(isImport ? { memo } : {}),
    };
  }

  update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    requireAllKnown(news, this.#resource.resource);
    const call = new Call(context, this.#accounts);
    const update = () =>
      this.#objects.run.withLastFailure(context.urn, (last) =>
        this.#update({ id, olds: last?.outputs ?? olds, news }, call),
      );
    return writeInParent(this.#parentOf(this.#resource.state.read(olds)), call, update);
  }

  /** Project of an object; undefined for an object of the organization. */
  #parentOf({ projectId }: Named): string | undefined {
    return this.#resource.isInProject === true ? projectId : undefined;
  }

  async #update({ id, olds, news }: DiffRequest, call: Call): Promise<PropertyMap> {
    const codec = this.#resource.state;
    const inputs = this.#resource.inputs.read(news);
    const state = codec.read(olds);
    const { run, texts } = this.#objects;
    const sent = this.#sentSettings(inputs, state);
    const { presentId } = this.#finder.idsOf(id, state);
    const open = (await this.#issuer?.settle(state.unfinished?.requests, call)) ?? [];
    const settled = {
      ...state,
      ...(state.unfinished && { unfinished: { ...state.unfinished, requests: open } }),
    };
    const rotate = this.#rotation?.update.bind(this.#rotation, presentId, settled, inputs, call);
    const outputs = codec.write(settled);
    if (rotate !== undefined) {
      const rotated = codec.write(await markUnfinished(id, outputs, sent, rotate));
      // A request of this run without a response may still arrive.
      const isOpen = open.length > 0 && run.of(call.context.urn).failed !== undefined;
      return isOpen ? withMark(rotated, { reason: earlierReason, requests: open }) : rotated;
    }
    const change = async () => {
      const present = await this.#resource.find(id, state.projectId, call);
      if (present === undefined) {
        throw texts.goneError(id);
      }
      return this.#objects.change(present, inputs, state, call);
    };
    const live = await markUnfinished(id, outputs, sent, () => run.turns.run(id, change));
    return this.#complete(live, inputs, state, call);
  }

  delete(stored: StoredResource, context: LifecycleContext): Promise<void> {
    const call = new Call(context, this.#accounts);
    const state = this.#resource.state.read(stored.state);
    return this.#objects.run.withLastDeletion(context.urn, () =>
      removeInParent(this.#parentOf(state), call, () => this.#delete(stored, state, call)),
    );
  }

  async #delete({ id: resourceId, state: stored }: StoredResource, state: Named, call: Call): Promise<void> {
    const { run, texts } = this.#objects;
    const { urn, report } = call.context;
    const { lost } = marksIn(stored);
    if (lost !== undefined) {
      await (this.#issuer ?? this.#objects).settleLost(this.#lossIn(resourceId, stored, lost), call);
      return;
    }
    const { presentId: id, formerIds } = this.#finder.idsOf(resourceId, state);
    const target = { id, name: state.name ?? null };
    if (run.deletionFor(id, urn) === "stays") {
      report.info(`Keeping ${texts.object({ id })}: this deployment reuses it.`);
      return;
    }
    if ((await this.#resource.keeps?.(target, state, call)) === true) {
      return;
    }
    await this.#resource.refuseRemoval?.([id, ...formerIds], state, call);
    await this.#issuer?.settle(state.unfinished?.requests, call, [id, ...formerIds]);
    const old = run.of(urn).isDeclared ? await this.#replaced(id, state, call) : undefined;
    if (old !== undefined && this.#finder.hasFollowed(old, state, call)) {
      report.info(`Keeping ${texts.object({ id })}: the service has carried the new name over to it.`);
      return;
    }
    this.#objects.reportUndeclared(old, withSent(state), call);
    // The present object last: a refresh without a present object forgets the former objects.
    for (const each of [...formerIds.map((formerId) => ({ id: formerId, name: null })), target]) {
      await this.#objects.remove(each, state, call);
    }
  }

  /** Reads the old object of a replacement. Only a natural name decides anything; else the read serves a message. */
  async #replaced(id: string, { projectId }: Named, call: Call): Promise<LiveObject | undefined> {
    const { find, naturalName, undeclared } = this.#resource;
    if (naturalName === undefined && undeclared === undefined) {
      return undefined;
    }
    return find(id, projectId, call).catch((error: unknown) => {
      if (naturalName !== undefined || call.context.signal.aborted) {
        throw error;
      }
      return undefined;
    });
  }

  #lossIn(id: string, outputs: PropertyMap, request: LostCreation): StoredLoss {
    return { request, sent: this.#resource.inputs.read(outputs), stored: { id, outputs } };
  }

  #replacingInputs(state: Named, inputs: DeclaredOfKnown<Named>): readonly string[] {
    const { types } = this.#resource.inputs;
    const names = Object.keys(types) as (keyof Named)[];
    const differing = names.filter(
      (input) => types[input]?.replaces && !isDeepStrictEqual(state[input], inputs[input]),
    );
    return this.#resource.replacingInputs?.(state, inputs) ?? differing;
  }

  /** `sent`: values that no read shows, such as those of a credential, count as sent. */
  #canBecome(live: LiveObject, inputs: Named, sent?: Named): boolean {
    const state = { ...this.#resource.stateOf(live, inputs, undefined), projectId: inputs.projectId };
    const states = sent === undefined ? [state] : [state, sent];
    return states.every((each) => this.#replacingInputs(each, inputs).length === 0);
  }

  /** Compares as a refresh does: an object as declared has no drift. */
  #differing(live: LiveObject, inputs: Named): readonly string[] {
    const state = { ...this.#resource.stateOf(live, undefined, inputs), projectId: inputs.projectId };
    return [...new Set([...this.#replacingInputs(state, inputs), ...this.#differingInputs(state, inputs)])];
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
      throw storedFailure(id, withMark(outputs, { reason }), new Error(reason, { cause: error }));
    }
    if (isGone) {
      throw this.#objects.texts.goneError(id);
    }
    return outputs;
  }
}

/** Kind whose resources create and delete objects of their own. */
export function ownedKind(
  resource: AnyResource,
  rotation?: ConstructorParameters<typeof OwnedLifecycle>[2],
): Kind {
  return { ...resource, lifecycle: (accounts) => new OwnedLifecycle(resource, accounts, rotation) };
}
