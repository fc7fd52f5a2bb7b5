import { isSameName } from "../../../client/names.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { messageOf } from "../../../text/words.js";
import { autoName } from "../../auto-name.js";
import type { Call } from "../../call.js";
import type { PropertyMap } from "../../properties.js";
import { digestOf, isOfTime, isOpen, isReplaced, type NotedEntry } from "../entry.js";
import type { LiveObject, Named } from "./declaration.js";
import type { OwnedDeletions } from "./deletions.js";
import type { OwnedKind } from "./kind.js";
import type { Unmanaged } from "./texts.js";

/** What a creation is known by until it has an id. */
export interface Key {
  readonly name: string;
  readonly projectId: string | undefined;
  /** What makes it another one, for a kind that cannot be changed. */
  readonly identity?: PropertyMap | undefined;
}

/** What earlier runs created for resources of one kind, and no run has seen in a state. */
export class OwnedCreations<In extends Named, St extends Named, Live extends LiveObject> {
  readonly #kind: OwnedKind<In, St, Live>;
  readonly #deletions: OwnedDeletions<In, St, Live>;

  constructor(kind: OwnedKind<In, St, Live>, deletions: OwnedDeletions<In, St, Live>) {
    this.#kind = kind;
    this.#deletions = deletions;
  }

  /** Why an object that has our name may be this resource's; undefined when it is another's. */
  ownershipOf(holder: Live, key: Key, call: Call): "noted" | "automatic" | undefined {
    const { urn } = call.context;
    if (!this.hasKey(holder, key) || this.#kind.run.otherUser(holder.id, urn) !== undefined) {
      return undefined;
    }
    const creations = this.#kind.entries(call).creations();
    if (creations.some((entry) => isOf(entry, key) && isResult(entry, holder))) {
      return "noted";
    }
    const isAutomatic = urn !== undefined && key.name === this.autoName(urn, key.projectId, key.identity);
    return isAutomatic ? "automatic" : undefined;
  }

  /** Whether an object has exactly this key. One in another case or accent is not ours. */
  hasKey(live: Live, { name, identity }: Key): boolean {
    return (
      live.name === name && digestOf(this.#kind.resource.identity?.(live) ?? {}) === digestOf(identity ?? {})
    );
  }

  /** Whether a run of this resource has sent this creation, or was about to. */
  isSent(key: Key, call: Call): boolean {
    return this.#kind
      .entries(call)
      .creations()
      .some((entry) => isOf(entry, key));
  }

  /** Whether an object is what a run of this resource created, even if another is declared now. */
  isOwn(live: Live, call: Call): boolean {
    return this.#kind
      .entries(call)
      .creations()
      .some((entry) => this.hasKey(live, this.keyOf(entry)) && isResult(entry, live));
  }

  /** The name that a resource gets without one of its own. */
  autoName(urn: string, projectId: string | undefined, identity: PropertyMap = {}): string {
    const differsBy = Object.values(identity).map(String);
    return this.#kind.resource.isInProject === true
      ? autoName(urn, ...differsBy, projectId)
      : autoName(urn, ...differsBy);
  }

  /** What an earlier run created for this resource in the project. Settles what else it created. */
  async findOwn(key: Key, call: Call): Promise<Live | undefined> {
    const entries = this.#kind.entries(call);
    const canChange = this.#kind.resource.identity === undefined;
    const { report } = call.context;
    let own: Live | undefined;
    for (const entry of entries.creations()) {
      const found = await this.findCreated(entry, call);
      const isFit = canChange ? entry.key?.projectId === key.projectId : isOf(entry, key);
      if (
        found !== undefined &&
        own === undefined &&
        isFit &&
        !this.#kind.run.isTaken(found.id, call.context.urn)
      ) {
        const taken = entries.takeOver(entry, { id: found.id, answered: "found" });
        if (!isOpen(entry)) {
          // What was never to be deleted unasked is not, if this deployment is killed.
          entries.update(taken, { hasEnded: true });
        }
        own = found;
      } else if (found !== undefined && this.#isInTheWay(found, entry, key, call)) {
        report.info(this.#kind.texts.inTheWay(found));
        await this.#deletions.remove(found, this.#kind.resource.state.read(entry.key ?? {}), call, {
          makesRoom: true,
        });
        entries.drop(entry);
      } else {
        // Two entries can lead to one object, of which the other one has the answer.
        await this.#settleFound(entry, found, own === undefined ? [] : [own.id], call);
      }
    }
    return own;
  }

