import { createHash } from "node:crypto";
import type { PropertyMap } from "../properties.js";

/** The layout of the journal's files. */
export const version = 1;

/** How far the service's clock may be from this machine's, in either direction. Milliseconds. */
export const clockDifferenceMs = 10 * 60_000;

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
  /** Of a removal: a file beside the entry with what the object held, to make it again. */
  readonly archive?: string | undefined;
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

/** The answered deletions of one deployment that ended in order. */
export interface RemovalList {
  readonly deployment: string;
  /** Ids of what was deleted, by kind. */
  readonly removed: Readonly<Record<string, readonly string[]>>;
}

/** Whether no state can have what became of it: its deployment was killed, or got no answer. */
export function isOpen(entry: NotedEntry): boolean {
  return entry.hasEnded !== true || entry.answered === undefined;
}

/** Whether the engine deletes the object next: its resource has another one since. */
export function isReplaced({ answered }: Entry): boolean {
  return answered === "replaced";
}

/** Whether the service may still carry out a request whose result nobody found. */
export function mayStillArrive({ id, sentAt }: Entry): boolean {
  return id === undefined && Date.now() - sentAt <= lateRequestMs;
}

/** Whether the next deployment must look for the result. One not found gets time to arrive. */
export function isToSeek(entry: Entry): boolean {
  return entry.soughtAt === undefined || !mayStillArrive(entry);
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

/** The same for the same settings, in whatever order they are. */
export function digestOf(settings: unknown): string {
  const json = JSON.stringify(settings, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(json).digest("hex").slice(0, 16);
}

/** The part of a URN that names the stack. */
export function stackOf(urn: string | undefined): string | undefined {
  return urn?.split("::").slice(0, 2).join("::");
}
