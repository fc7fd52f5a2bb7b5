import { defaultProjectId } from "../../../config.js";
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
  splitImportId,
} from "../../lifecycle.js";
import { type PropertyMap, requireKnown } from "../../properties.js";
import { ifReadable } from "../readable.js";
import { noteIfPossible } from "../requests.js";
import { Run } from "../run.js";
import { memoOfNames, OwnedChecks } from "./checks.js";
import type { LiveObject, Named, OwnedResource } from "./declaration.js";
import { OwnedObjects } from "./objects.js";

/** The life cycle of objects that a resource creates, which have a unique name and an id. */
export class OwnedLifecycle<In extends Named, St extends Named, Live extends LiveObject>
  implements ResourceLifecycle
{
  readonly #resource: OwnedResource<In, St, Live>;
  readonly #accounts: Accounts;
  readonly #run = new Run();
  readonly #objects: OwnedObjects<In, St, Live>;
  readonly #checks: OwnedChecks<In, St, Live>;

  constructor(resource: OwnedResource<In, St, Live>, accounts = new Accounts()) {
    this.#resource = resource;
    this.#accounts = accounts;
    this.#objects = new OwnedObjects(resource, this.#run);
    this.#checks = new OwnedChecks(resource, this.#run, this.#objects);
  }

  check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    return this.#checks.check(request, new Call(context, this.#accounts));
  }

  preview(request: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    return this.#checks.preview(request, new Call(context, this.#accounts));
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const { urn } = context;
    const call = new Call(context, this.#accounts);
    const state = this.#resource.state.read(olds);
    const inputs = this.#resource.inputs.readDeclared(news);
    const settings = this.#objects.settings(state);
    const entries = this.#objects.entries(call);
    // In a refresh, nothing is declared, and the old outputs are those of the live object.
    const isDeclared = this.#run.declared.has(urn);
    if (isDeclared) {
      this.#run.use(id, urn);
    }
    const journal = ifReadable(call, () => {
      if (isDeclared) {
        entries.declare(id);
        entries.seen(id, settings);
      }
      return { isInDoubt: entries.isInDoubt(id, settings), mayBeGone: entries.about(id)?.op === "remove" };
    });
    const replaces = this.#resource.replaces?.(state, inputs) ?? [];
    if (replaces.length > 0) {
      this.#run.replaced.add(urn);
      return { replaces, deleteBeforeReplace: true };
    }
    if (journal?.mayBeGone === true) {
      // The engine replaces it: the deletion finds out, and the creation makes what is missing.
      context.report.info(
        `An interrupted deployment may have deleted ${this.#objects.texts.object({ id })}. Replacing it to make sure it exists.`,
      );
      this.#run.replaced.add(urn);
      if (isDeclared) {
        this.#run.inDoubt.add(id);
      }
      return { changes: true, replaces: ["name"], deleteBeforeReplace: true };
    }
    const isUnfinished = olds.unfinished !== undefined || (journal?.isInDoubt ?? true);
    return this.#resource.isSame(state, inputs) ? { changes: isUnfinished } : {};
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    const inputs = this.#resource.inputs.read(declared);
    const name = requireKnown(inputs.name, "name", this.#resource.resource);
    const call = new Call(context, this.#accounts);
    const { live: found, isNew } = await this.#objects.findOrCreate(inputs, name, call);
    const { id } = found;
    this.#run.create(id, context.urn);
    const known = isNew ? undefined : this.#resource.known?.(found);
    const live = isNew
      ? found
      : await this.#run.objects.run(id, () => this.#objects.change(found, inputs, known, call));
    return { id, outputs: await this.#completed(live, inputs, known, call) };
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const { report } = context;
    const { noun, isInProject = false, inputs, state: codec } = this.#resource;
    const { texts } = this.#objects;
    const call = new Call(context, this.#accounts);
    const known = codec.read(stored.state);
    const { isImport = false } = stored;
    const isLookup = known[this.#resource.essential] === undefined && !isImport;
    const named = isImport && isInProject ? splitImportId(stored.id, `a ${noun}`) : { id: stored.id };
    // A lookup knows only the project of the settings. What is deployed stays where it is.
    const fallback = isInProject && (isLookup || isImport) ? defaultProjectId(call.settings) : undefined;
    const projectId = named.projectId ?? known.projectId ?? fallback;
    const live = await this.#resource.find(named.id, projectId, call);
    if (live === undefined) {
      if (isLookup || isImport) {
        // If it were reported as gone, the engine would continue without its outputs.
        throw texts.notFound(named.id, projectId);
      }
      report.warning(texts.goneFromState(named.id));
      return undefined;
    }
    const state = { ...this.#resource.stateOf(live, undefined, known), projectId };
    if (!isLookup && !isImport) {
      for (const message of this.#resource.drift(live.id, known, state)) {
        report.info(message);
      }
    }
    const memo = memoOfNames.write({
      ...(isInProject ? { projectDefaulted: named.projectId === undefined } : {}),
      autoName: { name: live.name ?? undefined, projectId },
    });
    return {
      id: live.id,
      outputs: codec.write(isLookup ? state : this.#resource.withDefaults(state)),
      inputs: inputs.write(this.#resource.withDefaults(state)),
      // A program that gives no name leaves the object the one it has.
      ...(isImport ? { memo } : {}),
    };
  }

  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    const state = this.#resource.state.read(olds);
    const inputs = this.#resource.inputs.read(news);
    if (news.name !== undefined) {
      requireKnown(inputs.name, "name", this.#resource.resource);
    }
    const call = new Call(context, this.#accounts);
    await this.#objects.creations.settleAll(id, call);
    const live = await this.#run.objects.run(id, async () => {
      const present = await this.#resource.find(id, state.projectId, call);
      if (present === undefined) {
        // The entry stays until a refresh has seen it: else the next deployment would end well.
        throw this.#objects.texts.gone(id);
      }
      return this.#objects.change(present, inputs, state, call);
    });
    return this.#completed(live, inputs, state, call);
  }

  async delete({ id, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const { report, urn } = context;
    const call = new Call(context, this.#accounts);
    const { texts } = this.#objects;
    const state = this.#resource.state.read(stored);
    const isReplaced = this.#run.declared.has(urn);
    this.#run.ended.add(urn);
    if (this.#run.isCreated(id)) {
      report.info(`Keeping ${texts.object({ id })}: another resource of this deployment has reused it.`);
      return;
    }
    const entries = this.#objects.entries(call);
    if (this.#run.inDoubt.has(id)) {
      const live = await this.#resource.find(id, state.projectId, call);
      if (live !== undefined) {
        report.info(`Keeping ${texts.object({ id })}: it exists.`);
        this.#objects.creations.leave(live, state.projectId, call);
        entries.drop(entries.about(id));
        return;
      }
    }
    if (!isReplaced) {
      // Nothing replaces it, so what an interrupted run may have left goes as well.
      await this.#objects.creations.settleAll(id, call);
    }
    const target = { id, name: state.name ?? null };
    const outcome = this.#resource.onDelete?.(state) ?? "remove";
    if (outcome === "remove") {
      await this.#objects.remove(target, state, call);
      return;
    }
    if (outcome === "retire") {
      await this.#objects.retire(target, state, call);
    } else {
      report.info(`The ${texts.object(target)} stays, as "onDelete" says.`);
      entries.drop(entries.about(id));
      entries.gone(id);
    }
    if (isReplaced) {
      // Its successor must know whose object has its name.
      noteIfPossible(report, () => this.#objects.creations.leave(target, state.projectId, call));
    }
  }

  hasLeftovers(context: LifecycleContext): boolean {
    return this.#objects.creations.hasLeftovers(new Call(context, this.#accounts));
  }

  end(isUpdate: boolean | undefined, context: LifecycleContext): Promise<void> {
    return this.#objects.creations.end(isUpdate, new Call(context, this.#accounts));
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
      const why = error instanceof Error ? error.message : String(error);
      throw new PartiallyCreatedError(id, { ...outputs, unfinished: why }, [why]);
    }
    if (isGone) {
      throw this.#objects.texts.gone(id);
    }
    return outputs;
  }
}
