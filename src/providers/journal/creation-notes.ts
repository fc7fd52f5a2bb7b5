import { dateTimeMs } from "../../text/date-time.js";
import type { JournalFiles } from "./files.js";
import { type JournalOwner, type Leftover, NoteFiles, resourceSubject } from "./notes.js";
import type { NoteOf, PendingCreation } from "./schemas.js";
import { isToSeek, isToUndo, lateRequestMs, mayStillArrive } from "./sent-requests.js";

/** How far the service's clock may be from this machine's, in either direction. Milliseconds. */
export const clockDifferenceMs = 10 * 60_000;

/** Kinds of object whose creations are noted. The names of files tell them apart. */
export type CreatedKind = "api-key";

/** What to create, and what existed under its name before. */
export type NewCreation = Omit<PendingCreation, "attempt" | "sentAt" | "id" | "soughtAt">;
/** A note of an earlier deployment about a resource that nobody declares any more. */
export type CreationLeftover = Leftover<"creation">;

type CreationNote = NoteOf<"creation">;
type Outlived = CreationNote["outlived"];

/**
 * What one resource created, or was about to create, until a later run has seen the result in the
 * state. What had the name before the request, and when an object was created, tell which one is
 * ours.
 *
 * The order in a life cycle of a creation: list what has the name, {@link starts}, send,
 * {@link answered} or {@link settled}. Without an answer, {@link createdBy} picks what it became
 * from another list.
 */
export class CreationNotes {
  readonly #notes: NoteFiles<"creation">;
  readonly #subject: string;
  readonly #deployment: string;

  constructor(files: JournalFiles, owner: JournalOwner, kind: CreatedKind) {
    this.#notes = new NoteFiles(files, owner, "creation", `${kind}-creation`);
    this.#deployment = owner.deployment;
    this.#subject = resourceSubject(owner, kind);
  }

  /** The program declares the resource, which other processes of this deployment must know. */
  declare(): void {
    this.#notes.declare(this.#subject);
  }

  /**
   * A run found this id in the state, so the creation that led to it is settled. Others of the
   * resource are newer than the state, or were never finished. One without an answer is never
   * judged by what the state has, which may be what it was to replace: the next deployment looks.
   */
  stateHas(id: string): void {
    const note = this.#notes.read(this.#subject);
    if (note === undefined || note.deletions.includes(id)) {
      return;
    }
    const creations = note.creations.filter((creation) => creation.id !== id);
    this.#rewrite({ ...note, creations, deletions: [], outlived: [] });
  }

  /** Creations of this resource that no run has seen in the state, oldest first. */
  pending(): readonly PendingCreation[] {
    return this.#read().creations;
  }

  /** Whether the next deployment must look for one of them. */
  hasToLook(): boolean {
    return this.pending().some(isToSeek);
  }

  /**
   * A creation is about to be sent. If the process is killed now, no state knows the object. Throws
   * when the note cannot be written, and nothing must be sent.
   */
  starts(creation: NewCreation): PendingCreation {
    const note = this.#read();
    const { existing, replaces } = creation;
    const creations = note.creations.map((earlier) =>
      replaces !== undefined && earlier.replaces === replaces && earlier.id === undefined
        ? // It has not happened yet, and what this one does to the old object would hide it.
          { ...earlier, existing: [...earlier.existing, ...existing], graceDays: undefined }
        : earlier,
    );
    const attempt = Math.max(0, ...creations.map((other) => other.attempt)) + 1;
    const started = { ...creation, attempt, existing: [...creation.existing], sentAt: Date.now() };
    this.#notes.writeBefore(this.#subject, { ...note, creations: [...creations, started] });
    return started;
  }

  /** The service has created it, under this id. */
  answered(creation: PendingCreation, id: string): void {
    this.#save([...this.#without(creation), { ...creation, id }]);
  }

  /** The service refused it, or what it became exists no more. */
  settled(creation: PendingCreation): void {
    this.#save(this.#without(creation));
  }

  /** Nobody found it. Unless it had an answer or is old, it may still arrive. */
  notFound(creation: PendingCreation): void {
    if (mayStillArrive(creation)) {
      this.#save([...this.#without(creation), { ...creation, soughtAt: Date.now() }]);
    } else {
      this.settled(creation);
    }
  }

  /**
   * The deletion of an object of this resource is about to be sent. If nobody sees its result in
   * the state, an unchanged program would never find out that the object is gone. Throws when the
   * note cannot be written.
   */
  deletionStarts(id: string): void {
    const note = this.#read();
    const deletions = [...new Set([...note.deletions, id])];
    this.#notes.writeBefore(this.#subject, { ...note, deletions });
  }

  /** The service did not delete it, or the state shows that it is gone. */
  deletionSettled(id: string): void {
    const note = this.#read();
    this.#write({ ...note, deletions: note.deletions.filter((other) => other !== id) });
  }

  /** Whether a run sent a deletion of this object that no state shows. */
  mayHaveDeleted(id: string): boolean {
    return this.#read().deletions.includes(id);
  }

