import { randomBytes } from "node:crypto";
import { LocalError } from "../../errors.js";
import type { JournalFiles } from "../journal/files.js";
import type { PropertyMap } from "../properties.js";
import {
  digestOf,
  type Entry,
  type EntryOwner,
  isReplaced,
  isToSeek,
  mayStillArrive,
  type NotedEntry,
  stackOf,
} from "./entry.js";
import { readEntry, version } from "./entry-file.js";
import { Removals } from "./removals.js";

/** How the name of an archive ends. */
const archiveEnding = ".zip";

/** An object that was removed, and what it held. */
export interface SavedObject {
  readonly entry: NotedEntry;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the bytes are, for a message. */
  readonly path: string;
}

/** The entries of one kind of resource, as one resource sees them. */
export class Entries {
  readonly #files: JournalFiles;
  readonly #owner: EntryOwner;
  readonly #ending: string;
  readonly #subject: string;
  readonly #removals: Removals;

  constructor(files: JournalFiles, owner: EntryOwner, kind: string) {
    this.#files = files;
    this.#owner = owner;
    this.#ending = `.${kind}.json`;
    const logicalName = (owner.urn?.split("::").at(-1) ?? kind).replace(/[^A-Za-z0-9._-]+/g, "-");
    this.#subject = `${logicalName.slice(0, 60)}-${digestOf([owner.urn ?? null, owner.baseUrl])}`;
    this.#removals = new Removals(files, owner, kind);
  }

