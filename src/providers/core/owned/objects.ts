import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { foldedName } from "../../../client/names.js";
import { isNotFound } from "../../../client/refusals.js";
import { defaultProjectId } from "../../../config.js";
import { ApiError, type ConflictError, type OutcomeUnknownError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import type { Call } from "../../call.js";
import { type CheckFailure, type DiffResult, type StoredResource, splitImportId } from "../../lifecycle.js";
import { type PropertyMap, type PropertyValue, unknownValue } from "../../properties.js";
import type { Declared } from "../declared.js";
import { digestOf } from "../entry.js";
import { continuesAdvice, findUnlessItFails, ifReadable, sendNoted, stillUnknown } from "../requests.js";
import type { ReplacedObject } from "../run.js";
import { isOf, type Key, OwnedCreations, propertiesOf } from "./creations.js";
import type { LiveObject, Named } from "./declaration.js";
import { OwnedDeletions } from "./deletions.js";
import { OwnedKind } from "./kind.js";
import { OwnedLeftovers } from "./leftovers.js";

/** Looks at a name that was freed, and milliseconds between: a list may be behind. */
const freedNameLooksMax = 20;
const freedNameLookEveryMs = 500;

/** The objects of one kind: finds, creates and changes them, and notes what it sends. */
export class OwnedObjects<In extends Named, St extends Named, Live extends LiveObject> extends OwnedKind<
  In,
  St,
  Live
> {
  readonly deletions = new OwnedDeletions(this);
  /** What earlier runs created. */
  readonly creations = new OwnedCreations(this, this.deletions);
  /** What of it the program does not declare. */
  readonly leftovers = new OwnedLeftovers(this, this.creations);

  /**
   * What of a state the journal compares. It keeps a digest of that, and of a secret in it nobody
   * can find the value without the API key.
   */
  settings(state: St, { settings: { apiKey } }: Call): PropertyMap {
    const { incidental, state: codec } = this.resource;
    const settings = Object.entries(codec.write(state)).filter(
      ([name]) => !incidental.some((each) => each === name),
    );
    const sealed = (value: PropertyValue) =>
      createHmac("sha256", apiKey).update(digestOf(value)).digest("hex");
    return Object.fromEntries(
      settings.map(([name, value]) => [name, codec.types[name]?.isSecret ? sealed(value) : value]),
    );
  }

  /** The program declares a resource. The failure of a name that another one has as well. */
  declare(
    name: Declared<string>,
    projectId: Declared<string>,
    isNew: boolean,
    call: Call,
  ): readonly CheckFailure[] {
    const { urn } = call.context;
    const isKnown = typeof name === "string" && projectId !== unknownValue;
    const compared = isKnown && (this.resource.issued === undefined ? foldedName(name) : name);
    const rival = this.run.declare(urn, isKnown ? `${projectId ?? ""}/${compared}` : undefined, isNew);
    ifReadable(call, () => this.entries(call).declare());
    return rival === undefined
      ? []
      : [{ property: this.nameInput, reason: this.texts.rival(String(name), rival) }];
  }

  /** What the journal says of the object that a state has. `isDeclared`: not in a refresh. */
  compare(
    id: string,
    state: St,
    isDeclared: boolean,
    call: Call,
  ): { readonly isInDoubt: boolean; readonly mayBeGone: boolean } {
    const entries = this.entries(call);
    const settings = this.settings(state, call);
    const journal = ifReadable(call, () => {
      if (isDeclared) {
        entries.declare(id);
        entries.seen(id, settings);
      }
      return { isInDoubt: entries.isInDoubt(id, settings), mayBeGone: entries.removalOf(id) !== undefined };
    });
    return journal ?? { isInDoubt: true, mayBeGone: false };
  }

  /**
   * An interrupted deployment may have deleted the object. The engine replaces it: the deletion
   * finds out, and the creation makes what is missing. What cannot be reused is created first, as
   * something may use the old one. `input`: the one that the row shows.
   */
  replaceInDoubt(old: ReplacedObject, input: string, isDeclared: boolean, { context }: Call): DiffResult {
    context.report.info(this.texts.mayBeGone({ id: old.id }));
    this.run.replace(old, context.urn);
    const canBeReused = this.resource.issued === undefined;
    if (isDeclared && canBeReused) {
      this.run.inDoubt.add(old.id);
    }
    return { changes: true, replaces: [input], deleteBeforeReplace: canBeReused };
  }

  /**
   * The object that a state, an import or a lookup names; without one that is gone. Throws
   * `LookupError` for a lookup or an import of nothing, and what `splitImportId` throws.
   */
  async read({ id: given, isImport = false }: StoredResource, known: St, call: Call) {
    const { isInProject = false, noun, essential, issued, find } = this.resource;
    const isManaged = known[essential] !== undefined && !isImport;
    const { id, projectId: named } =
      isImport && isInProject ? splitImportId(given, noun) : { id: given, projectId: undefined };
    // A lookup knows only the project of the settings. What is deployed stays where it is.
    const fallback = isInProject && !isManaged ? defaultProjectId(call.settings) : undefined;
    const projectId = named ?? known.projectId ?? fallback;
    const presentId = issued?.rotates?.idOf(id, known) ?? id;
    const live = await find(presentId, projectId, call);
    if (live === undefined && !isManaged) {
      // If it were reported as gone, the engine would continue without its outputs.
      throw this.texts.notFound(presentId, projectId);
    }
    return { id, presentId, projectId, live, isManaged, isDefaulted: named === undefined };
  }

  /**
   * The object that this resource is to have. Looks before it sends: an earlier run may have
   * created it and lost the answer, or its state was not written. Then it is reused.
   */
  async findOrCreate(inputs: In, name: string, call: Call): Promise<{ live: Live; isNew: boolean }> {
    const { report } = call.context;
    const { projectId } = inputs;
    const key = this.keyOf(inputs, name);
    const own = await this.creations.findOwn(key, call);
    if (own !== undefined) {
      this.entries(call).exists(own.id);
      report.info(
        `The ${this.texts.object(own)} already exists; reusing it. An earlier deployment of this resource created it.`,
      );
      return { live: own, isNew: false };
    }
    const holder = await this.#findHolder(key, call);
    if (holder === undefined) {
      return this.#create(inputs, key, call);
    }
    if (this.creations.ownershipOf(holder, key, call) === undefined) {
      throw this.nameTaken(name, holder, call, this.run.replacedBy(call.context.urn) !== undefined);
    }
    this.entries(call).exists(holder.id);
    // Another process of this deployment may be about to delete it: the provider has changed.
    this.creations.leave(holder, projectId, call, key.identity);
    if (this.resource.isDormant?.(holder) === true) {
      report.info(`The ${this.texts.object(holder)} already exists and is archived; reusing it.`);
    } else if (this.resource.identity !== undefined) {
      report.info(`The ${this.texts.object(holder)} already exists, exactly as declared; reusing it.`);
    } else {
      report.warning(this.texts.unnoted(holder, "update"));
    }
    return { live: holder, isNew: false };
  }

  /** What identifies the object that is declared. */
  keyOf(inputs: In, name: string): Key {
    return { name, projectId: inputs.projectId, identity: this.resource.identity?.(inputs) };
  }

  /** What has a name. What this deployment has deleted may still be listed for a moment. */
  async #findHolder({ name, projectId }: Key, call: Call): Promise<Live | undefined> {
    const entries = this.entries(call);
    for (let looks = 1; ; looks += 1) {
      const holder = await this.resource.holderOf(name, projectId, call);
      if (holder === undefined || looks === freedNameLooksMax || !entries.hasRemoved(holder.id)) {
        return holder;
      }
      await sleep(freedNameLookEveryMs, undefined, call.options);
    }
  }

  /** Sends the creation once. If its outcome is unknown, looks for the name to find out. */
  async #create(inputs: In, key: Key, call: Call): Promise<{ live: Live; isNew: boolean }> {
    const entries = this.entries(call);
    // Names are unique, so what was sent earlier under this one has not arrived and never will.
    const outdated = entries.creations().filter((entry) => isOf(entry, key));
    let isNew = true;
    try {
      const live = await sendNoted(
        entries,
        {
          intent: { op: "create", key: propertiesOf(key) },
          send: () => this.resource.create(inputs, key.name, call),
          answered: ({ id }) => ({ id, answered: "created" }),
          resolve: (outcome) => {
            isNew = false;
            return this.#resolveCreation(key, outcome, call);
          },
        },
        call.context.report,
      );
      for (const earlier of outdated) {
        entries.drop(earlier);
      }
      return { live, isNew };
    } catch (error) {
      throw await this.#explainConflict(error, key, call);
    }
  }

  async #resolveCreation(key: Key, outcome: OutcomeUnknownError, call: Call): Promise<Live> {
    const { name, projectId } = key;
    const { context } = call;
    const { noun } = this.resource;
    context.report.progress("no response to the creation; checking whether it succeeded");
    const found = await findUnlessItFails(async () => {
      const holder = await this.resource.holderOf(name, projectId, call);
      return holder !== undefined && this.creations.hasKey(holder, key) ? holder : undefined;
    }, context);
    if (found !== undefined) {
      context.report.info(
        `The response to the creation was lost, but it succeeded: ${this.texts.object(found)} exists.`,
      );
      return found;
    }
    const { short } = this.texts;
    const interrupted = `The creation of ${noun} ${quote(name)} was interrupted, and the ${short} may exist now or appear later.`;
    const advice = `Run "pulumi up" again: it looks for this ${short} first and creates nothing twice.`;
    throw stillUnknown(outcome, context, interrupted, advice);
  }

  /** Makes a live object as declared. Sends nothing if it is so. */
  async change(live: Live, inputs: In, known: St | undefined, call: Call): Promise<Live> {
    const { id } = live;
    const entries = this.entries(call);
    const answered = (present: Live) => ({
      answered: digestOf(this.settings(this.resource.stateOf(present, inputs, known), call)),
    });
    const earlier = entries.about(id);
    const send = this.resource.change(live, inputs, known, call, earlier !== undefined);
    if (send === undefined) {
      if (earlier !== undefined) {
        entries.takeOver(earlier, { op: "change", ...answered(live) });
      }
      return live;
    }
    try {
      return await this.#sendChange(id, send, answered, call);
    } catch (error) {
      if (isNotFound(error) && (await this.resource.find(id, inputs.projectId, call)) === undefined) {
        throw this.texts.gone(id);
      }
      const { name, projectId } = inputs;
      throw name === undefined ? error : await this.#explainConflict(error, { name, projectId }, call, id);
    }
  }

  #sendChange(
    id: string,
    send: () => Promise<Live>,
    answered: (live: Live) => { readonly answered: string },
    call: Call,
  ): Promise<Live> {
    const { noun } = this.resource;
    return sendNoted(
      this.entries(call),
      {
        intent: { op: "change", id },
        send,
        answered,
        resolve: (outcome) => {
          const interrupted = `The change of ${noun} ${id} was interrupted, and the ${this.texts.short} has its old settings or the new ones.`;
          throw stillUnknown(outcome, call.context, interrupted, continuesAdvice);
        },
      },
      call.context.report,
    );
  }

  /**
   * The engine deletes an object that the state has. Whether it must go: not if this deployment
   * reuses it, and not if it exists after all and was only replaced to find that out. `others`:
   * what else the resource has. What earlier runs left of a resource that goes is settled.
   */
  async mustGo(id: string, state: St, others: readonly string[], call: Call): Promise<boolean> {
    const { urn, report } = call.context;
    this.run.ended.add(urn);
    if (this.run.keeps(id, urn) || this.entries(call).hasReused(id)) {
      report.info(`Keeping ${this.texts.object({ id })}: this deployment reuses it.`);
      return false;
    }
    if (this.run.inDoubt.has(id) && (await this.#keepIfItExists(id, state, call))) {
      return false;
    }
    if (!this.run.declared.has(urn)) {
      await this.creations.settleAll([id, ...others], call);
    }
    return true;
  }

  /** Notes what an object that goes has, for the one that takes its place, if any. */
  async handDown(id: string, state: St, call: Call): Promise<void> {
    const { urn } = call.context;
    const { handDown } = this.resource;
    if (handDown === undefined) {
      return;
    }
    if (this.run.declared.has(urn) && !this.run.hasAnother(urn, id)) {
      this.entries(call).handDown(await handDown(id, state, call));
    } else {
      this.entries(call).dropHandedDown();
    }
  }

  /** The next object of the resource is the same one. False when it is gone. */
  async #keepIfItExists(id: string, state: St, call: Call): Promise<boolean> {
    const live = await this.resource.find(id, state.projectId, call);
    const { name = live?.name ?? "", projectId } = state;
    const identity = this.resource.identity?.(state);
    const isSame =
      identity === undefined || (live && this.creations.hasKey(live, { name, projectId, identity }));
    if (live === undefined || isSame !== true) {
      return false;
    }
    call.context.report.info(`Keeping ${this.texts.object({ id })}: it exists.`);
    this.creations.leave(live, projectId, call, identity);
    this.entries(call).exists(id);
    return true;
  }

  /** Retires an object in place of deleting it. */
  async retire(object: Pick<Live, "id" | "name">, state: St, call: Call): Promise<void> {
    const { report } = call.context;
    const live = await this.resource.find(object.id, state.projectId, call);
    if (live === undefined) {
      report.info(`The ${this.texts.object(object)} is gone.`);
      return;
    }
    const send = this.resource.retire?.(live, call);
    if (send === undefined) {
      report.info(`The ${this.texts.object(live)} is already archived.`);
      return;
    }
    try {
      await this.#sendChange(live.id, send, () => ({ answered: "retired" }), call);
    } catch (error) {
      throw await this.deletions.whyKept(object, state, error, call);
    }
    report.info(`The ${this.texts.object(live)} is archived. It keeps its name and what is in it.`);
  }

  /** Why a name cannot be had. */
  nameTaken(name: string, holder: Live, call: Call, isRenamed = false): ConflictError {
    const { urn } = call.context;
    const otherUrn = this.run.otherUser(holder.id, urn) ?? this.run.formerUser(holder.id, urn);
    return this.texts.nameTaken(name, holder, { otherUrn, isRenamed });
  }

  /** A name that another object has, as a conflict with it. */
  async #explainConflict(error: unknown, { name, projectId }: Key, call: Call, ownId?: string) {
    if (!(error instanceof ApiError && error.status === 409)) {
      return error;
    }
    const holder = await this.resource.holderOf(name, projectId, call);
    return holder === undefined || holder.id === ownId
      ? error
      : this.nameTaken(name, holder, call, ownId !== undefined);
  }
}