  /**
   * A refresh drops the state of the resource, and these objects, which the state had too, still
   * exist. The next object of the resource remembers them.
   */
  stateForgets(objects: Outlived): void {
    if (objects.length > 0) {
      this.#write({ ...this.#read(), outlived: objects });
    }
  }

  /** What a refresh dropped from the state although it exists. */
  get outlived(): Readonly<Outlived> {
    return this.#read().outlived;
  }

  /**
   * This deployment wrote the note, perhaps in another process: when a resource moves from one
   * explicit provider to another, the process of the new one creates what that of the old deletes.
   */
  get isOfThisDeployment(): boolean {
    return this.#notes.read(this.#subject)?.deployment === this.#deployment;
  }

  /** The deployment that wrote the note ended by itself, so the state has every answer it got. */
  get isConcluded(): boolean {
    return this.#notes.read(this.#subject)?.concluded === true;
  }

  /** The deployment ends by itself. */
  conclude(): void {
    this.#notes.conclude();
  }

  /**
   * This deployment has undone what a killed one left of a resource that it does not know. Only a
   * state that still has the resource needs what the note says besides.
   */
  undone(): void {
    const note = this.#notes.read(this.#subject);
    if (note !== undefined) {
      this.#rewrite({ ...note, concluded: true });
    }
  }

  /** What earlier deployments left of resources of this kind that nobody declares any more. */
  leftovers(): readonly CreationLeftover[] {
    return this.#notes.leftovers();
  }

  /** Whether an update must undo one of them. Those of a resource that `knows` names stay. */
  hasToUndo(knows: (urn: string | undefined) => boolean): boolean {
    return this.leftovers().some(({ note }) => isToUndo(note, note.creations) && !knows(note.urn));
  }

  /**
   * The deployment that wrote the note ended by itself, and nothing declares its resource any more:
   * only what got no answer is still open.
   */
  forgetAnswers(): void {
    const note = this.#notes.read(this.#subject);
    if (note !== undefined) {
      this.#rewrite({
        ...note,
        creations: note.creations.filter(({ id }) => id === undefined),
        deletions: [],
        outlived: note.outlived.filter(({ expiresAt }) => !isOver(expiresAt)),
      });
    }
  }

  #read(): CreationNote {
    return this.#notes.read(this.#subject) ?? { creations: [], deletions: [], outlived: [] };
  }

  #without({ attempt }: PendingCreation): PendingCreation[] {
    return this.pending().filter((other) => other.attempt !== attempt);
  }

  #save(creations: PendingCreation[]): void {
    this.#write({ ...this.#read(), creations });
  }

  /** Writes what this deployment does. */
  #write(note: CreationNote): void {
    if (isEmpty(note)) {
      this.#notes.remove(this.#subject);
    } else {
      this.#notes.writeAfter(this.#subject, note);
    }
  }

  /** Writes less than a note said. Who wrote it stays the same. */
  #rewrite(note: CreationLeftover["note"]): void {
    if (isEmpty(note)) {
      this.#notes.remove(this.#subject);
    } else {
      this.#notes.rewrite(this.#subject, note);
    }
  }
}

/** Whether this moment has passed. One that is missing or unreadable never does. */
function isOver(dateTime: string | undefined): boolean {
  const moment = dateTimeMs(dateTime ?? "");
  return moment !== undefined && moment <= Date.now();
}

function isEmpty({ creations, deletions, outlived }: CreationNote): boolean {
  return creations.length + deletions.length + outlived.length === 0;
}

/** An object that has the name of a creation, in the same project. */
interface Namesake {
  readonly id: string;
  /** ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
}

/**
 * What a creation became, among the live objects with its name and project; undefined when it is
 * not there. One request creates one object, so without an answer it is the oldest of those that
 * did not exist before. One that is older or younger than the request can be is somebody else's,
 * also if it has got this name since. So is one of which nobody can tell how old it is.
 *
 * `others`: ids that came from elsewhere, such as those of later creations of the same resource.
 */
export function createdBy<T extends Namesake>(
  creation: PendingCreation,
  namesakes: readonly T[],
  others: readonly string[] = [],
): T | undefined {
  return creation.id === undefined
    ? possiblyCreatedBy(creation, namesakes, others).at(0)
    : namesakes.find(({ id }) => id === creation.id);
}

/** All that a creation without an answer can have become, oldest first. */
export function possiblyCreatedBy<T extends Namesake>(
  creation: PendingCreation,
  namesakes: readonly T[],
  others: readonly string[] = [],
): T[] {
  const earliest = creation.sentAt - clockDifferenceMs;
  const latest = creation.sentAt + lateRequestMs + clockDifferenceMs;
  return namesakes
    .map((object) => ({ object, createdMs: dateTimeMs(object.createdAt ?? "") ?? Number.NaN }))
    .filter(({ object, createdMs }) => {
      const isNew = !creation.existing.includes(object.id) && !others.includes(object.id);
      return isNew && createdMs >= earliest && createdMs <= latest;
    })
    .sort((a, b) => a.createdMs - b.createdMs)
    .map(({ object }) => object);
}
