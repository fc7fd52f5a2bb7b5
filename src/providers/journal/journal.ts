import { createHash } from "node:crypto";
import { z } from "zod";
import { sha256Of } from "../../archive/index.js";
import { JournalFiles, type JournalPlace } from "./files.js";

const upload = z.object({ name: z.string(), checksum: z.string(), projectId: z.string().optional() });

/** What a note of each kind says. A file that does not match counts as missing. */
const noteSchemas = {
  /** An upload that was about to be sent. */
  upload,
  /** A deletion that was about to be sent. */
  deletion: z.object({ id: z.string() }),
  /** An extension that must be deleted before its replacement exists, so its archive is saved. */
  backup: upload,
  /** A rename of an API key that was about to be sent. */
  rename: z.object({
    keyId: z.string(),
    baseUrl: z.string(),
    /** The resource that renames the key. */
    urn: z.string().optional(),
    /** Every name that the resource may have given to the key. */
    names: z.array(z.string()),
    /** The name that the key had before the resource existed. */
    previousName: z.string(),
  }),
  /** An extension that a create found and reused instead of uploading it. */
  reuse: z.object({ id: z.string(), deployment: z.string() }),
} as const;

type NoteKind = keyof typeof noteSchemas;
type Note<K extends NoteKind> = z.infer<(typeof noteSchemas)[K]>;
type UploadNote = Note<"upload">;
type RenameNote = Note<"rename">;

/** The archive of a previous version that was deleted to make room for its replacement. */
export interface Backup extends UploadNote {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Path of the saved archive: relative to the program's folder, or absolute. */
  readonly file: string;
}

/** Whose notes a journal holds. */
export interface JournalOwner {
  readonly place: JournalPlace;
  /** The resource; its URN names the stack and the Pulumi project as well. */
  readonly urn: string | undefined;
  /** Address of the service that the resource is deployed to. */
  readonly baseUrl: string;
  /** The deployment that this process works for. */
  readonly deployment: string;
}

/**
 * What one resource leaves on disk for the next run, should this one be killed or lose a response.
 * A life cycle reports what it is about to do and what came of it, and asks what an earlier run
 * left open. Only the journal decides what that means for the files.
 */
export class Journal {
  readonly #owner: JournalOwner;
  readonly #notes: Notes;
  /** The resource, in the names of its files. */
  readonly #resource: string;

  constructor(owner: JournalOwner) {
    this.#owner = owner;
    this.#notes = new Notes(owner.place);
    const { urn, baseUrl } = owner;
    const logicalName = (urn?.split("::").at(-1) ?? "extension").replace(/[^A-Za-z0-9._-]+/g, "-");
    this.#resource = `${logicalName.slice(0, 60)}-${digestOf(urn ?? null, baseUrl)}`;
  }

  /** An upload is about to be sent. If the process is killed now, no state knows the extension. */
  uploadStarts(note: UploadNote): void {
    this.#notes.write(this.#resource, "upload", note);
  }

  /** The outcome of the upload is known, or what it left was dealt with. */
  uploadSettled(): void {
    this.#notes.remove(this.#resource, "upload");
  }

  /** The upload of this resource whose outcome no run has seen. */
  pendingUpload(): UploadNote | undefined {
    return this.#notes.read(this.#resource, "upload");
  }

  /** Whether there is one, and for something else than what the state says. */
  hasOutdatedUpload(state: { readonly name?: string | undefined; readonly checksum?: string | undefined }) {
    const pending = this.pendingUpload();
    return pending !== undefined && (pending.name !== state.name || pending.checksum !== state.checksum);
  }

  /**
   * The deletion of an extension is about to be sent. If nobody sees its outcome, an unchanged
   * program would never find out that the extension in the state may be gone.
   */
  deletionStarts(id: string): void {
    this.#notes.write(this.#resource, "deletion", { id });
  }

  /** The outcome is known. What was not deleted is still there, so its backup goes, too. */
  deletionSettled(outcome: "deleted" | "refused"): void {
    this.#notes.remove(this.#resource, "deletion");
    if (outcome === "refused") {
      this.#notes.remove(this.#resource, "backup");
    }
  }

  /** Whether an earlier run sent a deletion of this extension and nobody knows its outcome. */
  mayHaveDeleted(id: string): boolean {
    return this.#notes.read(this.#resource, "deletion")?.id === id;
  }

  /** Saves the archive of an extension that is about to be deleted for its replacement. */
  saveBackup(extension: Omit<UploadNote, "checksum">, bytes: Uint8Array): void {
    this.#notes.write(this.#resource, "backup", { ...extension, checksum: sha256Of(bytes) }, bytes);
  }

  /** The previous version of a resource that has none now. An earlier run may have saved it. */
  backup(): Backup | undefined {
    const note = this.#notes.read(this.#resource, "backup");
    const archive = note && this.#notes.readArchive(this.#resource);
    return archive !== undefined && sha256Of(archive.bytes) === note?.checksum
      ? { ...note, ...archive }
      : undefined;
  }

