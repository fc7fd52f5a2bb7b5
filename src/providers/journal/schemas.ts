/**
 * What the notes of the journal say, as JSON. Loaded, and zod with it, when a run finds a note:
 * most runs find none.
 */
import { z } from "zod";

const originSchema = z.object({
  urn: z.string().optional(),
  baseUrl: z.string(),
  account: z.string(),
  /** The deployment that wrote the note. */
  deployment: z.string(),
  /** That deployment ended by itself, so the state has every answer it got. */
  concluded: z.boolean().optional(),
  /** The last deployment whose program declared the resource, if it found the note. */
  seenBy: z.string().optional(),
});

/** When a request was sent, and what became of it. */
const sentRequest = {
  /** Milliseconds since 1970. */
  sentAt: z.number(),
  /** The id in the service's answer. Without one, nobody knows whether the request arrived. */
  id: z.string().optional(),
  /** When a deployment last looked for its result and did not find it. Milliseconds since 1970. */
  soughtAt: z.number().optional(),
};

const uploadIdentity = { name: z.string(), checksum: z.string(), projectId: z.string().optional() };

const uploadSchema = z.object({ ...uploadIdentity, ...sentRequest });

const creationSchema = z.object({
  /** Tells it from the other creations of the same resource. */
  attempt: z.int(),
  name: z.string(),
  /** The project that it was created in or for, if the program names one. */
  projectId: z.string().optional(),
  /** Ids that had this name before it was sent, whoever created them. */
  existing: z.array(z.string()),
  /** The object that this one replaces, for a request that does both. */
  replaces: z.string().optional(),
  /**
   * When the replaced object was to expire before, and how many days it gets instead. No days: a
   * later request replaced it, and only what appears after that can still be the result.
   */
  expiredBefore: z.string().nullable().optional(),
  graceDays: z.int().optional(),
  ...sentRequest,
});

/** The settings of an object by name. Null: the object has none. */
const settingsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

const noteSchemas = {
  /** What one Extension leaves. */
  extension: z.object({
    /** What the resource uploaded, or was about to upload. */
    uploads: z.array(uploadSchema),
    /** What it deleted, or was about to delete. */
    deletions: z.array(z.object({ id: z.string(), isDone: z.boolean() })),
    /** The version deleted for its replacement. Its archive is in a file beside the note. */
    backup: z.object(uploadIdentity).optional(),
  }),

  /** A create of this deployment reuses an extension. */
  reuse: z.object({}),

  /** What one resource leaves whose objects are known by a name and an id alone. */
  creation: z.object({
    creations: z.array(creationSchema),
    /** Ids that the resource deleted, or was about to delete. */
    deletions: z.array(z.string()).default([]),
    /** Objects of the resource that exist although a refresh dropped the state that had them. */
    outlived: z.array(z.object({ id: z.string(), expiresAt: z.string().optional() })).default([]),
  }),

  /** A change of an object whose result no run has seen in the state. */
  change: z.object({
    /** The object's id. */
    objectId: z.string(),
    /** What it had before the resource changed it. Empty where nothing is to be restored. */
    previous: settingsSchema,
    /** Everything that the resource may have set, the latest at the end. */
    sent: z.array(settingsSchema),
    /** What the service's last answer says; undefined when the last change got no answer. */
    answered: settingsSchema.optional(),
    /**
     * What the resource that managed the object until now had set, and what was there before it.
     * The one that manages it from now on could not know that when it was created.
     */
    inherited: z.object({ set: settingsSchema, previous: settingsSchema }).optional(),
  }),
};

/** What every note says of its origin. */
export type NoteOrigin = z.infer<typeof originSchema>;
/** The kinds of notes, by what they say. */
export type NoteKind = keyof typeof noteSchemas;
/** What a note of a kind says, without its origin. */
export type NoteOf<K extends NoteKind> = z.infer<(typeof noteSchemas)[K]>;
/** An upload that no run has seen in the state. */
export type PendingUpload = z.infer<typeof uploadSchema>;
/** A creation whose result no run has seen in the state. */
export type PendingCreation = z.infer<typeof creationSchema>;

/** Reads a note. Throws when the JSON is not one of this kind. */
export function parseNote<K extends NoteKind>(kind: K, json: unknown): NoteOf<K> & NoteOrigin {
  const schema = noteSchemas[kind] as unknown as z.ZodType<NoteOf<K>>;
  return schema.and(originSchema).parse(json);
}
