import { createHash } from "node:crypto";
import type { JournalFiles } from "./files.js";
import type { NoteKind, NoteOf, NoteOrigin } from "./schemas.js";

/** Whose notes a journal holds. */
export interface JournalOwner {
  /** The program's folder. Unless the environment names another, the journal's folder is in it. */
  readonly programFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The resource; its URN names the stack and the Pulumi project as well. */
  readonly urn: string | undefined;
  /** Address of the service that the resource is deployed to. */
  readonly baseUrl: string;
  /** Tells the accounts of a service apart. Holds nothing of the API key. */
  readonly account: string;
  /** The deployment that this process works for. */
  readonly deployment: string;
}

/** A note, and the name under which it is kept. */
export interface Leftover<K extends NoteKind> {
  readonly subject: string;
  readonly note: NoteOf<K> & NoteOrigin;
}

/** The notes of one kind: files `<subject>.<ending>.json` that hold JSON. */
export class NoteFiles<K extends NoteKind> {
  readonly #files: JournalFiles;
  readonly #owner: JournalOwner;
  readonly #kind: K;
  readonly #ending: string;

  /** `ending`: tells apart notes of one kind about several kinds of objects. */
  constructor(files: JournalFiles, owner: JournalOwner, kind: K, ending: string = kind) {
    this.#files = files;
    this.#owner = owner;
    this.#kind = kind;
    this.#ending = `.${ending}.json`;
  }

  /** What a note says. A file that cannot be read or does not match counts as missing. */
  read(subject: string): (NoteOf<K> & NoteOrigin) | undefined {
    const bytes = this.#files.read(subject + this.#ending);
    if (bytes === undefined) {
      return undefined;
    }
    // Not in the `try`: without these, every note would count as missing.
    const { parseNote }: typeof import("./schemas.js") = require("./schemas.js");
    try {
      return parseNote(this.#kind, JSON.parse(bytes.toString("utf8")));
    } catch {
      return undefined;
    }
  }

  /**
   * Writes what this deployment is about to do. Throws when it cannot, and nothing must be sent.
   */
  writeBefore(subject: string, note: NoteOf<K>): void {
    const { urn, baseUrl, account, deployment } = this.#owner;
    const origin = { urn, baseUrl, account, deployment, concluded: false, seenBy: undefined };
    this.#files.write(subject + this.#ending, JSON.stringify({ ...note, ...origin }));
  }

  /** Writes what became of it. If that fails, a later run finds out by itself. */
  writeAfter(subject: string, note: NoteOf<K>): void {
    orLater(() => this.writeBefore(subject, note));
  }

  /**
   * Writes less than a note said, and keeps its origin. If that fails, the next run tries again.
   */
  rewrite(subject: string, note: NoteOf<K> & NoteOrigin): void {
    orLater(() => this.#files.write(subject + this.#ending, JSON.stringify(note)));
  }

  /** Removes a note. If that fails, the next run tries again. */
  remove(subject: string): void {
    orLater(() => this.#files.remove(subject + this.#ending));
  }

  /** The program of this deployment declares the resource, which every process can now see. */
  declare(subject: string): void {
    const note = this.read(subject);
    const { deployment } = this.#owner;
    if (note !== undefined && note.deployment !== deployment && note.seenBy !== deployment) {
      this.rewrite(subject, { ...note, seenBy: deployment });
    }
  }

  /** The deployment ends by itself: the state has every answer that it got. */
  conclude(): void {
    for (const { subject, note } of this.#all()) {
      if (note.deployment === this.#owner.deployment && note.concluded !== true) {
        this.rewrite(subject, { ...note, concluded: true });
      }
    }
  }

  /**
   * What earlier deployments of this stack left, with the same account, of resources that no
   * process of this deployment has seen.
   */
  leftovers(): readonly Leftover<K>[] {
    const { urn, baseUrl, account, deployment } = this.#owner;
    const stack = stackOf(urn);
    return this.#all().filter(
      ({ note }) =>
        stackOf(note.urn) === stack &&
        note.baseUrl === baseUrl &&
        note.account === account &&
        note.deployment !== deployment &&
        note.seenBy !== deployment,
    );
  }

  /** Every note of this kind, whoever wrote it. */
  all(): readonly (NoteOf<K> & NoteOrigin)[] {
    return this.#all().map(({ note }) => note);
  }

  #all(): Leftover<K>[] {
    return this.#files
      .list()
      .filter((file) => file.endsWith(this.#ending))
      .map((file) => file.slice(0, -this.#ending.length))
      .flatMap((subject) => {
        const note = this.read(subject);
        return note === undefined ? [] : [{ subject, note }];
      });
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

/**
 * Whether no state can have what became of a change: its deployment was killed, or got no answer.
 */
export function isOpen(note: NoteOrigin & { readonly answered?: unknown }): boolean {
  return note.concluded !== true || note.answered === undefined;
}

/** The stack and the Pulumi project of a URN, `urn:pulumi:<stack>::<project>::<type>::<name>`. */
function stackOf(urn: string | undefined): string | undefined {
  return urn?.split("::").slice(0, 2).join("::");
}

/** The subject of a note about a resource, which begins with its logical name, for people. */
export function resourceSubject({ urn, baseUrl }: JournalOwner, kind: string): string {
  const logicalName = (urn?.split("::").at(-1) ?? kind).replace(/[^A-Za-z0-9._-]+/g, "-");
  return `${logicalName.slice(0, 60)}-${digestOf(urn ?? null, baseUrl)}`;
}

/** The part of a note's file name that tells it from every other. */
export function digestOf(...parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
