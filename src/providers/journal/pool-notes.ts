import type { JournalFiles } from "./files.js";
import { digestOf, type JournalOwner, NoteFiles } from "./notes.js";
import type { NoteOf } from "./schemas.js";

/**
 * What a run sent to change or delete browser pools, until a later run has seen the result in the
 * state. Without these notes, a program that goes back to what the state says would never find out
 * that a killed run has changed the pool, or deleted it.
 */
export class PoolNotes {
  readonly #owner: JournalOwner;
  readonly #notes: NoteFiles<"pool">;

  constructor(files: JournalFiles, owner: JournalOwner) {
    this.#owner = owner;
    this.#notes = new NoteFiles(files, owner, "pool");
  }

  /** The program declares the pool. */
  declare(poolId: string): void {
    this.#notes.declare(this.#subject(poolId));
  }

  /** A run found the pool with these settings in the state, so an update to them is settled. */
  stateHas(poolId: string, settings: object): void {
    const note = this.#find(poolId);
    if (note?.sent === "update" && note.answered === digestOfSettings(settings)) {
      this.settled(poolId);
    }
  }

  /** An update is about to be sent. Throws when that cannot be noted, and nothing must be sent. */
  updateStarts(poolId: string): void {
    this.#notes.writeBefore(this.#subject(poolId), { poolId, sent: "update", isDone: false });
  }

  /** The service has these settings now. */
  updateAnswered(poolId: string, settings: object): void {
    const answered = digestOfSettings(settings);
    this.#notes.writeAfter(this.#subject(poolId), { poolId, sent: "update", isDone: true, answered });
  }

  /** The pool has these settings. Only what a run noted of an update is completed. */
  updateFound(poolId: string, settings: object): void {
    if (this.isInDoubt(poolId)) {
      this.updateAnswered(poolId, settings);
    }
  }

  /** Whether a run may have changed the pool, and the state does not say how. */
  isInDoubt(poolId: string): boolean {
    return this.#find(poolId)?.sent === "update";
  }

  /** The deletion is about to be sent. Throws when that cannot be noted. */
  deletionStarts(poolId: string): void {
    this.#notes.writeBefore(this.#subject(poolId), { poolId, sent: "deletion", isDone: false });
  }

  /** The pool is gone. */
  deletionAnswered(poolId: string): void {
    this.#notes.writeAfter(this.#subject(poolId), { poolId, sent: "deletion", isDone: true });
  }

  /** Whether a run sent a deletion of the pool that no state shows. */
  mayHaveDeleted(poolId: string): boolean {
    return this.#find(poolId)?.sent === "deletion";
  }

  /** The service did nothing, or its result is known. */
  settled(poolId: string): void {
    this.#notes.remove(this.#subject(poolId));
  }

  /** The deployment ends by itself: the state has every answer that it got. */
  conclude(): void {
    this.#notes.conclude();
  }

  /**
   * An update of a program without these pools ends by itself. The answers of earlier deployments
   * that did so, too, are no longer of use. Those of a killed one are kept until the next update.
   */
  forgetAnswers(): void {
    for (const { subject, note } of this.#notes.leftovers()) {
      if (note.isDone && note.concluded === true) {
        this.#notes.remove(subject);
      } else if (note.isDone) {
        this.#notes.rewrite(subject, { ...note, concluded: true });
      }
    }
  }

  #find(poolId: string): NoteOf<"pool"> | undefined {
    return this.#notes.read(this.#subject(poolId));
  }

  #subject(poolId: string): string {
    return `browser-pool-${digestOf(poolId, this.#owner.baseUrl)}`;
  }
}

/** The same for the same settings, in whatever order they are. */
function digestOfSettings(settings: object): string {
  return digestOf(
    JSON.stringify(settings, (_name, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ),
  );
}
