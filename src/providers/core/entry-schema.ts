/** What a file of the journal says, as JSON. Loaded, and zod with it, when a run finds one. */
import { z } from "zod";
import type { PropertyMap } from "../properties.js";

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).readonly();

const properties = z.record(z.string(), z.custom<PropertyMap[string]>());

/**
 * One request that changes something, from the moment before it is sent until a later run has seen
 * its result in the state.
 *
 * Intent: it is written, and the request may have been sent. Answered: `answered` says what the
 * service has now. Seen: the entry is gone.
 */
const entry = z.object({
  op: z.enum(["create", "change", "remove"]),
  /** The object. Of a creation: in the service's answer. */
  id: z.string().optional(),
  /** Of a creation: what identifies the object, such as its name and its project. */
  key: properties.optional(),
  /** Of a creation that also replaces an object: the other one. */
  replaces: z.string().optional(),
  /** Of such a creation: objects with its name that it has not made. */
  existing: z.array(z.string()).optional(),
  /** Of such a creation: what it changes of the other object, by which its result is known. */
  trace: properties.optional(),
  /** Milliseconds since 1970. */
  sentAt: z.number(),
  /** When a deployment last looked for the result and did not find it. Milliseconds since 1970. */
  soughtAt: z.number().optional(),
  /** What the object has by the last answer, as a digest. Undefined: unknown. */
  answered: z.string().optional(),
  /** Settings that this resource, or one before it, may have given the object. */
  sent: z.array(values).optional(),
  /** What the object had before all of them. */
  previous: values.optional(),
  /** A state must still take `previous` from a resource that is gone. */
  isHandedOn: z.boolean().optional(),
  /** Of a removal: a file next to the entry with what the object held, to recreate it. */
  archive: z.string().optional(),
  /** Of a removal without an id: what the object had that the next one of its resource is to have. */
  left: properties.optional(),
});

/** Who writes an entry. */
const owner = z.object({
  /** The resource; its URN names the stack and the Pulumi project as well. */
  urn: z.string().optional(),
  /** Address of the service that the resource is deployed to. */
  baseUrl: z.string(),
  /** Digest that identifies the account. The API key cannot be derived from it. */
  account: z.string(),
  /** The deployment that this process works for. */
  deployment: z.string(),
});

/** What later runs have noted of an entry. */
const fate = z.object({
  /**
   * Its deployment has completed. That proves nothing about the state, which may not have been
   * written. But it was not killed, so what it left is never deleted unasked.
   */
  hasEnded: z.boolean().optional(),
  /** The last deployment whose program declared the resource or the object. */
  seenBy: z.string().optional(),
  /** An update of the stack ended without having met the resource. */
  isUnclaimed: z.boolean().optional(),
});

const written = z.object({ ...entry.shape, ...owner.shape, ...fate.shape });

/** The answered deletions of one deployment that completed. */
const removals = z.object({
  deployment: z.string(),
  /** Ids of what was deleted, by kind. */
  removed: z.record(z.string(), z.array(z.string())),
});

/** Settings of an object by name, as they are sent or were before. Nothing secret. */
export type Values = z.infer<typeof values>;
export type Entry = Readonly<z.infer<typeof entry>>;
export type EntryOwner = Readonly<z.infer<typeof owner>>;
/** An entry as it was read: where it is, and who wrote it. */
export type NotedEntry = Readonly<z.infer<typeof written>> & { readonly file: string };
export type RemovalList = Readonly<z.infer<typeof removals>>;

/** Reads what a file says. Throws when the JSON is not that. */
export const parsers = {
  entry: (json: unknown) => written.parse(json),
  /** The deletions of a deployment that completed. */
  removals: (json: unknown) => removals.parse(json),
};
