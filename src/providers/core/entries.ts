import { randomBytes } from "node:crypto";
import { LocalError } from "../../errors.js";
import type { JournalFiles } from "../journal/files.js";
import {
  digestOf,
  type Entry,
  type EntryOwner,
  isToSeek,
  mayStillArrive,
  type NotedEntry,
  stackOf,
  version,
} from "./entry.js";
import { readJson } from "./entry-file.js";
import { Removals } from "./removals.js";

export {
  digestOf,
  type Entry,
  type EntryOwner,
  isOfTime,
  isOpen,
  isToSeek,
  type NotedEntry,
  type Values,
} from "./entry.js";

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
    this.#removals = new Removals(files, owner, kind, (id) => this.#fileOf(id));
  }

  /** Creations of this resource that no run has seen in the state, oldest first. */
  creations(): readonly NotedEntry[] {
    return this.#list()
      .filter((file) => file.startsWith(`${this.#subject}.`))
      .flatMap((file) => this.#read(file) ?? [])
      .sort((a, b) => a.sentAt - b.sentAt);
  }

  /** What was sent about an object, whichever resource sent it. */
  about(id: string): NotedEntry | undefined {
    return this.#read(this.#fileOf(id)) ?? this.#removals.find(id);
  }

  /** Notes a request that is about to be sent. Throws when it cannot, and nothing must be sent. */
  intend(entry: Omit<Entry, "sentAt">): NotedEntry {
    const file =
      entry.op === "create" || entry.id === undefined
        ? `${this.#subject}.${randomBytes(4).toString("hex")}${this.#ending}`
        : this.#fileOf(entry.id);
    const noted = { ...entry, sentAt: Date.now(), file, ...this.#origin };
    this.#write(noted);
    return noted;
  }

  /** Notes what became of it. If that fails, a later run finds out by itself. */
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
    return this.update(entry, { ...change, ...this.#origin, ...nothing });
  }

  /** The result is known, and nobody needs the entry any more. */
  drop(entry: NotedEntry | undefined): void {
    if (entry !== undefined) {
      orLater(() => this.#files.remove(entry.file));
      this.#forgetRemoval(entry);
    }
  }

  /** The service refused the request: what was noted before it counts again. */
  restore(entry: NotedEntry, earlier: NotedEntry | undefined): void {
    if (earlier === undefined) {
      this.drop(entry);
    } else {
      this.update({ ...earlier, file: entry.file }, {});
    }
  }

  /** Nobody found what was created. Unless it had an answer or is old, it may still arrive. */
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
    const object = id === undefined ? undefined : this.#read(this.#fileOf(id));
    for (const entry of [...this.creations(), ...(object === undefined ? [] : [object])]) {
      if (entry.deployment !== deployment && entry.seenBy !== deployment) {
        this.update(entry, { seenBy: deployment, isUnclaimed: undefined });
      }
    }
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
    return isOpen || this.creations().some(isToSeek);
  }

  /**
   * The deployment ends in order. Its answered deletions are kept in one file: the state may list
   * those objects still, or never again.
   */
  conclude(): void {
    const own = this.#every().filter(({ deployment }) => deployment === this.#owner.deployment);
    const removed = own.filter(
      ({ op, id, answered }) => op === "remove" && id !== undefined && answered !== undefined,
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

  get #origin(): EntryOwner {
    const { urn, baseUrl, account, deployment } = this.#owner;
    return { urn, baseUrl, account, deployment };
  }

  #fileOf(id: string): string {
    return `${digestOf([id, this.#owner.baseUrl])}${this.#ending}`;
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
        return this.#read(file) ?? [];
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

  /** Undefined when there is no such file. Throws `LocalError` `journal_unreadable`. */
  #read(file: string): NotedEntry | undefined {
    const entry = readJson(this.#files, file, ({ parseEntry }, json) => parseEntry(json));
    return entry && { ...entry, file };
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
