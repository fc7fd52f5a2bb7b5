import { sha256Of } from "../../archive/index.js";
import type { JournalFiles } from "./files.js";
import { type JournalOwner, type Leftover, NoteFiles, orLater, resourceSubject } from "./notes.js";
import type { NoteOf, PendingUpload } from "./schemas.js";
import { isToSeek, isToUndo, mayStillArrive } from "./sent-requests.js";

type ExtensionNote = NoteOf<"extension">;
/** What to upload, and where. */
export type UploadIdentity = Omit<PendingUpload, "sentAt" | "id" | "soughtAt">;
/** A note of an earlier deployment about an extension that nobody declares any more. */
export type ExtensionLeftover = Leftover<"extension">;

/** The archive of a previous version that was deleted to make room for its replacement. */
export interface Backup extends UploadIdentity {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the archive is saved. */
  readonly file: string;
}

/** What the state has of the extension. */
interface StoredExtension {
  readonly name?: string | undefined;
  readonly checksum?: string | undefined;
  readonly projectId?: string | undefined;
}

/** What one Extension leaves on disk until a later run has seen the result in the state. */
export class ExtensionNotes {
  readonly #files: JournalFiles;
  readonly #notes: NoteFiles<"extension">;
  readonly #reuses: NoteFiles<"reuse">;
  readonly #subject: string;
  readonly #deployment: string;

  constructor(files: JournalFiles, owner: JournalOwner) {
    this.#files = files;
    this.#notes = new NoteFiles(files, owner, "extension");
    this.#reuses = new NoteFiles(files, owner, "reuse");
    this.#deployment = owner.deployment;
    this.#subject = resourceSubject(owner, "extension");
  }

  /** The program declares the resource, which other processes of this deployment must know. */
  declare(): void {
    this.#notes.declare(this.#subject);
  }

  /**
   * A run found this extension in the state, so whatever led to it is settled. What the note says
   * besides is newer than the state, or was never finished.
   */
  stateHas(id: string, state: StoredExtension): void {
    const note = this.#notes.read(this.#subject);
    if (note === undefined || this.mayHaveDeleted(id)) {
      return;
    }
    const uploads = note.uploads.filter((upload) => !isInState(upload, id, state));
    this.#rewrite({ ...note, uploads, deletions: [], backup: undefined });
  }

  /** Uploads of this resource that are not what the state has. */
  outdatedUploads(id: string | undefined, state: StoredExtension): readonly PendingUpload[] {
    const { uploads } = this.#read();
    return id === undefined ? uploads : uploads.filter((upload) => !isInState(upload, id, state));
  }

  /** Whether the next deployment must look for one of them, and delete it if it is there. */
  hasUploadToClear(id: string, state: StoredExtension): boolean {
    return this.outdatedUploads(id, state).some(isToSeek);
  }

  /**
   * An upload is about to be sent. If the process is killed now, no state knows the extension.
   * Returns what an earlier run noted of the same upload, which {@link uploadRefused} needs.
   */
  uploadStarts(upload: UploadIdentity): PendingUpload | undefined {
    const earlier = this.#find(upload);
    this.#notes.writeBefore(this.#subject, this.#with({ ...upload, ...earlier, sentAt: Date.now() }));
    return earlier;
  }

  /** The service has the upload, under this id. */
  uploadAnswered(upload: UploadIdentity, id: string): void {
    this.#put({ sentAt: Date.now(), ...this.#find(upload), ...upload, id });
  }

  /** The service has it. Only what an earlier run noted of it is completed: else it is not ours. */
  uploadFound(upload: UploadIdentity, id: string): void {
    if (this.#find(upload) !== undefined) {
      this.uploadAnswered(upload, id);
    }
  }

  /** The service refused it, so only what an earlier run left is still open. */
  uploadRefused(upload: UploadIdentity, earlier: PendingUpload | undefined): void {
    if (earlier === undefined) {
      this.uploadCleared(upload);
    } else {
      this.#put(earlier);
    }
  }

