import { isDeepStrictEqual } from "node:util";
import type { JournalFiles } from "./files.js";
import { digestOf, isOpen, type JournalOwner, type Leftover, NoteFiles } from "./notes.js";
import type { NoteOf } from "./schemas.js";

/** Kinds of object whose changes are noted. The names of files tell them apart. */
export type ChangedKind = "api-key";

/** Settings of an object. */
export type ChangedSettings = Readonly<Record<string, string | number | null>>;
/** A change of an object whose result no run has seen in the state. */
export type ChangeNote = NoteOf<"change">;
/** A note of an earlier deployment about an object that nobody declares any more. */
export type ChangeLeftover = Leftover<"change">;

/**
 * What resources changed of existing objects, until a later run has seen the result in the state.
 * By object and not by resource: another resource may declare the object in the next run.
 */
export class ChangeNotes {
  readonly #notes: NoteFiles<"change">;
  readonly #owner: JournalOwner;
  readonly #kind: ChangedKind;

  constructor(files: JournalFiles, owner: JournalOwner, kind: ChangedKind) {
    this.#owner = owner;
    this.#kind = kind;
    this.#notes = new NoteFiles(files, owner, "change", `${kind}-change`);
  }

  /** The program declares the object. */
  declare(objectId: string): void {
    this.#notes.declare(this.#subject(objectId));
  }

  /** A run found these settings in the state, so the change that led to them is settled. */
  stateHas(objectId: string, settings: ChangedSettings): void {
    if (isDeepStrictEqual(this.find(objectId)?.answered, settings)) {
      this.settled(objectId);
    }
  }

  /**
   * A change is about to be sent. If the process is killed now, no state knows what it became, nor
   * what the object had before. Throws when the note cannot be written, and nothing must be sent.
   * `former`: what the resource had set until now.
   */
  starts(
    objectId: string,
    sent: ChangedSettings,
    previous: ChangedSettings = {},
    former?: ChangedSettings,
  ): void {
    const { sent: earlier = [], inherited } = this.find(objectId) ?? {};
    const known = former === undefined ? earlier : [...earlier, former];
    const note = { objectId, previous, sent: [...known, sent], inherited };
    this.#notes.writeBefore(this.#subject(objectId), note);
  }

  /**
   * The resource leaves the program, and another one manages the object already: what this one has
   * set, and what was there before. The other one still has to take that into its state.
   */
  inherits(objectId: string, set: ChangedSettings, previous: ChangedSettings): void {
    const note = this.find(objectId) ?? { objectId, previous, sent: [set], answered: set };
    this.#notes.writeAfter(this.#subject(objectId), { ...note, inherited: { set, previous } });
  }

  /** The resource that manages the object has taken what it inherits into its state. */
  inheritanceSettled(objectId: string): void {
    const note = this.find(objectId);
    if (note?.inherited !== undefined) {
      this.#notes.writeAfter(this.#subject(objectId), { ...note, inherited: undefined });
    }
  }

  /** The service says that the object has these settings now. */
  answered(objectId: string, settings: ChangedSettings): void {
    const note = this.find(objectId);
    if (note !== undefined) {
      this.#notes.writeAfter(this.#subject(objectId), { ...note, answered: { ...settings } });
    }
  }

  /** The service refused the change, so only the note of an earlier run is still open. */
  refused(objectId: string, earlier: ChangeNote | undefined): void {
    if (earlier === undefined) {
      this.settled(objectId);
    } else {
      this.#notes.writeAfter(this.#subject(objectId), earlier);
    }
  }

  /**
   * Drops the note of a deployment that ended by itself: the state has its answer. Only what a
   * state may still inherit stays.
   */
  forgetAnswer(objectId: string): void {
    const note = this.#notes.read(this.#subject(objectId));
    if (note !== undefined && !isOpen(note) && note.inherited === undefined) {
      this.settled(objectId);
    }
  }

  /** Nobody needs to know any more what was changed. */
  settled(objectId: string): void {
    this.#notes.remove(this.#subject(objectId));
  }

  /** The change of this object that no run has seen in the state, whichever resource made it. */
  find(objectId: string): ChangeNote | undefined {
    return this.#notes.read(this.#subject(objectId));
  }

  /** Whether this resource made the change, in this deployment or in one that was killed. */
  isUnderWay(objectId: string): boolean {
    const note = this.#notes.read(this.#subject(objectId));
    return note !== undefined && note.urn === this.#owner.urn && note.concluded !== true;
  }

  /** Whether a run may have left the object with other settings than the state says. */
  isInDoubt(objectId: string, settings: ChangedSettings): boolean {
    const note = this.find(objectId);
    return note !== undefined && !isDeepStrictEqual(note.answered, settings);
  }

  /** The deployment ends by itself. */
  conclude(): void {
    this.#notes.conclude();
  }

  /**
   * An update without these objects ends by itself. The notes of earlier deployments that did so,
   * too, are no longer of use. Those of a killed one are kept until the next update: this one may
   * only have had other targets.
   */
  forgetLeftovers(): void {
    for (const { subject, note } of this.#notes.leftovers()) {
      if (note.concluded === true) {
        this.#notes.remove(subject);
      } else {
        this.#notes.rewrite(subject, { ...note, concluded: true });
      }
    }
  }

  /** Changes by this resource of other objects: the program declared those before. */
  ofOthers(objectId: string): readonly ChangeNote[] {
    const { urn, baseUrl } = this.#owner;
    return this.#notes
      .all()
      .filter((note) => note.urn === urn && note.baseUrl === baseUrl && note.objectId !== objectId);
  }

  /**
   * Whether earlier deployments left a change that no state can have, of an object that this one
   * does not know.
   */
  hasToUndo(knows: (objectId: string) => boolean): boolean {
    return this.#notes.leftovers().some(({ note }) => isOpen(note) && !knows(note.objectId));
  }

  /** What earlier deployments left of objects that nobody declares any more. */
  leftovers(): readonly ChangeLeftover[] {
    return this.#notes.leftovers();
  }

  #subject(objectId: string): string {
    return `${this.#kind}-${digestOf(objectId, this.#owner.baseUrl)}`;
  }
}
