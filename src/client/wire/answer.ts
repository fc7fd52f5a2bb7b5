/**
 * The shapes of answers. Unknown members are ignored, because the service adds some without notice.
 * Source of every shape in this folder: the service's published interface description.
 */
import { z } from "zod";

/** A point in time as the service writes it: an ISO 8601 string that has a date. */
export const dateTime = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "a date-time");

/** The id of a record. */
export const recordId = z.string().min(1).max(255);

/** A member that may be absent or null; both are read as null. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? null);
}

/** A list that may be absent or null; both are read as an empty list. */
export function listOf<T extends z.ZodType>(row: T) {
  return orNull(z.array(row)).transform((rows) => rows ?? []);
}

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type InOurNames<Wire> = { [Name in keyof Wire as CamelCase<Name>]: Wire[Name] };

/** Gives the members of an object our own names: `size_bytes` becomes `sizeBytes`. */
export function inOurNames<Wire extends object>(wire: Wire): InOurNames<Wire> {
  const members = Object.entries(wire).map(([name, value]) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(members) as InOurNames<Wire>;
}

/** A record with these members, given our own names. */
export function record<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).transform((wire) => inOurNames(wire));
}

const text = z.string().optional().catch(undefined);
const errorDetail = z.object({ code: text, message: text });

/**
 * An error body. Read as tolerantly as possible, because the status has already decided:
 * `{code, message, details?, inner_error?}` with `details` as an array or a string, or the nested
 * `{error: {code, message}}` that the service's own tools also accept.
 */
export const errorBodySchema = z.object({
  code: text,
  message: text,
  details: z
    .union([z.string(), z.array(errorDetail.catch({}))])
    .optional()
    .catch(undefined),
  inner_error: errorDetail.optional().catch(undefined),
  error: errorDetail.optional().catch(undefined),
});
