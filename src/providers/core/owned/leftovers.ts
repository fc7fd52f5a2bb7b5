import type { Call } from "../../call.js";
import { isOpen, isToSeek, type NotedEntry } from "../entry.js";
import type { OwnedCreations } from "./creations.js";
import type { LiveObject, Named } from "./declaration.js";
import type { OwnedKind } from "./kind.js";
import type { Unmanaged } from "./texts.js";

/** What earlier deployments left of one kind, of resources that the program does not declare. */
export class OwnedLeftovers<In extends Named, St extends Named, Live extends LiveObject> {
  readonly #kind: OwnedKind<In, St, Live>;
  readonly #creations: OwnedCreations<In, St, Live>;

  constructor(kind: OwnedKind<In, St, Live>, creations: OwnedCreations<In, St, Live>) {
    this.#kind = kind;
    this.#creations = creations;
  }

  /** Whether `end` must undo something that this run does not declare. */
  hasToUndo(call: Call): boolean {
    return this.#all(call).some(isToUndo);
  }

  /**
   * Ends a deployment. An update undoes what killed deployments left of resources that the program
   * no longer declares, and reports what others left. What may be a preview only reports.
   */
  async end(isUpdate: boolean | undefined, call: Call): Promise<void> {
    const entries = this.#kind.entries(call);
    const leftovers = this.#all(call);
    const outdated = entries
      .leftovers()
      .filter(({ op, urn, id }) => op !== "create" && this.#kind.run.hasAnother(urn, id));
    entries.conclude();
    if (isUpdate === false) {
      return;
    }
    // Before anything is deleted, whose entry takes the place of that of an earlier change.
    await this.#report(
      leftovers.filter((entry) => !isToUndo(entry)),
      isUpdate === true,
      call,
    );
    if (isUpdate !== true) {
      return;
    }
    entries.forgetRemoved();
    for (const entry of outdated) {
      entries.drop(entry);
    }
    for (const entry of leftovers.filter(isToUndo)) {
      await this.#creations.settle(entry, [], call.about(entry.urn));
    }
    // What was noted meanwhile is this deployment's as well.
    entries.conclude();
  }

  /**
   * Entries that this run did not meet. Their resources may be in the state all the same, which a
   * run with `--target` does not show. The second update that did not meet an entry forgets it.
   */
  async #report(leftovers: readonly NotedEntry[], isUpdate: boolean, call: Call): Promise<void> {
    const entries = this.#kind.entries(call);
    const left: Unmanaged[] = [];
    for (const entry of leftovers) {
      if (entry.archive !== undefined) {
        this.#reportSaved(entry, call);
        continue;
      }
      if (entry.isUnclaimed === true) {
        if (isUpdate) {
          entries.drop(entry);
        }
        continue;
      }
      const isCreated = entry.op === "create" && entry.id !== undefined;
      const live = isCreated ? await this.#creations.findCreated(entry, call.about(entry.urn)) : undefined;
      if (live !== undefined) {
        left.push(this.#creations.unmanaged(live, entry));
      }
      if (isUpdate) {
        entries.update(entry, { isUnclaimed: true });
      }
    }
    if (left.length > 0) {
      call.context.report.warning(this.#kind.texts.unclaimed(left));
    }
  }

  /** What was saved of an object is kept until the user deletes it, and reported once. */
  #reportSaved(entry: NotedEntry, call: Call): void {
    const theirs = call.about(entry.urn);
    const entries = this.#kind.entries(theirs);
    const saved = entry.isUnclaimed === true ? undefined : entries.saved();
    if (saved !== undefined) {
      const { name } = this.#creations.keyOf(entry);
      const object = { id: entry.id ?? "", ...(name === "" ? {} : { name }) };
      call.context.report.warning(this.#kind.texts.stillSaved(object, saved.path));
    }
    entries.update(entry, { isUnclaimed: true });
  }

  /** Entries of resources that this run did not meet. */
  #all(call: Call): readonly NotedEntry[] {
    return this.#kind
      .entries(call)
      .leftovers()
      .filter(({ urn }) => !this.#kind.run.knows(urn));
  }
}

/**
 * Whether an update must undo an entry of a resource that the program no longer declares: what a
 * killed deployment created, and what got no answer. No state can have that.
 */
function isToUndo(entry: NotedEntry): boolean {
  return entry.op === "create" && isOpen(entry) && isToSeek(entry);
}