  /** The resource exists: no backup and no deletion of an earlier version matters any more. */
  resourceExists(): void {
    this.#notes.remove(this.#resource, "backup");
    this.#notes.remove(this.#resource, "deletion");
  }

  /** The resource goes and nothing replaces it. */
  resourceEnds(): void {
    this.#notes.remove(this.#resource, "backup");
  }

  /**
   * A create of this deployment reuses an extension. Another provider process may be about to
   * delete it: when a resource moves from one explicit provider to another, the process of the new
   * one creates it and that of the old one deletes it.
   */
  reuses(id: string): void {
    this.#notes.write(fileNameOf(id), "reuse", { id, deployment: this.#owner.deployment });
  }

  /** Whether this deployment reuses the extension. Notes of other deployments do not count. */
  isReused(id: string): boolean {
    return this.#notes.read(fileNameOf(id), "reuse")?.deployment === this.#owner.deployment;
  }

  /** The deletion that the note is about has come up, or the deployment that wrote it is over. */
  reuseSettled(id: string): void {
    this.#notes.remove(fileNameOf(id), "reuse");
  }

  /**
   * A rename of an API key is about to be sent. If the process is killed now, no state knows the
   * previous name, and the next run would take our own name for it. Returns the note of an earlier
   * run, which {@link renameRefused} needs.
   */
  renameStarts(
    keyId: string,
    { names: given, previousName }: { readonly names: readonly string[]; readonly previousName: string },
  ): RenameNote | undefined {
    const earlier = this.pendingRename(keyId);
    const { urn, baseUrl } = this.#owner;
    const names = [...new Set([...(earlier?.names ?? []), ...given])];
    this.#notes.write(this.#key(keyId), "rename", { keyId, baseUrl, urn, names, previousName });
    return earlier;
  }

  /** The service refused the rename, so only what an earlier run left is still open. */
  renameRefused(keyId: string, earlier: RenameNote | undefined): void {
    if (earlier === undefined) {
      this.renameSettled(keyId);
    } else {
      this.#notes.write(this.#key(keyId), "rename", earlier);
    }
  }

  /** The key's name is known, or nobody needs to know it any more. */
  renameSettled(keyId: string): void {
    this.#notes.remove(this.#key(keyId), "rename");
  }

  /** The rename of a key whose outcome no run has seen, whichever resource sent it. */
  pendingRename(keyId: string): RenameNote | undefined {
    return this.#notes.read(this.#key(keyId), "rename");
  }

  /** Renames by this resource of other keys than `keyId`: the program named those before. */
  pendingRenamesOfOtherKeys(keyId: string): readonly RenameNote[] {
    const { urn, baseUrl } = this.#owner;
    return this.#notes
      .readAll("rename")
      .filter((note) => note.urn === urn && note.baseUrl === baseUrl && note.keyId !== keyId);
  }

  /** By key and not by resource: another resource may name the key in the next run. */
  #key(keyId: string): string {
    return `api-key-${digestOf(keyId, this.#owner.baseUrl)}`;
  }
}

/** The notes of a journal, each in a file `<subject>.<kind>.json`, and a backup's archive beside its note. */
class Notes {
  readonly #files: JournalFiles;

  constructor(place: JournalPlace) {
    this.#files = new JournalFiles(place);
  }

  /** Writes a note, after the archive that belongs to it. */
  write<K extends NoteKind>(subject: string, kind: K, note: Note<K>, archive?: Uint8Array): void {
    if (archive !== undefined) {
      this.#files.write(archiveFileOf(subject), archive);
    }
    this.#files.write(noteFileOf(subject, kind), JSON.stringify(note));
  }

  /** What a note says; undefined when there is none that can be read. */
  read<K extends NoteKind>(subject: string, kind: K): Note<K> | undefined {
    const bytes = this.#files.read(noteFileOf(subject, kind));
    if (bytes === undefined) {
      return undefined;
    }
    try {
      return noteSchemas[kind].parse(JSON.parse(bytes.toString("utf8"))) as Note<K>;
    } catch {
      return undefined;
    }
  }

  readAll<K extends NoteKind>(kind: K): readonly Note<K>[] {
    const ending = noteFileOf("", kind);
    return this.#files
      .list()
      .filter((file) => file.endsWith(ending))
      .map((file) => this.read(file.slice(0, -ending.length), kind))
      .filter((note) => note !== undefined);
  }

  readArchive(subject: string): Pick<Backup, "bytes" | "file"> | undefined {
    const file = archiveFileOf(subject);
    const bytes = this.#files.read(file);
    return bytes && { bytes, file: this.#files.shownPathOf(file) };
  }

  /** Removes a note and the archive that belongs to it. */
  remove(subject: string, kind: NoteKind): void {
    if (kind === "backup") {
      this.#files.remove(archiveFileOf(subject));
    }
    this.#files.remove(noteFileOf(subject, kind));
  }
}

function noteFileOf(subject: string, kind: NoteKind): string {
  return `${subject}.${kind}.json`;
}

function archiveFileOf(subject: string): string {
  return `${subject}.backup.zip`;
}

function fileNameOf(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 100);
}

function digestOf(...parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