  /** Creations of this resource that no run has seen in the state, oldest first. */
  creations(): readonly NotedEntry[] {
    return this.#list()
      .filter((file) => file.startsWith(`${this.#subject}.`))
      .flatMap((file) => readEntry(this.#files, file) ?? [])
      .sort((a, b) => a.sentAt - b.sentAt);
  }

  /** What was sent about an object, whichever resource sent it. */
  about(id: string): NotedEntry | undefined {
    const file = this.#fileOf(id);
    return readEntry(this.#files, file) ?? this.#removals.find(id, file);
  }

  /** The deletion of an object, if nothing else was sent since. */
  removalOf(id: string): NotedEntry | undefined {
    const entry = this.about(id);
    return entry?.op === "remove" ? entry : undefined;
  }

  /** The object exists, so no deletion that an earlier run sent has happened. */
  exists(id: string): void {
    this.drop(this.removalOf(id));
  }

  /** Notes a request that is about to be sent. Throws when it cannot, and nothing must be sent. */
  intend(entry: Omit<Entry, "sentAt">): NotedEntry {
    const file =
      entry.op === "create" || entry.id === undefined
        ? `${this.#subject}.${randomBytes(4).toString("hex")}${this.#ending}`
        : this.#fileOf(entry.id);
    const noted = { ...entry, sentAt: Date.now(), file, ...this.#owner };
    this.#write(noted);
    return noted;
  }

  /** Notes what became of it. If that fails, a later run finds out. */
  update(entry: NotedEntry, change: Partial<NotedEntry>): NotedEntry {
    const next = { ...entry, ...change };
    orLater(() => this.#write(next));
    return next;
  }

  /**
   * This deployment has completed what another one noted, so the entry is its own from now on.
   * Otherwise it would look like a leftover once the state has the result.
   */
  takeOver(entry: NotedEntry, change: Partial<Entry>): NotedEntry {
    const nothing = { hasEnded: undefined, seenBy: undefined, isUnclaimed: undefined };
    return this.update(entry, { ...change, ...this.#owner, ...nothing });
  }

  /** The result is known, and the entry is no longer needed. */
  drop(entry: NotedEntry | undefined): void {
    if (entry !== undefined) {
      this.#removeArchive(entry);
      orLater(() => this.#files.remove(entry.file));
      this.#forgetRemoval(entry);
    }
  }

  /**
   * Saves what an object holds that is about to be removed. Returns what the entry of the removal
   * must say of it. Throws when it cannot, and nothing must be sent.
   */
  save(id: string, bytes: Uint8Array): Required<Pick<Entry, "archive">> {
    const archive = `${this.#subject}.${digestOf([id, this.#owner.baseUrl])}${archiveEnding}`;
    this.#files.write(archive, bytes);
    return { archive };
  }

  /** The object of this resource that was removed last, of those whose archive exists. */
  saved(): SavedObject | undefined {
    const [last] = this.#archives()
      .flatMap((archive) => readEntry(this.#files, this.#fileOfArchive(archive)) ?? [])
      .sort((a, b) => b.sentAt - a.sentAt);
    const { archive } = last ?? {};
    const bytes = archive === undefined ? undefined : this.#files.read(archive);
    return last === undefined || archive === undefined || bytes === undefined
      ? undefined
      : { entry: last, bytes, path: this.#files.shownPathOf(archive) };
  }

  /** The archives of this resource are no longer needed. */
  dropSaved(): void {
    for (const archive of this.#archives()) {
      this.drop(readEntry(this.#files, this.#fileOfArchive(archive)));
      orLater(() => this.#files.remove(archive));
    }
  }

  /**
   * What the object of this resource had that its program does not declare, for the next one. Throws
   * when it cannot be written, and the object must stay.
   */
  handDown(left: PropertyMap): void {
    this.#write({ op: "remove", left, sentAt: Date.now(), file: this.#fileOfLeft, ...this.#owner });
  }

  /** What the last object of this resource handed down. Throws `LocalError` `journal_unreadable`. */
  handedDown(): PropertyMap | undefined {
    return readEntry(this.#files, this.#fileOfLeft)?.left;
  }

  /** The next object has it, or there will be none. */
  dropHandedDown(): void {
    orLater(() => this.#files.remove(this.#fileOfLeft));
  }

  /** The service refused the request: what was noted before it counts again. */
  restore(entry: NotedEntry, earlier: NotedEntry | undefined): void {
    if (earlier === undefined) {
      this.drop(entry);
    } else {
      if (entry.archive !== earlier.archive) {
        this.#removeArchive(entry);
      }
      this.update({ ...earlier, file: entry.file }, {});
    }
  }

  /** What was created was not found. Unless it had an answer or is old, it may still arrive. */
  notFound(entry: NotedEntry): void {
    if (mayStillArrive(entry)) {
      this.update(entry, { soughtAt: Date.now() });
    } else {
      this.drop(entry);
    }
  }

  /** The program declares the resource, and what it has: every process can see that now. */
  declare(id?: string): void {
    const { deployment } = this.#owner;
    const object = id === undefined ? undefined : readEntry(this.#files, this.#fileOf(id));
    for (const entry of [...this.creations(), ...(object === undefined ? [] : [object])]) {
      if (entry.deployment !== deployment && entry.seenBy !== deployment) {
        this.update(entry, { seenBy: deployment, isUnclaimed: undefined });
      }
    }
  }

  /** Whether this deployment has deleted the object. */
  hasRemoved(id: string): boolean {
    const entry = this.removalOf(id);
    return entry?.answered !== undefined && this.isOwn(entry);
  }

  /** Whether a create of this deployment has reused the object, perhaps in another process. */
  hasReused(id: string): boolean {
    return this.creations().some(
      (entry) => entry.id === id && entry.answered !== "created" && !isReplaced(entry) && this.isOwn(entry),
    );
  }

  /** Whether a process of this deployment has written an entry. */
  isOwn({ deployment }: NotedEntry): boolean {
    return deployment === this.#owner.deployment;
  }

  /** A run found this object with these settings in the state. */
  seen(id: string, settings: object): void {
    for (const creation of this.creations().filter((each) => each.id === id)) {
      this.drop(creation);
    }
    const entry = this.about(id);
    if (entry?.op === "change" && entry.isHandedOn !== true && entry.answered === digestOf(settings)) {
      this.drop(entry);
    }
    if (entry?.op !== "remove") {
      // The resource has an object, so it needs none of those before.
      this.dropSaved();
    }
  }

  /** The service has deleted the object, so what was noted of its creation is over. */
  gone(id: string): void {
    for (const entry of this.#every().filter((each) => each.op === "create" && each.id === id)) {
      this.drop(entry);
    }
  }

  /** Whether the next deployment of the resource must look, although nothing else differs. */
  isInDoubt(id: string, settings: object): boolean {
    const entry = this.about(id);
    const isOpen = entry !== undefined && (entry.op === "remove" || entry.answered !== digestOf(settings));
    const others = this.creations().filter((each) => each.id !== id && !isReplaced(each));
    return isOpen || others.some(isToSeek);
  }

  /**
   * The deployment has completed. Its answered deletions are kept in one file: the state may list
   * those objects still, or never again.
   */
  conclude(): void {
    const own = this.#every().filter(({ deployment }) => deployment === this.#owner.deployment);
    const removed = own.filter(
      ({ op, id, answered, archive }) =>
        op === "remove" && id !== undefined && answered !== undefined && archive === undefined,
    );
    orLater(() => {
      this.#removals.add(removed.flatMap(({ id = [] }) => id));
      for (const entry of removed) {
        this.#files.remove(entry.file);
      }
    });
    for (const entry of own.filter((each) => each.hasEnded !== true && !removed.includes(each))) {
      this.update(entry, { hasEnded: true });
    }
  }

  /**
   * An update ends, so no state lists what earlier deployments deleted. `mayList`: it met the
   * resource of an object, but could not compare it with the service.
   */
  forgetRemoved(mayList: (id: string) => boolean = () => false): void {
    orLater(() => this.#removals.pass(mayList));
  }

  /**
   * What earlier deployments of this stack left, with the same account, of resources and objects
   * that no process of this deployment has seen. Entries that cannot be read stay.
   */
  leftovers(): readonly NotedEntry[] {
    const { urn, baseUrl, account, deployment } = this.#owner;
    return this.#every().filter(
      (entry) =>
        stackOf(entry.urn) === stackOf(urn) &&
        entry.baseUrl === baseUrl &&
        entry.account === account &&
        entry.deployment !== deployment &&
        entry.seenBy !== deployment,
    );
  }

  get #fileOfLeft(): string {
    return `${this.#subject}-left${this.#ending}`;
  }

  #fileOf(id: string): string {
    return `${digestOf([id, this.#owner.baseUrl])}${this.#ending}`;
  }

  /** Archives of this resource, by their names. */
  #archives(): readonly string[] {
    return this.#files
      .list()
      .filter((file) => file.startsWith(`${this.#subject}.`) && file.endsWith(archiveEnding));
  }

  #fileOfArchive(archive: string): string {
    return `${archive.slice(this.#subject.length + 1, -archiveEnding.length)}${this.#ending}`;
  }

  #removeArchive({ archive }: Entry): void {
    if (archive !== undefined) {
      orLater(() => this.#files.remove(archive));
    }
  }

  /** What is noted of an object since its deletion says more than the deletion. */
  #forgetRemoval({ op, id }: Entry): void {
    if (op !== "create" && id !== undefined) {
      orLater(() => this.#removals.forget(id));
    }
  }

  #write({ file, ...entry }: NotedEntry): void {
    this.#files.write(file, JSON.stringify({ version, ...entry }));
    this.#forgetRemoval(entry);
  }

  /** Of all resources and stacks. What is unreadable is left out: it may be another's. */
  #every(): NotedEntry[] {
    return this.#list().flatMap((file) => {
      try {
        return readEntry(this.#files, file) ?? [];
      } catch (error) {
        if (error instanceof LocalError) {
          return [];
        }
        throw error;
      }
    });
  }

  #list(): readonly string[] {
    return this.#files.list().filter((file) => file.endsWith(this.#ending));
  }
}

/** Does what may fail without harm, because a later run finds the same and tries again. */
export function orLater(work: () => void): void {
  try {
    work();
  } catch {
    // What a later run must know is still there.
  }
}
