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
};

/** What every note says of its origin. */
export type NoteOrigin = z.infer<typeof originSchema>;
/** The kinds of notes, by what they say. */
export type NoteKind = keyof typeof noteSchemas;
/** What a note of a kind says, without its origin. */
export type NoteOf<K extends NoteKind> = z.infer<(typeof noteSchemas)[K]>;
/** An upload that no run has seen in the state. */
export type PendingUpload = z.infer<typeof uploadSchema>;
/** Reads a note. Throws when the JSON is not one of this kind. */
export function parseNote<K extends NoteKind>(kind: K, json: unknown): NoteOf<K> & NoteOrigin {
  const schema = noteSchemas[kind] as unknown as z.ZodType<NoteOf<K>>;
  return schema.and(originSchema).parse(json);
}