  /** Whether what an earlier run created has the declared name, and cannot become that object. */
  #isInTheWay(found: Live, entry: NotedEntry, key: Key, call: Call): boolean {
    const { name, projectId } = this.keyOf(entry);
    const isNamesake = isSameName(name, key.name) && projectId === key.projectId;
    return (
      this.#kind.resource.identity !== undefined &&
      isNamesake &&
      !isOf(entry, key) &&
      !this.#kind.run.isTaken(found.id, call.context.urn)
    );
  }

  /**
   * The object stays, and the next object of this resource is the same one. `replaced`: until the
   * engine deletes it, as it does with what has been replaced.
   */
  leave(
    { id, name }: Pick<Live, "id" | "name">,
    projectId: string | undefined,
    call: Call,
    identity?: PropertyMap,
    answered: "kept" | "replaced" = "kept",
  ): void {
    const key = propertiesOf({ name: name ?? "", projectId, identity });
    const entries = this.#kind.entries(call);
    // If no program declares the resource any more, a message names the object. It is not deleted.
    entries.update(entries.intend({ op: "create", id, key, answered }), { hasEnded: true });
  }

  /** Settles what earlier runs created for the resource. `kept`: ids that it has, by the state. */
  async settleAll(kept: readonly string[], call: Call): Promise<void> {
    const entries = this.#kind.entries(call);
    for (const entry of entries.creations()) {
      // What this deployment has created is for the state, perhaps by another process.
      if (entry.answered === undefined || !entries.isOwn(entry)) {
        await this.settle(entry, kept, call);
      }
    }
  }

  /**
   * Deletes what a noted creation became, if its deployment was killed or got no answer. What a
   * completed one left is only reported: the user may have removed it from the state on purpose.
   */
  async settle(entry: NotedEntry, kept: readonly string[], call: Call): Promise<void> {
    if (entry.id !== undefined && kept.includes(entry.id)) {
      this.#kind.entries(call).drop(entry);
    } else {
      await this.#settleFound(entry, await this.resultOf(entry, call), kept, call);
    }
  }

  async #settleFound(
    entry: NotedEntry,
    found: Live | readonly Live[] | undefined,
    kept: readonly string[],
    call: Call,
  ): Promise<void> {
    const { report } = call.context;
    const entries = this.#kind.entries(call);
    if (found === undefined) {
      entries.notFound(entry);
      return;
    }
    if (isReplaced(entry)) {
      return;
    }
    if (isList(found)) {
      report.warning(this.#kind.texts.indistinguishable(entry.replaces ?? "", found));
    } else if (!kept.includes(found.id) && !this.#kind.run.isTaken(found.id, call.context.urn)) {
      if (!isOpen(entry)) {
        report.warning(this.#kind.texts.unmanaged([this.unmanaged(found, entry)], "created"));
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
      await this.#deletions.remove(found, this.#kind.resource.state.read(entry.key ?? {}), call);
    } catch (error) {
      if (!this.#deletions.isInUse(error)) {
        throw error;
      }
      const next = this.#kind.run.declared.has(urn) ? 'Every "pulumi up" tries again.' : "Then delete it.";
      report.warning(
        `${this.#kind.texts.subject(found)} was left in place: an interrupted deployment of this resource had created it, but the program now declares something else. It was not deleted, because it is in use. ${messageOf(error)} ${next}`,
      );
      return false;
    }
    report.info(this.#kind.texts.undone(found));
    return true;
  }

  /** What a noted creation became, if it exists. Several: any of them may be it. */
  async resultOf(entry: NotedEntry, call: Call): Promise<Live | readonly Live[] | undefined> {
    const { issued } = this.#kind.resource;
    const { id, replaces, existing = [], trace } = entry;
    if (issued === undefined || replaces === undefined || id !== undefined) {
      return this.findCreated(entry, call);
    }
    const { name = "", projectId } = this.#kind.resource.state.read(entry.key ?? {});
    const noted = this.#kind.entries(call).creations();
    const candidates = (await issued.named({ name }, projectId, call)).filter((live) => {
      const isKnown = this.#kind.run.isUsed(live.id) || noted.some((each) => each.id === live.id);
      return !isKnown && !existing.includes(live.id) && isResult(entry, live);
    });
    if (trace !== undefined && issued.rotates !== undefined) {
      return issued.rotates.madeBy(replaces, trace, candidates, call);
    }
    return candidates.length === 0 ? undefined : candidates;
  }

  /** The same for what has an id, or a name of its own. */
  async findCreated(entry: NotedEntry, call: Call): Promise<Live | undefined> {
    const key = this.keyOf(entry);
    if (entry.id !== undefined) {
      const live = await this.#kind.resource.find(entry.id, key.projectId, call);
      // What cannot be changed, and is another one now, is not ours.
      const isOurs =
        live !== undefined && (this.#kind.resource.identity === undefined || this.hasKey(live, key));
      return isOurs ? live : undefined;
    }
    const holder = await this.#kind.resource.holderOf(key.name, key.projectId, call);
    return holder !== undefined && this.hasKey(holder, key) && isResult(entry, holder) ? holder : undefined;
  }

  /** What a noted creation is known by. */
  keyOf(entry: NotedEntry): Key {
    const state = this.#kind.resource.state.read(entry.key ?? {});
    const { name = "", projectId } = state;
    return { name, projectId, identity: this.#kind.resource.identity?.(state) };
  }

  /** An object that nothing manages, for a message. */
  unmanaged({ id, name }: Live, { key = {} }: NotedEntry): Unmanaged {
    return { id, name, projectId: this.#kind.resource.state.read(key).projectId };
  }
}

function isList<Live>(found: Live | readonly Live[]): found is readonly Live[] {
  return Array.isArray(found);
}

/** Whether an entry is that of a creation under this name. */
export function isOf({ key }: NotedEntry, sought: Key): boolean {
  return digestOf(key ?? {}) === digestOf(propertiesOf(sought));
}

/** Whether an object with the right name can be what a creation became. */
function isResult(entry: NotedEntry, { id, createdAt }: LiveObject): boolean {
  const isInTime = () => createdAt === undefined || isOfTime(entry, dateTimeMs(createdAt ?? ""));
  return entry.id === undefined ? isInTime() : entry.id === id;
}

/** A key as an entry has it. */
export function propertiesOf({ name, projectId, identity }: Key): PropertyMap {
  return { name, ...(projectId === undefined ? {} : { projectId }), ...identity };
}
