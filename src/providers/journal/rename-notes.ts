import { z } from "zod";
import type { JournalFiles } from "./files.js";
import { digestOf, isOpen, type JournalOwner, type Leftover, NoteFiles } from "./notes.js";

const renameSchema = z.object({
  keyId: z.string(),
  /** Every name that the resource may have given to the key. */
  names: z.array(z.string()),
  /** The name that the key had before the resource existed. */
  previousName: z.string(),
  /** The name in the service's last answer; undefined when the last rename got none. */
  answered: z.string().optional(),
  /**
   * The name that the resource which named the key until now had given it, and the one before. The
   * resource that names it from now on could not know that when it was created.
   */
  inherited: z.object({ name: z.string(), previousName: z.string() }).optional(),
});

/** A rename that no run has seen in the state. */
export type RenameNote = z.infer<typeof renameSchema>;
/** A note of an earlier deployment about a key that nobody names any more. */
export type RenameLeftover = Leftover<RenameNote>;

/** What the ApiKeyNames leave on disk until a later run has seen the result in the state. */
export class RenameNotes {
  readonly #owner: JournalOwner;
  readonly #notes: NoteFiles<RenameNote>;

  constructor(files: JournalFiles, owner: JournalOwner) {
    this.#owner = owner;
    this.#notes = new NoteFiles(files, owner, "rename", renameSchema);
  }

  /** The program declares a name for the key. */
  declare(keyId: string): void {
    this.#notes.declare(this.#subject(keyId));
  }

  /** A run found this name of the key in the state, so the rename that led to it is settled. */
  stateHas(keyId: string, name: string | undefined): void {
    if (this.find(keyId)?.answered === name) {
      this.settled(keyId);
    }
  }

  /**
   * A rename of an API key is about to be sent. If the process is killed now, no state knows the
   * previous name, and the next run would take our own name for it.
   */
  starts(
    keyId: string,
    { names: given, previousName }: { readonly names: readonly string[]; readonly previousName: string },
  ): void {
    const { names: earlier = [], inherited } = this.find(keyId) ?? {};
    const names = [...new Set([...earlier, ...given])];
    this.#notes.writeBefore(this.#subject(keyId), { keyId, names, previousName, inherited });
  }

  /**
   * The resource leaves the program, and another one names the key already: the name that this one
   * had given it, and the one before. The other one still has to take that into its state.
   */
  inherits(keyId: string, name: string, previousName: string): void {
    const note = this.find(keyId) ?? { keyId, names: [name], previousName, answered: name };
    this.#notes.writeAfter(this.#subject(keyId), { ...note, inherited: { name, previousName } });
  }

  /** The resource that names the key has taken what it inherits into its state. */
  inheritanceSettled(keyId: string): void {
    const note = this.find(keyId);
    if (note?.inherited !== undefined) {
      this.#notes.writeAfter(this.#subject(keyId), { ...note, inherited: undefined });
    }
  }

  /** The name before any resource of the program, for one that found this name. */
  originalName(keyId: string, found: string): string {
    const inherited = this.find(keyId)?.inherited;
    return inherited?.name === found ? inherited.previousName : found;
  }

  /** The service says that the key has this name. */
  answered(keyId: string, name: string): void {
    const note = this.find(keyId);
    if (note !== undefined) {
      this.#notes.writeAfter(this.#subject(keyId), { ...note, answered: name });
    }
  }

  /** The service refused the rename, so only the note of an earlier run is still open. */
  refused(keyId: string, earlier: RenameNote | undefined): void {
    if (earlier === undefined) {
      this.settled(keyId);
    } else {
      this.#notes.writeAfter(this.#subject(keyId), earlier);
    }
  }

  /**
   * Drops the note of a deployment that ended by itself: the state has its answer. Only what a
   * state may still inherit stays.
   */
  forgetAnswer(keyId: string): void {
    const note = this.#notes.read(this.#subject(keyId));
    if (note !== undefined && !isOpen(note) && note.inherited === undefined) {
      this.settled(keyId);
    }
  }

  /** Nobody needs to know any more which names the key had. */
  settled(keyId: string): void {
    this.#notes.remove(this.#subject(keyId));
  }

  /** What no run has seen in the state of this key, whichever resource renamed it. */
  find(keyId: string): RenameNote | undefined {
    return this.#notes.read(this.#subject(keyId));
  }

  /** Whether a run may have left the key with another name than the state says. */
  isInDoubt(keyId: string, name: string | undefined): boolean {
    const note = this.find(keyId);
    return note !== undefined && note.answered !== name && note.names.some((given) => given !== name);
  }

  /** Renames by this resource of other keys than `keyId`: the program named those before. */
  ofOtherKeys(keyId: string): readonly RenameNote[] {
    const { urn, baseUrl } = this.#owner;
    return this.#notes
      .all()
      .filter((note) => note.urn === urn && note.baseUrl === baseUrl && note.keyId !== keyId);
  }

  /** The deployment ends by itself. */
  conclude(): void {
    this.#notes.conclude();
  }

  /** What earlier deployments left of keys that nobody names any more. */
  leftovers(): readonly RenameLeftover[] {
    return this.#notes.leftovers();
  }

  /** By key and not by resource: another resource may name the key in the next run. */
  #subject(keyId: string): string {
    return `api-key-${digestOf(keyId, this.#owner.baseUrl)}`;
  }
}
