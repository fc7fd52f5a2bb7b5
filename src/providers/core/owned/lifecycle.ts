import { defaultProjectId } from "../../../config.js";
import { LookupError } from "../../../errors.js";
import { foldedName, isSameName } from "../../auto-name.js";
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
  PartiallyCreatedError,
  type PreviewRequest,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
  splitImportId,
} from "../../lifecycle.js";
import { readInPreview, settingsFailures } from "../../look.js";
import {
  boolean,
  object,
  Properties,
  type PropertyMap,
  requireKnown,
  string,
  unknownValue,
} from "../../properties.js";
import type { Declared } from "../declared.js";
import { isOpen, isToSeek, type NotedEntry } from "../entries.js";
import { ifReadable } from "../readable.js";
import { noteIfPossible } from "../requests.js";
import { Run } from "../run.js";
import type { LiveObject, Named, OwnedResource } from "./declaration.js";
import { OwnedObjects } from "./objects.js";

/** What `check` wants to find again in its next call. */
const memoOfNames = new Properties({
  /** The project came from the settings. */
  projectDefaulted: boolean,
  /** The automatic name, and the project that it was made for. */
  autoName: object({ name: string, projectId: string }),
});

/** The life cycle of objects that a resource creates, which have a unique name and an id. */
export class OwnedLifecycle<In extends Named, St extends Named, Live extends LiveObject>
  implements ResourceLifecycle
{
  readonly #resource: OwnedResource<In, St, Live>;
  readonly #accounts: Accounts;
  readonly #run = new Run();
  readonly #objects: OwnedObjects<In, St, Live>;

  constructor(resource: OwnedResource<In, St, Live>, accounts = new Accounts()) {
    this.#resource = resource;
    this.#accounts = accounts;
    this.#objects = new OwnedObjects(resource, this.#run);
  }

  async check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    const { inputs: codec, isInProject = false } = this.#resource;
    const { news, isPreview = false } = request;
    const { urn } = context;
    const call = new Call(context, this.#accounts);
    const olds = request.olds && codec.read(request.olds);
    const known = memoOfNames.read(request.memo ?? {});
    const declared = codec.readDeclared(this.#resource.normalized?.(news) ?? news);
    const isDefaulted = isInProject && declared.projectId === undefined;
    let projectId: Declared<string>;
    const failures = failuresFrom(() => {
      const { settings } = call;
      // A changed default never moves what is deployed.
      const keeps = isDefaulted && olds !== undefined && known.projectDefaulted === true;
      projectId = keeps ? olds.projectId : isDefaulted ? defaultProjectId(settings) : declared.projectId;
      return this.#resource.failures(news, olds, settings.apiKey);
    });
    const automatic =
      news.name === undefined && projectId !== unknownValue
        ? this.#autoName(urn, projectId, known)
        : undefined;
    const name = declared.name ?? automatic ?? (projectId === unknownValue ? unknownValue : undefined);
    if (failures.length === 0) {
      failures.push(...this.#rivals(name, projectId, olds === undefined, call));
    }
    const inputs = codec.write(this.#resource.complete({ ...declared, name, projectId }, news, olds));
    const memo = memoOfNames.write({
      ...(isInProject ? { projectDefaulted: isDefaulted } : {}),
      ...(automatic === undefined ? {} : { autoName: { name: automatic, projectId: projectId as string } }),
    });
    if (isPreview && failures.length === 0) {
      failures.push(...(await this.preview({ olds: request.olds, inputs, memo }, context)));
    }
    // Invalid inputs are not repeated: one of them may be a secret.
    return failures.length > 0 ? { inputs: {}, failures } : { inputs, failures, memo };
  }

  /** The failure of a name that another resource of the program has as well. */
  #rivals(name: Declared<string>, projectId: Declared<string>, isNew: boolean, call: Call): CheckFailure[] {
    const { resource, isInProject = false } = this.#resource;
    const isKnown = typeof name === "string" && projectId !== unknownValue;
    const claim = isKnown ? `${projectId ?? ""}/${foldedName(name)}` : undefined;
    const rival = this.#run.declare(call.context.urn, claim, isNew);
    ifReadable(call, () => this.#objects.entries(call).declare());
    const where = isInProject ? "a project" : "the organization";
    const reason = `Two ${resource}s of this program have the name "${String(name)}"; the other one is ${rival}. Names are unique in ${where}, whatever their case. Give one of them another "name", or leave it out.`;
    return rival === undefined ? [] : [{ property: "name", reason }];
  }

  /** The automatic name stays, also when an alias renames the resource. */
  #autoName(
    urn: string | undefined,
    projectId: string | undefined,
    { autoName: known }: ReturnType<typeof memoOfNames.read>,
  ): string | undefined {
    if (urn === undefined) {
      return undefined;
    }
    return known !== undefined && known.projectId === projectId
      ? known.name
      : this.#objects.autoName(urn, projectId);
  }

  async preview({ olds, inputs, memo }: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    const call = new Call(context, this.#accounts);
    const { isInProject = false, inputs: codec } = this.#resource;
    const declared = codec.readDeclared(inputs);
    const { name, projectId } = codec.read(inputs);
    const old = olds && codec.read(olds);
    const isDefaulted = !isInProject || memoOfNames.read(memo ?? {}).projectDefaulted === true;
    const failures = await settingsFailures(projectId, call, isDefaulted ? "" : "projectId");
    if (failures.length > 0 || declared.projectId === unknownValue) {
      return failures;
    }
    failures.push(...((await this.#resource.previewFailures?.(declared, old, call)) ?? []));
    const isMoved = old !== undefined && old.projectId !== projectId;
    const isKept = old !== undefined && old.name === name && !isMoved;
    if (failures.length > 0 || name === undefined || isKept || this.#run.replaced.has(context.urn)) {
      return failures;
    }
    const holder = await readInPreview(call, (limited) => this.#resource.holderOf(name, projectId, limited));
    // Names are unique: what has our old name is our own object.
    if (holder === undefined || (!isMoved && isSameName(old?.name, holder.name))) {
      return [];
    }
    return this.#holderFailures(holder, { name, projectId }, old !== undefined && !isMoved, call);
  }

  /** What it means for a deployment that somebody has the name. `isRenamed`: the object stays. */
  #holderFailures(
    holder: Live,
    key: { readonly name: string; readonly projectId: string | undefined },
    isRenamed: boolean,
    call: Call,
  ): CheckFailure[] {
    const { urn, report } = call.context;
    const ownership = ifReadable(call, () => this.#objects.ownershipOf(holder, key, call));
    if (ownership === "noted") {
      return [];
    }
    // Only a new resource reuses an object by its name alone.
    if (ownership === "automatic" && !isRenamed) {
      if (this.#resource.isDormant?.(holder) !== true) {
        report.warning(this.#objects.unnoted(holder, "preview"));
      }
      return [];
    }
    const taken = this.#objects.texts.nameTaken(key.name, holder).message;
    if (isRenamed || this.#run.otherUser(holder.id, urn) !== undefined) {
      return [{ property: "name", reason: taken }];
    }
    // It may be the one that a forced replacement of this resource is about to delete.
    report.warning(`${taken} The deployment fails unless it frees that name.`);
    return [];
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
      this.#run.inDoubt.add(id);
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
    const isLookup = known.name === undefined && !isImport;
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
      report.warning(
        `${texts.subject({ id: named.id })} is gone: the service does not have it any more. "pulumi up" creates it again.`,
      );
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
    requireKnown(inputs.name, "name", this.#resource.resource);
    const call = new Call(context, this.#accounts);
    await this.#objects.clearCreations(id, call);
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
        this.#objects.leave(live, state.projectId, call);
        entries.drop(entries.about(id));
        return;
      }
    }
    if (!isReplaced) {
      // Nothing replaces it, so what an interrupted run may have left goes as well.
      await this.#objects.clearCreations(id, call);
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
      noteIfPossible(report, () => this.#objects.leave(target, state.projectId, call));
    }
  }

  hasLeftovers(context: LifecycleContext): boolean {
    return this.#objects
      .entries(new Call(context, this.#accounts))
      .leftovers()
      .some((entry) => isToUndo(entry) && !this.#run.knows(entry.urn));
  }

  async end(isUpdate: boolean | undefined, context: LifecycleContext): Promise<void> {
    const call = new Call(context, this.#accounts);
    const entries = this.#objects.entries(call);
    const leftovers = entries.leftovers().filter(({ urn }) => !this.#run.knows(urn));
    entries.conclude();
    if (isUpdate !== true) {
      return;
    }
    entries.forgetRemoved();
    for (const entry of leftovers) {
      if (isToUndo(entry)) {
        await this.#objects.clear(entry, undefined, call.about(entry.urn));
      } else {
        await this.#tell(entry, call.about(entry.urn));
      }
    }
    // What was noted meanwhile is this deployment's as well.
    entries.conclude();
  }

  /**
   * An entry that this update did not meet. Its resource may be in the state all the same, which a
   * run with `--target` does not show. The second such update forgets the entry.
   */
  async #tell(entry: NotedEntry, call: Call): Promise<void> {
    const entries = this.#objects.entries(call);
    if (entry.isUnclaimed === true) {
      entries.drop(entry);
      return;
    }
    const { projectId } = this.#resource.state.read(entry.key ?? {});
    const live =
      entry.op === "create" && entry.id !== undefined
        ? await this.#resource.find(entry.id, projectId, call)
        : undefined;
    if (live !== undefined) {
      call.context.report.warning(this.#objects.texts.unclaimed(live));
    }
    entries.update(entry, { isUnclaimed: true });
  }

  async #completed(live: Live, inputs: In, known: St | undefined, call: Call): Promise<PropertyMap> {
    const state = this.#resource.stateOf(live, inputs, known);
    const outputs = this.#resource.state.write(state);
    try {
      await this.#resource.afterwards?.(live, inputs, state, call);
    } catch (error) {
      if (error instanceof LookupError) {
        throw error;
      }
      const why = error instanceof Error ? error.message : String(error);
      throw new PartiallyCreatedError(live.id, { ...outputs, unfinished: why }, [why]);
    }
    return outputs;
  }
}

/**
 * Whether an update must undo an entry of a resource that nobody declares any more: what a killed
 * deployment created, and what got no answer. No state can have that.
 */
function isToUndo(entry: NotedEntry): boolean {
  return entry.op === "create" && isOpen(entry) && isToSeek(entry);
}
