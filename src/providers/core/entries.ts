import { createHash, randomBytes } from "node:crypto";
import { LocalError } from "../../errors.js";
import type { JournalFiles } from "../journal/files.js";
import type { PropertyMap } from "../properties.js";

/** How far the service's clock may be from this machine's, in either direction. Milliseconds. */
const clockDifferenceMs = 10 * 60_000;

/**
 * How long a request without an answer may take to arrive, in milliseconds. Within this time, that
 * its result cannot be found proves nothing.
 */
export const lateRequestMs = 5 * 60_000;

/** Settings of an object by name, as they are sent or were before. Nothing secret. */
export type Values = Readonly<Record<string, string | number | boolean | null>>;

/**
 * One request that changes something, from the moment before it is sent until a later run has seen
 * its result in the state.
 *
 * Intent: it is written, and the request may have been sent. Answered: `answered` says what the
 * service has now. Seen: the entry is gone.
 */
export interface Entry {
  readonly op: "create" | "change" | "remove";
  /** The object. Of a creation: in the service's answer. */
  readonly id?: string | undefined;
  /** Of a creation: what tells the object from others, such as its name and its project. */
  readonly key?: PropertyMap | undefined;
  /** Of a creation that also replaces an object: the other one. */
  readonly replaces?: string | undefined;
  /** Of such a creation: objects with its name that it has not made. */
  readonly existing?: readonly string[] | undefined;
  /** Of such a creation: what it changes of the other object, by which its result is known. */
  readonly trace?: PropertyMap | undefined;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** When a deployment last looked for the result and did not find it. Milliseconds since 1970. */
  readonly soughtAt?: number | undefined;
  /** What the object has by the last answer, as a digest. Undefined: nobody knows. */
  readonly answered?: string | undefined;
  /** Settings that this resource, or one before it, may have given the object. */
  readonly sent?: readonly Values[] | undefined;
  /** What the object had before all of them. */
  readonly previous?: Values | undefined;
  /** A state must still take `previous` from a resource that is gone. */
  readonly isHandedOn?: boolean | undefined;
}

/** Who writes an entry. */
export interface EntryOwner {
  /** The resource; its URN names the stack and the Pulumi project as well. */
  readonly urn: string | undefined;
  /** Address of the service that the resource is deployed to. */
  readonly baseUrl: string;
  /** Tells the accounts of a service apart. Holds nothing of the API key. */
  readonly account: string;
  /** The deployment that this process works for. */
  readonly deployment: string;
}

/** An entry as it was read: where it is, and who wrote it. */
export interface NotedEntry extends Entry, EntryOwner {
  readonly file: string;
  /**
   * Its deployment ended in order. It proves nothing about the state, which may not have been
   * written. But nobody killed it, so what it left is never deleted unasked.
   */
  readonly hasEnded?: boolean | undefined;
  /** The last deployment whose program declared the resource or the object. */
  readonly seenBy?: string | undefined;
  /** An update of the stack ended without having met the resource. */
  readonly isUnclaimed?: boolean | undefined;
}

/** The entries of one kind of resource, as one resource sees them. */
export class Entries {
  readonly #files: JournalFiles;
  readonly #owner: EntryOwner;
  readonly #ending: string;
  readonly #subject: string;