  /**
   * Whether an extension is what this resource uploaded and no run has seen in the state, or the
   * previous version that it deleted for its replacement.
   */
  isOurs(upload: UploadIdentity, id: string): boolean {
    const { backup } = this.#read();
    return isUploadWithId(this.#find(upload), id) || (backup !== undefined && isSameUpload(backup, upload));
  }

  /** Whether a run has sent this upload, or was about to. */
  hasNoted(upload: UploadIdentity): boolean {
    return this.#find(upload) !== undefined;
  }

  /** It does not exist any more, or is not ours. */
  uploadCleared(upload: UploadIdentity): void {
    const note = this.#read();
    this.#save({ ...note, uploads: note.uploads.filter((other) => !isSameUpload(other, upload)) });
  }

  /** Nobody found it. Unless it had an answer or is old, it may still arrive. */
  uploadNotFound(upload: PendingUpload): void {
    if (mayStillArrive(upload)) {
      this.#put({ ...upload, soughtAt: Date.now() });
    } else {
      this.uploadCleared(upload);
    }
  }

  /**
   * The deletion of an extension is about to be sent. If nobody sees its result in the state, an
   * unchanged program would never find out that the extension is gone. `backup`: its archive, if it
   * must go before its replacement exists. Without one, that of an earlier run stays.
   */
  deletionStarts(id: string, backup?: { of: Omit<UploadIdentity, "checksum">; bytes: Uint8Array }): void {
    const note = this.#read();
    if (backup !== undefined) {
      this.#files.write(this.#archive, backup.bytes);
    }
    this.#notes.writeBefore(this.#subject, {
      ...note,
      deletions: [...note.deletions.filter((other) => other.id !== id), { id, isDone: false }],
      backup: backup === undefined ? note.backup : { ...backup.of, checksum: sha256Of(backup.bytes) },
    });
  }

  /** The service has deleted it. */
  deletionAnswered(id: string): void {
    const note = this.#read();
    this.#save({
      ...note,
      uploads: note.uploads.filter((upload) => upload.id !== id),
      deletions: note.deletions.map((other) => (other.id === id ? { id, isDone: true } : other)),
    });
  }

  /** The service did not delete it. */
  deletionRefused(id: string): void {
    const note = this.#read();
    this.#save({ ...note, deletions: note.deletions.filter((other) => other.id !== id) });
  }

  /** Whether a run sent a deletion of this extension that no state shows. */
  mayHaveDeleted(id: string): boolean {
    return this.#read().deletions.some((deletion) => deletion.id === id);
  }

  /** The previous version of a resource that has none now. An earlier run may have saved it. */
  backup(): Backup | undefined {
    const { backup } = this.#read();
    const bytes = backup && this.#files.read(this.#archive);
    return bytes !== undefined && sha256Of(bytes) === backup?.checksum
      ? { ...backup, bytes, file: this.#files.shownPathOf(this.#archive) }
      : undefined;
  }

  /** The resource goes and nothing replaces it. */
  dropBackup(): void {
    const note = this.#notes.read(this.#subject);
    if (note?.backup !== undefined) {
      this.#save({ ...note, backup: undefined });
    }
  }

  /**
   * A create of this deployment reuses an extension. Another provider process may be about to
   * delete it: when a resource moves from one explicit provider to another, the process of the new
   * one creates it and that of the old one deletes it.
   */
  reuses(id: string): void {
    this.#reuses.writeAfter(fileNameOf(id), {});
  }

  /** Whether this deployment reuses the extension. Notes of other deployments do not count. */
  isReused(id: string): boolean {
    return this.#reuses.read(fileNameOf(id))?.deployment === this.#deployment;
  }

  /** The extension goes, or the deployment that wrote the note is over. */
  reuseSettled(id: string): void {
    this.#reuses.remove(fileNameOf(id));
  }

  /** The deployment ends by itself. */
  conclude(): void {
    this.#notes.conclude();
    for (const { subject } of this.#reuses.leftovers()) {
      this.#reuses.remove(subject);
    }
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

  /** What earlier deployments left of extensions that nobody declares any more. */
  leftovers(): readonly ExtensionLeftover[] {
    return this.#notes.leftovers();
  }

  /** Whether an update must undo one of them. Those of a resource that `knows` names stay. */
  hasToUndo(knows: (urn: string | undefined) => boolean): boolean {
    return this.leftovers().some(({ note }) => isToUndo(note, note.uploads) && !knows(note.urn));
  }

  /**
   * The deployment that wrote the note ended by itself, and nothing declares its resource any more:
   * only what got no answer is still open, and an archive that somebody may need.
   */
  forgetAnswers(): void {
    const note = this.#notes.read(this.#subject);
    if (note !== undefined) {
      const uploads = note.uploads.filter(({ id }) => id === undefined);
      const deletions = note.deletions.filter(({ isDone }) => !isDone);
      this.#rewrite({ ...note, uploads, deletions });
    }
  }

  get #archive(): string {
    return `${this.#subject}.zip`;
  }

  #read(): ExtensionNote {
    return this.#notes.read(this.#subject) ?? { uploads: [], deletions: [] };
  }

  #find(upload: UploadIdentity): PendingUpload | undefined {
    return this.#read().uploads.find((other) => isSameUpload(other, upload));
  }

  #put(upload: PendingUpload): void {
    this.#save(this.#with(upload));
  }

  /** The note with this upload in it. */
  #with(upload: PendingUpload): ExtensionNote {
    const note = this.#read();
    const others = note.uploads.filter((other) => !isSameUpload(other, upload));
    return { ...note, uploads: [...others, upload] };
  }

  /** Writes what this deployment does. */
  #save(note: ExtensionNote): void {
    this.#replace(note, () => this.#notes.writeAfter(this.#subject, note));
  }

  /** Writes less than a note said. Who wrote it stays the same. */
  #rewrite(note: ExtensionLeftover["note"]): void {
    this.#replace(note, () => this.#notes.rewrite(this.#subject, note));
  }

  #replace({ uploads, deletions, backup }: ExtensionNote, write: () => void): void {
    const hadBackup = this.#read().backup !== undefined;
    if (uploads.length + deletions.length > 0 || backup !== undefined) {
      write();
    } else {
      this.#notes.remove(this.#subject);
    }
    if (hadBackup && backup === undefined) {
      orLater(() => this.#files.remove(this.#archive));
    }
  }
}

/** Whether two uploads are of the same bytes, under the same name, in the same project. */
export function isSameUpload(a: UploadIdentity, b: UploadIdentity): boolean {
  return a.name === b.name && a.checksum === b.checksum && a.projectId === b.projectId;
}

/** Whether this upload may have become the extension with this id: without an answer, any. */
export function isUploadWithId(upload: PendingUpload | undefined, id: string): boolean {
  return upload !== undefined && (upload.id === undefined || upload.id === id);
}

/** Whether the state's extension came from this upload. */
function isInState(upload: PendingUpload, id: string, state: StoredExtension): boolean {
  const { name, checksum, projectId } = state;
  return upload.id === undefined
    ? upload.name === name && upload.checksum === checksum && upload.projectId === projectId
    : upload.id === id;
}

function fileNameOf(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 100);
}
