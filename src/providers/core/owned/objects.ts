import { isNotFound } from "../../../client/refusals.js";
import { ApiError, type ConflictError, type OutcomeUnknownError } from "../../../errors.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { quote } from "../../../text/escape.js";
import { autoName, unnotedWarning } from "../../auto-name.js";
import { type Call, ignoreNotFound } from "../../call.js";
import type { PropertyMap } from "../../properties.js";
import { digestOf, type Entries, isOfTime, isOpen, type NotedEntry } from "../entries.js";
import { continuesAdvice, findUnlessItFails, sendNoted, stillUnknown, untilGone } from "../requests.js";
import type { Run } from "../run.js";
import type { LiveObject, Named, OwnedResource } from "./declaration.js";
import { oneTimeName } from "./one-time-name.js";
import { OwnedTexts } from "./texts.js";

/** What a creation is known by until it has an id. */
export interface Key {
  readonly name: string;
  readonly projectId: string | undefined;
}

/** The objects of one kind: finds, creates, changes and deletes them, and notes what it sends. */
export class OwnedObjects<In extends Named, St extends Named, Live extends LiveObject> {
  readonly texts: OwnedTexts<Live>;
  readonly #resource: OwnedResource<In, St, Live>;
  readonly #run: Run;

  constructor(resource: OwnedResource<In, St, Live>, run: Run) {
    this.#resource = resource;
    this.#run = run;
    this.texts = new OwnedTexts(resource);
  }

