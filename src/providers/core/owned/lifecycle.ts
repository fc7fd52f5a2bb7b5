import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../../text/words.js";
import { Accounts, Call } from "../../call.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  type Created,
  type DiffRequest,
  type DiffResult,
  type LifecycleContext,
  PartiallyCreatedError,
  type PreviewRequest,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
} from "../../lifecycle.js";
import { type PropertyMap, requireAllKnown, requireKnown } from "../../properties.js";
import type { DeclaredOfKnown } from "../declared.js";
import { noteIfPossible } from "../requests.js";
import { memoOfNames, OwnedChecks } from "./checks.js";
import type { LiveObject, Named, OwnedResource } from "./declaration.js";
import { Issuer } from "./issuer.js";
import { OwnedObjects } from "./objects.js";

/** The life cycle of objects that a resource creates, which have a name and an id. */
export class OwnedLifecycle<In extends Named, St extends Named, Live extends LiveObject>
  implements ResourceLifecycle
{
  readonly #resource: OwnedResource<In, St, Live>;
  readonly #accounts: Accounts;
  readonly #objects: OwnedObjects<In, St, Live>;
  readonly #checks: OwnedChecks<In, St, Live>;
  readonly #issuer: Issuer<In, St, Live> | undefined;

  constructor(resource: OwnedResource<In, St, Live>, accounts = new Accounts()) {
    this.#resource = resource;
    this.#accounts = accounts;
    this.#objects = new OwnedObjects(resource);
    this.#checks = new OwnedChecks(resource, this.#objects);
    const { issued } = resource;
    this.#issuer = issued && new Issuer(issued, this.#objects);
  }

  check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    return this.#checks.check(request, new Call(context, this.#accounts));
  }

  preview(request: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    return this.#checks.preview(request, new Call(context, this.#accounts));
  }

  diff({ id: resourceId, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const { urn } = context;
    const call = new Call(context, this.#accounts);
    const state = this.#resource.state.read(olds);
    const id = this.#presentId(resourceId, state);
    const inputs = this.#resource.inputs.readDeclared(news);
    // In a refresh, nothing is declared, and the old outputs are those of the live object.
    const isDeclared = this.#objects.run.declared.has(urn);
    if (isDeclared) {
      this.#objects.run.use(id, urn);
      for (const former of this.#formerIds(state)) {
        this.#objects.run.keep(former);
      }
    }
    const journal = this.#objects.compare(id, state, isDeclared, call);
    const replaces = this.#replaces(state, inputs);
    const { name, projectId } = state;
    if (replaces.length > 0) {
      this.#objects.run.replace({ id, name, projectId, state: olds }, urn);
      if (isDeclared) {
        this.#resource.onReplacement?.(state, inputs, call);
      }
      const found = { ...(this.#objects.run.hasSameInputs(urn) ? { changes: true } : {}), replaces };
      return this.#issuer === undefined ? { ...found, deleteBeforeReplace: true } : found;
    }
    const { rotates } = this.#resource.issued ?? {};
    const why =
      isDeclared && rotates !== undefined
        ? this.#issuer?.whyUpdate(id, state, inputs, journal.mayBeGone)
        : undefined;
    if (why !== undefined) {
      context.report.info(why);
      return { changes: true };
    }
    if (journal.mayBeGone && rotates === undefined) {
      return this.#objects.replaceInDoubt({ id, name, projectId }, this.#objects.nameInput, isDeclared, call);
    }
    const isUnfinished = olds.unfinished !== undefined;
    if (state.name === inputs.name && this.#differing(state, inputs).length === 0) {
      return { changes: isUnfinished || journal.isInDoubt };
    }
    // The engine compares inputs, which may be those that could not be reached before.
    return isUnfinished ? { changes: true } : {};
  }

  unknownAfterUpdate({ olds, news }: DiffRequest): readonly string[] {
    const { issued, state, inputs } = this.#resource;
    const why = issued?.rotates?.whyRotate(state.read(olds), inputs.readDeclared(news));
    return why === undefined ? [] : (issued?.rotates?.rotatedOutputs ?? []);
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    requireAllKnown(declared, this.#resource.resource);
    const inputs = this.#resource.inputs.read(declared);
    const name = requireKnown(inputs.name, this.#objects.nameInput, this.#resource.resource);
    const call = new Call(context, this.#accounts);
    if (this.#issuer !== undefined) {
      const { id, state } = await this.#issuer.create(inputs, call);
      return { id, outputs: this.#resource.state.write(state) };
    }
    const { live: found, isNew } = await this.#objects.findOrCreate(inputs, name, call);
    const { id } = found;
    this.#objects.run.create(id, context.urn);
    const live = isNew
      ? found
      : await this.#objects.run.inTurn(id, () => this.#objects.change(found, inputs, undefined, call));
    this.#objects.entries(call).dropHandedDown();
    return { id, outputs: await this.#completed(live, inputs, undefined, call) };
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const { report } = context;
    const { isInProject = false, inputs, state: codec } = this.#resource;
    const { isImport = false } = stored;
    const { texts } = this.#objects;
    const call = new Call(context, this.#accounts);
    const known = codec.read(stored.state);
    const found = await this.#objects.read(stored, known, call);
    const { id, projectId, live, isManaged } = found;
    if (live === undefined) {
      report.warning(texts.goneFromState(found.presentId));
      const left = await this.#resource.handDown?.(found.presentId, known, call);
      if (left !== undefined) {
        const entries = this.#objects.entries(call);
        noteIfPossible(report, () => entries.handDown(left), "What it had is forgotten.");
      }
      const former = this.#formerIds(known).map((each) => ({ id: each }));
      if (former.length > 0) {
        report.warning(texts.unmanaged(former, "rotated"));
      }
      return undefined;
    }
    const concern = this.#resource.concern?.(live, isImport);
    if (concern !== undefined) {
      report.warning(concern);
    }
    const read = this.#resource.stateOf(live, undefined, known);
    const state = isInProject ? { ...read, projectId } : read;
    for (const message of isManaged ? this.#drift(live.id, known, state) : []) {
      report.info(message);
    }
    const complete = this.#resource.withDefaults?.(state) ?? (state as DeclaredOfKnown<In> & St);
    const memo = memoOfNames.write({
      ...(isInProject ? { projectDefaulted: found.isDefaulted } : {}),
      autoName: { name: live.name ?? undefined, projectId: isInProject ? projectId : undefined },
    });
    return {
      id,
      outputs: codec.write(isManaged || isImport ? complete : state),
      inputs: inputs.write(this.#resource.inputsIn?.(complete) ?? complete),
      // A program that gives no name leaves the object the one it has.
      ...(isImport ? { memo } : {}),
    };
  }

  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    const state = this.#resource.state.read(olds);
    requireAllKnown(news, this.#resource.resource);
    const inputs = this.#resource.inputs.read(news);
    const call = new Call(context, this.#accounts);
    if (this.#issuer !== undefined) {
      const presentId = this.#presentId(id, state);
      return this.#resource.state.write(await this.#issuer.update(presentId, state, inputs, call));
    }
    await this.#objects.creations.settleAll([id], call);
    const live = await this.#objects.run.inTurn(id, async () => {
      const present = await this.#resource.find(id, state.projectId, call);
      if (present === undefined) {
        // The entry stays until a refresh has seen it: else the next deployment would end well.
        throw this.#objects.texts.gone(id);
      }
      return this.#objects.change(present, inputs, state, call);
    });
    return this.#completed(live, inputs, state, call);
  }

  async delete({ id: resourceId, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const { report, urn } = context;
    const call = new Call(context, this.#accounts);
    const { texts } = this.#objects;
    const state = this.#resource.state.read(stored);
    const id = this.#presentId(resourceId, state);
    const former = this.#formerIds(state);
    if (!(await this.#objects.mustGo(id, state, former, call))) {
      return;
    }
    const target = { id, name: state.name ?? null };
    const outcome = this.#resource.onDelete?.(state) ?? "remove";
    if (outcome === "remove") {
      await this.#resource.issued?.beforeRemoval?.([id, ...former], state, call);
      await this.#objects.handDown(id, state, call);
      // The present one last: a refresh that finds it gone forgets the former ones.
      for (const each of [...former.map((formerId) => ({ id: formerId, name: null })), target]) {
        await this.#objects.deletions.remove(each, state, call);
      }
      return;
    }
    if (outcome === "retire") {
      await this.#objects.retire(target, state, call);
    } else {
      report.info(`The ${texts.object(target)} stays, as "onDelete" says.`);
      const entries = this.#objects.entries(call);
      entries.drop(entries.about(id));
      entries.gone(id);
    }
    if (this.#objects.run.declared.has(urn)) {
      // Its successor must know whose object has its name.
      noteIfPossible(report, () => this.#objects.creations.leave(target, state.projectId, call));
    }
  }

  hasLeftovers(context: LifecycleContext): boolean {
    return this.#objects.leftovers.hasToUndo(new Call(context, this.#accounts));
  }

  end(isUpdate: boolean | undefined, context: LifecycleContext): Promise<void> {
    return this.#objects.leftovers.end(isUpdate, new Call(context, this.#accounts));
  }

  #presentId(id: string, state: St): string {
    return this.#resource.issued?.rotates?.idOf(id, state) ?? id;
  }

  #formerIds(state: St): readonly string[] {
    return this.#resource.issued?.rotates?.formerIdsOf(state) ?? [];
  }

  /** Inputs whose change replaces the object. */
  #replaces(state: St, inputs: DeclaredOfKnown<In>): readonly string[] {
    const { types } = this.#resource.inputs;
    const names = Object.keys(types) as (keyof In & keyof St & string)[];
    const marked = names.filter((input) => types[input]?.replaces);
    const differing = marked.filter((input) => !isDeepStrictEqual(state[input], inputs[input]));
    return this.#resource.replaces?.(state, inputs) ?? differing;
  }

  /** What differs besides the name. */
  #differing(state: St, inputs: DeclaredOfKnown<In>): readonly string[] {
    return this.#resource.differing?.(state, inputs).filter((each) => each !== "name") ?? [];
  }

  /** What was changed outside of this program, one sentence each. */
  #drift(id: string, known: St, live: St): readonly string[] {
    const { texts } = this.#objects;
    const changed = this.#differing(known, live as DeclaredOfKnown<In> & St);
    const byName = changed.length === 0 ? [] : [texts.changed(id, changed)];
    return [
      ...(known.name === live.name || this.#resource.naturalName
        ? []
        : [texts.renamed(id, known.name, live.name)]),
      ...(this.#resource.drift?.(id, known, live) ?? byName),
    ];
  }

  /** The outputs of an object, once what follows its creation or change has happened. */
  async #completed(live: Live, inputs: In, known: St | undefined, call: Call): Promise<PropertyMap> {
    const { id } = live;
    const state = this.#resource.stateOf(live, inputs, known);
    const outputs = this.#resource.state.write(state);
    let isGone = false;
    try {
      isGone = (await this.#resource.afterwards?.(live, inputs, state, call)) === "gone";
    } catch (error) {
      const why = messageOf(error);
      throw new PartiallyCreatedError(id, { ...outputs, unfinished: why }, [why]);
    }
    if (isGone) {
      throw this.#objects.texts.gone(id);
    }
    return outputs;
  }
}
