import { dateTimeMs } from "../../../text/date-time.js";
import { autoName } from "../../auto-name.js";
import type { Call } from "../../call.js";
import type { PropertyMap } from "../../properties.js";
import { type Entries, isOfTime, isOpen, isToSeek, type NotedEntry } from "../entries.js";
import type { Run } from "../run.js";
import type { LiveObject, Named, OwnedResource } from "./declaration.js";
import type { OwnedTexts } from "./texts.js";

/** What a creation is known by until it has an id. */
export interface Key {
  readonly name: string;
  readonly projectId: string | undefined;
}

/** Deletes an object, with an entry. */
type Remove<St, Live extends LiveObject> = (
  object: Pick<Live, "id" | "name">,
  state: St,
  call: Call,
) => Promise<void>;

/** What earlier runs created, or left, for the resources of one kind, and no run has seen in a state. */
export class OwnedCreations<In extends Named, St extends Named, Live extends LiveObject> {
  readonly #resource: OwnedResource<In, St, Live>;
  readonly #run: Run;
  readonly #texts: OwnedTexts<Live>;
  readonly #remove: Remove<St, Live>;

  constructor(
    resource: OwnedResource<In, St, Live>,
    run: Run,
    texts: OwnedTexts<Live>,
    remove: Remove<St, Live>,
  ) {
    this.#resource = resource;
    this.#run = run;
    this.#texts = texts;
    this.#remove = remove;
  }

  /** Why an object that has our name may be this resource's; undefined when it is another's. */
  ownershipOf(holder: Live, key: Key, call: Call): "noted" | "automatic" | undefined {
    const { urn } = call.context;
    if (holder.name !== key.name || this.#run.otherUser(holder.id, urn) !== undefined) {
      return undefined;
    }
    const creations = this.#entries(call).creations();
    if (creations.some((entry) => isOf(entry, key) && isResult(entry, holder))) {
      return "noted";
    }
    return urn !== undefined && key.name === this.autoName(urn, key.projectId) ? "automatic" : undefined;
  }

  /** The name that a resource gets without one of its own. */
  autoName(urn: string, projectId: string | undefined): string {
    return this.#resource.isInProject === true ? autoName(urn, projectId) : autoName(urn);
  }

  /** What an earlier run created for this resource in the project. What else it created is settled. */
  async findOwn(projectId: string | undefined, call: Call): Promise<Live | undefined> {
    const entries = this.#entries(call);
    let own: Live | undefined;
    for (const entry of entries.creations()) {
      const isReusable = own === undefined && entry.key?.projectId === projectId;
      const found = isReusable ? await this.findCreated(entry, call) : undefined;
      if (found === undefined || this.#isOfAnother(found.id, call)) {
        // Two entries can lead to one object, of which the other one has the answer.
        await this.settle(entry, own?.id, call);
      } else {
        entries.takeOver(entry, { id: found.id, answered: "found" });
        own = found;
      }
    }
    return own;
  }

  /** The object stays, and the next object of this resource is the same one. */
  leave({ id, name }: Pick<Live, "id" | "name">, projectId: string | undefined, call: Call): void {
    const key = propertiesOf({ name: name ?? "", projectId });
    const entries = this.#entries(call);
    // If nobody declares the resource any more, the object is told, and never deleted.
    entries.update(entries.intend({ op: "create", id, key, answered: "kept" }), { hasEnded: true });
  }

  /** Settles what earlier runs created for the resource and no state has. `keptId` is its object. */
  async settleAll(keptId: string | undefined, call: Call): Promise<void> {
    for (const entry of this.#entries(call).creations()) {
      await this.settle(entry, keptId, call);
    }
  }