  entries(call: Call): Entries {
    return call.entries(this.#resource.kind);
  }

  /** What of a state the journal compares. */
  settings(state: St): PropertyMap {
    const { incidental } = this.#resource;
    const settings = Object.entries(this.#resource.state.write(state));
    return Object.fromEntries(settings.filter(([name]) => !incidental.some((each) => each === name)));
  }

  /** What an entry knows an object by. */
  keyOf({ name, projectId }: Key): PropertyMap {
    return projectId === undefined ? { name } : { name, projectId };
  }

  /** The name that a resource gets without one of its own. */
  autoName(urn: string, projectId: string | undefined): string {
    return this.#resource.isInProject === true ? autoName(urn, projectId) : autoName(urn);
  }

  /** Why an object that has our name may be this resource's; undefined when it is another's. */
  ownershipOf(holder: Live, key: Key, call: Call): "noted" | "automatic" | undefined {
    const { urn } = call.context;
    if (holder.name !== key.name || this.#run.otherUser(holder.id, urn) !== undefined) {
      return undefined;
    }
    const creations = this.entries(call).creations();
    if (creations.some((entry) => isOf(entry, key) && isResult(entry, holder))) {
      return "noted";
    }
    return urn !== undefined && key.name === this.autoName(urn, key.projectId) ? "automatic" : undefined;
  }

  /**
   * The object that this resource is to have. Looks before it sends: an earlier run may have created
   * it and lost the answer, or its state was not written. Then it is reused.
   */
  async findOrCreate(inputs: In, name: string, call: Call): Promise<{ live: Live; isNew: boolean }> {
    const { report } = call.context;
    const { projectId } = inputs;
    const own = await this.#findOwn(projectId, call);
    if (own !== undefined) {
      report.info(
        `The ${this.texts.object(own)} already exists; reusing it. An earlier deployment of this resource created it.`,
      );
      return { live: own, isNew: false };
    }
    if (this.#resource.naming === "one-time") {
      const { live } = await this.#create(inputs, { name: oneTimeName(name), projectId }, call);
      // A change gives it its own name.
      return { live, isNew: false };
    }
    const holder = await this.#resource.holderOf(name, projectId, call);
    if (holder === undefined) {
      return this.#create(inputs, { name, projectId }, call);
    }
    if (this.ownershipOf(holder, { name, projectId }, call) === undefined) {
      throw this.nameTaken(name, holder, call);
    }
    if (this.#resource.isDormant?.(holder) === true) {
      report.info(`The ${this.texts.object(holder)} already exists and is archived; reusing it.`);
    } else {
      report.warning(this.unnoted(holder, "update"));
    }
    return { live: holder, isNew: false };
  }

  /** What an earlier run created for this resource in the project. What else it created is cleared. */
  async #findOwn(projectId: string | undefined, call: Call): Promise<Live | undefined> {
    const entries = this.entries(call);
    let own: Live | undefined;
    for (const entry of entries.creations()) {
      const isReusable = own === undefined && entry.key?.projectId === projectId;
      const found = isReusable ? await this.findCreated(entry, call) : undefined;
      if (found === undefined || this.#isOfAnother(found.id, call)) {
        // Two entries can lead to one object, of which the other one has the answer.
        await this.clear(entry, own === undefined ? [] : [own.id], call);
      } else {
        entries.takeOver(entry, { id: found.id, answered: "found" });
        own = found;
      }
    }
    return own;
  }

  /** Sends the creation once. If its outcome is unknown, looking for the name decides. */
  async #create(inputs: In, key: Key, call: Call): Promise<{ live: Live; isNew: boolean }> {
    const entries = this.entries(call);
    // Names are unique, so what was sent earlier under this one has not arrived and never will.
    const outdated = entries.creations().filter((entry) => isOf(entry, key));
    let isNew = true;
    try {
      const live = await sendNoted(
        entries,
        {
          intent: { op: "create", key: this.keyOf(key) },
          send: () => this.#resource.create(inputs, key.name, call),
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

  async #resolveCreation({ name, projectId }: Key, outcome: OutcomeUnknownError, call: Call): Promise<Live> {
    const { context } = call;
    const { noun } = this.#resource;
    context.report.progress("no response to the creation; checking whether it succeeded");
    const found = await findUnlessItFails(async () => {
      const holder = await this.#resource.holderOf(name, projectId, call);
      // Another case or accent makes it that of somebody who was faster.
      return holder?.name === name ? holder : undefined;
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
      answered: digestOf(this.settings(this.#resource.stateOf(present, inputs, known))),
    });
    const send = this.#resource.change(live, inputs, known, call);
    if (send === undefined) {
      const earlier = entries.about(id);
      if (earlier !== undefined) {
        entries.takeOver(earlier, { op: "change", ...answered(live) });
      }
      return live;
    }
    try {
      return await this.#sendChange(id, send, answered, call);
    } catch (error) {
      if (isNotFound(error) && (await this.#resource.find(id, inputs.projectId, call)) === undefined) {
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
    const { noun } = this.#resource;
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

  /** Deletes an object. One that is gone already counts as deleted. */
  async remove(object: Pick<Live, "id" | "name">, state: St, call: Call): Promise<void> {
    const { id } = object;
    const { noun, find } = this.#resource;
    const entries = this.entries(call);
    try {
      await this.#run.objects.run(id, () =>
        sendNoted(
          entries,
          {
            intent: { op: "remove", id },
            isLeaving: true,
            send: async () => {
              await ignoreNotFound(this.#resource.remove(id, state, call));
            },
            answered: () => ({ answered: "removed" }),
            resolve: (outcome) =>
              untilGone(outcome, { noun, id, find: () => find(id, state.projectId, call) }, call),
          },
          call.context.report,
        ),
      );
    } catch (error) {
      const earlier = entries.about(id);
      if (this.#resource.isInUse?.(error) === true && earlier?.op === "remove") {
        // It exists, so no deletion that an earlier run sent has happened.
        entries.drop(earlier);
      }
      throw (await this.#resource.whyKept?.(object, state, error, call)) ?? error;
    }
    entries.gone(id);
  }

  /** Retires an object in place of deleting it. */
  async retire(object: Pick<Live, "id" | "name">, state: St, call: Call): Promise<void> {
    const { report } = call.context;
    const live = await this.#resource.find(object.id, state.projectId, call);
    if (live === undefined) {
      report.info(`The ${this.texts.object(object)} is gone.`);
      return;
    }
    const send = this.#resource.retire?.(live, call);
    if (send === undefined) {
      report.info(`The ${this.texts.object(live)} is already archived.`);
      return;
    }
    try {
      await this.#sendChange(live.id, send, () => ({ answered: "retired" }), call);
    } catch (error) {
      throw (await this.#resource.whyKept?.(object, state, error, call)) ?? error;
    }
    report.info(`The ${this.texts.object(live)} is archived. It keeps its name and what is in it.`);
  }

  /** The object stays, and the next object of this resource is the same one. */
  leave({ id, name }: Pick<Live, "id" | "name">, projectId: string | undefined, call: Call): void {
    const key = this.keyOf({ name: name ?? "", projectId });
    this.entries(call).intend({ op: "create", id, key, answered: "kept" });
  }

  /** Deletes what earlier runs created for the resource and no state has. `kept`: ids that stay. */
  async clearCreations(kept: readonly string[], call: Call): Promise<void> {
    const entries = this.entries(call);
    for (const entry of entries.creations()) {
      // What this deployment has created is for the state, perhaps by another process.
      if (entry.answered === undefined || !entries.isOwn(entry)) {
        await this.clear(entry, kept, call);
      }
    }
  }

  /**
   * Deletes what a noted creation became, if it is there. What a deployment created that ended in
   * order may be in use, so it is told instead.
   */
  async clear(entry: NotedEntry, kept: readonly string[], call: Call): Promise<void> {
    const { report } = call.context;
    const entries = this.entries(call);
    const found = await this.creationOf(entry, call);
    if (found === undefined) {
      entries.notFound(entry);
      return;
    }
    if (isList(found)) {
      report.warning(this.texts.indistinguishable(entry.replaces ?? "", found));
    } else if (!kept.includes(found.id) && !this.#isOfAnother(found.id, call)) {
      if (!isOpen(entry)) {
        report.warning(this.texts.superseded(found));
      } else if (!(await this.#removeCreated(entry, found, call))) {
        return;
      }
    }
    entries.drop(entry);
  }

  /** Returns whether it was deleted. */
  async #removeCreated(entry: NotedEntry, found: Live, call: Call): Promise<boolean> {
    const { report, urn } = call.context;
    try {
      await this.remove(found, this.#resource.state.read(entry.key ?? {}), call);
    } catch (error) {
      if (this.#resource.isInUse?.(error) !== true) {
        throw error;
      }
      const next = this.#run.declared.has(urn) ? 'Every "pulumi up" tries again.' : "Then delete it.";
      report.warning(
        `${this.texts.subject(found)} was left in place: an interrupted deployment of this resource had created it, but the program now declares something else. It was not deleted, because it is in use. Release it. ${next}`,
      );
      return false;
    }
    report.info(this.texts.undone(found));
    return true;
  }

  /** Why a name cannot be had. */
  nameTaken(name: string, holder: Live, { context }: Call): ConflictError {
    return this.texts.nameTaken(name, holder, this.#run.otherUser(holder.id, context.urn));
  }

  /** The warning of an object that is reused for its automatic name alone. */
  unnoted(live: Live, phase: "preview" | "update"): string {
    return unnotedWarning(this.texts.subject(live), this.texts.short, phase);
  }

  #isOfAnother(id: string, { context }: Call): boolean {
    return this.#run.isCreated(id) || this.#run.otherUser(id, context.urn) !== undefined;
  }

  /** What a noted creation became, if it is there. Several: nobody can tell which of them. */
  async creationOf(entry: NotedEntry, call: Call): Promise<Live | readonly Live[] | undefined> {
    const { issued } = this.#resource;
    const { id, replaces, existing = [], trace } = entry;
    if (issued === undefined || replaces === undefined || id !== undefined) {
      return this.findCreated(entry, call);
    }
    const { name = "", projectId } = this.#resource.state.read(entry.key ?? {});
    const noted = this.entries(call).creations();
    const candidates = (await issued.named({ name }, projectId, call)).filter((live) => {
      const isKnown = this.#run.isUsed(live.id) || noted.some((each) => each.id === live.id);
      return !isKnown && !existing.includes(live.id) && isResult(entry, live);
    });
    if (trace !== undefined) {
      return issued.madeBy(replaces, trace, candidates, call);
    }
    return candidates.length === 0 ? undefined : candidates;
  }

  /** The same for what has an id, or a name of its own. */
  async findCreated(entry: NotedEntry, call: Call): Promise<Live | undefined> {
    const { name, projectId } = this.#resource.state.read(entry.key ?? {});
    if (entry.id !== undefined) {
      return this.#resource.find(entry.id, projectId, call);
    }
    const holder = name === undefined ? undefined : await this.#resource.holderOf(name, projectId, call);
    return holder !== undefined && holder.name === name && isResult(entry, holder) ? holder : undefined;
  }

  /** A name that another object has, as a conflict with it. */
  async #explainConflict(error: unknown, { name, projectId }: Key, call: Call, ownId?: string) {
    if (!(error instanceof ApiError && error.status === 409)) {
      return error;
    }
    const holder = await this.#resource.holderOf(name, projectId, call);
    return holder === undefined || holder.id === ownId ? error : this.nameTaken(name, holder, call);
  }
}

function isList<Live>(found: Live | readonly Live[]): found is readonly Live[] {
  return Array.isArray(found);
}

function isOf({ key }: NotedEntry, { name, projectId }: Key): boolean {
  return key?.name === name && key.projectId === projectId;
}

/** Whether an object with the right name can be what a creation became. */
function isResult(entry: NotedEntry, { id, createdAt }: LiveObject): boolean {
  return entry.id === undefined ? isOfTime(entry, dateTimeMs(createdAt ?? "")) : entry.id === id;
}
