import { createHash } from "node:crypto";
import type { Entry, NotedEntry } from "./entry-schema.js";

export type { Entry, EntryOwner, NotedEntry, RemovalList, Values } from "./entry-schema.js";

/** How far the service's clock may be from this machine's, in either direction. Milliseconds. */
export const clockDifferenceMs = 10 * 60_000;

/**
 * How long a request without an answer may take to arrive, in milliseconds. Within this time, that
 * its result cannot be found proves nothing.
 */
export const lateRequestMs = 5 * 60_000;

/** Whether no state can have what became of it: its deployment was killed, or got no answer. */
export function isOpen(entry: NotedEntry): boolean {
  return entry.hasEnded !== true || entry.answered === undefined;
}

/** Whether the engine deletes the object next: its resource has another one since. */
export function isReplaced({ answered }: Entry): boolean {
  return answered === "replaced";
}

/** Whether the service may still carry out a request whose result was not found. */
export function mayStillArrive({ id, sentAt }: Entry): boolean {
  return id === undefined && Date.now() - sentAt <= lateRequestMs;
}

/** Whether the next deployment must look for the result. One not found gets time to arrive. */
export function isToSeek(entry: Entry): boolean {
  return entry.soughtAt === undefined || !mayStillArrive(entry);
}

/**
 * Whether an object can be what a creation without an answer became. One that is older or younger
 * than the request can be is another one.
 */
export function isOfTime({ sentAt }: Entry, createdAtMs: number | undefined): boolean {
  return (
    createdAtMs !== undefined &&
    createdAtMs >= sentAt - clockDifferenceMs &&
    createdAtMs <= sentAt + lateRequestMs + clockDifferenceMs
  );
}

/** The same for the same settings, in any order. */
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