  /**
   * Deletes what a noted creation became, if its deployment was killed or got no answer. What an
   * orderly one left is only told: somebody may have removed it from the state on purpose.
   */
  async settle(entry: NotedEntry, keptId: string | undefined, call: Call): Promise<void> {
    const { report } = call.context;
    const entries = this.#entries(call);
    const found = await this.findCreated(entry, call);
    if (found === undefined) {
      entries.notFound(entry);
      return;
    }
    if (found.id !== keptId && !this.#isOfAnother(found.id, call)) {
      if (!isOpen(entry)) {
        report.warning(this.#texts.unmanaged([found]));
      } else if (!(await this.#undo(found, entry, call))) {
        return;
      }
    }
    entries.drop(entry);
  }

  /** Deletes what a killed deployment created. False when it stays, because something uses it. */
  async #undo(found: Live, entry: NotedEntry, call: Call): Promise<boolean> {
    const { report, urn } = call.context;
    try {
      await this.#remove(found, this.#resource.state.read(entry.key ?? {}), call);
    } catch (error) {
      if (this.#resource.isInUse?.(error) !== true) {
        throw error;
      }
      const next = this.#run.declared.has(urn) ? 'Every "pulumi up" tries again.' : "Then delete it.";
      report.warning(
        `${this.#texts.subject(found)} was left in place: an interrupted deployment of this resource had created it, but the program now declares something else. It was not deleted, because it is in use. Release it. ${next}`,
      );
      return false;
    }
    report.info(
      `Deleted the ${this.#texts.object(found)}: an interrupted deployment had created it, but the program no longer declares it.`,
    );
    return true;
  }

  #isOfAnother(id: string, { context }: Call): boolean {
    return this.#run.isCreated(id) || this.#run.otherUser(id, context.urn) !== undefined;
  }

  /** What a noted creation became, if it is there. */
  async findCreated(entry: NotedEntry, call: Call): Promise<Live | undefined> {
    const { name, projectId } = this.#resource.state.read(entry.key ?? {});
    if (entry.id !== undefined) {
      return this.#resource.find(entry.id, projectId, call);
    }
    const holder = name === undefined ? undefined : await this.#resource.holderOf(name, projectId, call);
    return holder !== undefined && holder.name === name && isResult(entry, holder) ? holder : undefined;
  }

  /** Whether `end` must undo something that this run does not declare. */
  hasLeftovers(call: Call): boolean {
    return this.#leftovers(call).some(isToUndo);
  }

  /**
   * Ends a deployment. An update undoes what killed deployments left of resources that nobody
   * declares any more, and tells what others left.
   */
  async end(isUpdate: boolean | undefined, call: Call): Promise<void> {
    const entries = this.#entries(call);
    const leftovers = this.#leftovers(call);
    entries.conclude();
    if (isUpdate !== true) {
      return;
    }
    entries.forgetRemoved();
    for (const entry of leftovers.filter(isToUndo)) {
      await this.settle(entry, undefined, call.about(entry.urn));
    }
    await this.#tell(
      leftovers.filter((entry) => !isToUndo(entry)),
      call,
    );
    // What was noted meanwhile is this deployment's as well.
    entries.conclude();
  }

  /**
   * Entries that this update did not meet. Their resources may be in the state all the same, which
   * a run with `--target` does not show. The second such update forgets an entry.
   */
  async #tell(leftovers: readonly NotedEntry[], call: Call): Promise<void> {
    const entries = this.#entries(call);
    const left: Live[] = [];
    for (const entry of leftovers) {
      if (entry.isUnclaimed === true) {
        entries.drop(entry);
        continue;
      }
      const isCreated = entry.op === "create" && entry.id !== undefined;
      const live = isCreated ? await this.findCreated(entry, call.about(entry.urn)) : undefined;
      if (live !== undefined) {
        left.push(live);
      }
      entries.update(entry, { isUnclaimed: true });
    }
    if (left.length > 0) {
      call.context.report.warning(this.#texts.unclaimed(left));
    }
  }

  /** Entries of resources that this run did not meet. */
  #leftovers(call: Call): readonly NotedEntry[] {
    return this.#entries(call)
      .leftovers()
      .filter(({ urn }) => !this.#run.knows(urn));
  }

  #entries(call: Call): Entries {
    return call.entries(this.#resource.kind);
  }
}

/** Whether an entry is that of a creation under this name. */
export function isOf({ key }: NotedEntry, { name, projectId }: Key): boolean {
  return key?.name === name && key.projectId === projectId;
}

/** Whether an object with the right name can be what a creation became. */
function isResult(entry: NotedEntry, { id, createdAt }: LiveObject): boolean {
  return entry.id === undefined ? isOfTime(entry, dateTimeMs(createdAt ?? "")) : entry.id === id;
}

/** A key as an entry has it. */
export function propertiesOf({ name, projectId }: Key): PropertyMap {
  return projectId === undefined ? { name } : { name, projectId };
}

/**
 * Whether an update must undo an entry of a resource that nobody declares any more: what a killed
 * deployment created, and what got no answer. No state can have that.
 */
function isToUndo(entry: NotedEntry): boolean {
  return entry.op === "create" && isOpen(entry) && isToSeek(entry);
}