  constructor(files: JournalFiles, owner: EntryOwner, kind: string) {
    this.#files = files;
    this.#owner = owner;
    this.#ending = `.${kind}.json`;
    const logicalName = (owner.urn?.split("::").at(-1) ?? kind).replace(/[^A-Za-z0-9._-]+/g, "-");
    this.#subject = `${logicalName.slice(0, 60)}-${digestOf([owner.urn ?? null, owner.baseUrl])}`;
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
    return this.#read(this.#fileOf(id)) ?? this.#removed().find((entry) => entry.id === id);
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
   * The deployment ends in order. Its answered deletions are kept in one file, whose objects no
   * later run can see in a state.
   */
  conclude(): void {
    const own = this.#every().filter(({ deployment }) => deployment === this.#owner.deployment);
    const removed = own.filter(({ op, answered }) => op === "remove" && answered !== undefined);
    if (removed.length > 0) {
      orLater(() => {
        const list = [...this.#removed(), ...removed].filter(
          ({ deployment }) => deployment === this.#owner.deployment,
        );
        this.#files.write(this.#removedFile, JSON.stringify({ version, removed: list }));
        for (const entry of removed) {
          this.drop(entry);
        }
      });
    }
    for (const entry of own.filter((each) => each.hasEnded !== true && !removed.includes(each))) {
      this.update(entry, { hasEnded: true });
    }
  }

  /** An update has ended since: what it declared, it has compared with these deletions. */
  forgetRemoved(): void {
    if (this.#removed().some(({ deployment }) => deployment !== this.#owner.deployment)) {
      orLater(() => this.#files.remove(this.#removedFile));
    }
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

  /** One for each stack and account. */
  get #removedFile(): string {
    const { urn, baseUrl, account } = this.#owner;
    return `${digestOf([stackOf(urn) ?? null, baseUrl, account])}.removed${this.#ending}`;
  }

  #isOfRemoved(file: string): boolean {
    return file.endsWith(`.removed${this.#ending}`);
  }

  #removed(): readonly NotedEntry[] {
    const file = this.#removedFile;
    const bytes = this.#files.read(file);
    return bytes === undefined ? [] : this.#parsed(file, bytes, (schema, json) => schema.parseRemoved(json));
  }

  #write({ file, ...entry }: NotedEntry): void {
    this.#files.write(file, JSON.stringify({ version, ...entry }));
  }

  /** Of every resource and stack. One that cannot be read is left out: it may be another stack's. */
  #every(): NotedEntry[] {
    return this.#list()
      .filter((file) => !this.#isOfRemoved(file))
      .flatMap((file) => {
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
    const bytes = this.#files.read(file);
    return bytes && { ...this.#parsed(file, bytes, (schema, json) => schema.parseEntry(json)), file };
  }

  #parsed<T>(file: string, bytes: Buffer, parse: (schema: EntrySchema, json: unknown) => T): T {
    // Loaded, and zod with it, only when there is an entry: most runs find none.
    const schema: EntrySchema = require("./entry-schema.js");
    try {
      return parse(schema, JSON.parse(bytes.toString("utf8")));
    } catch (error) {
      throw this.#files.unreadable(file, error);
    }
  }
}

type EntrySchema = typeof import("./entry-schema.js");

/** The layout of an entry. */
export const version = 1;

/** Does what may fail without harm, because a later run finds the same and tries again. */
export function orLater(work: () => void): void {
  try {
    work();
  } catch {
    // What a later run must know is still there.
  }
}

/** Whether no state can have what became of it: its deployment was killed, or got no answer. */
export function isOpen(entry: NotedEntry): boolean {
  return entry.hasEnded !== true || entry.answered === undefined;
}

/** Whether the service may still carry out a request whose result nobody found. */
function mayStillArrive({ id, sentAt }: Entry): boolean {
  return id === undefined && Date.now() - sentAt <= lateRequestMs;
}

/** Whether the next deployment must look for the result. One not found gets time to arrive. */
export function isToSeek(entry: Entry): boolean {
  return entry.soughtAt === undefined || !mayStillArrive(entry);
}

/** The same for the same settings, in whatever order they are. */
export function digestOf(settings: unknown): string {
  const json = JSON.stringify(settings, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(json).digest("hex").slice(0, 16);
}

/**
 * Whether an object can be what a creation without an answer became. One that is older or younger
 * than the request can be is somebody else's.
 */
export function isOfTime({ sentAt }: Entry, createdAtMs: number | undefined): boolean {
  return (
    createdAtMs !== undefined &&
    createdAtMs >= sentAt - clockDifferenceMs &&
    createdAtMs <= sentAt + lateRequestMs + clockDifferenceMs
  );
}

function stackOf(urn: string | undefined): string | undefined {
  return urn?.split("::").slice(0, 2).join("::");
}
