/**
 * Shapes of responses. Unknown members are ignored, because the service adds members without
 * notice. A member on which something depends is strict: a value of a wrong type makes the response
 * unusable. A member that only informs is read with `ifReadable`, and so can never cost a whole
 * list. Source, unless a shape names a different one: the service's published interface description.
 */
import { z } from "zod";
import { dateTimeMs } from "../text/date-time.js";
import { segmentProblem } from "./names.js";

/** Point in time as written by the service, by the syntax of ISO 8601 and RFC 3339. */
export const dateTime = z.string().refine((text) => dateTimeMs(text) !== undefined, "a date-time");

/** Id of any object. Other characters could steer a terminal. */
export const anyId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[!-~]*$/, "visible ASCII characters");

/** Id of a record in paths. A record whose id no path accepts could never be read or deleted. */
export const recordId = anyId.refine(
  (id) => segmentProblem(id) === undefined,
  "an id without / \\ ? # % that does not consist of dots",
);

/** Member that may be absent or null; both are read as null. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? null);
}

const absentOrAny = z.unknown().optional();

/** Member that decides nothing: absent, null and unreadable values are read as null. */
export function ifReadable<T extends z.ZodType>(schema: T) {
  // Most such members are absent most of the time, so the schema is tried only for a value.
  return absentOrAny.transform((value): z.output<T> | null => {
    const read = value === undefined || value === null ? undefined : schema.safeParse(value);
    return read?.data ?? null;
  });
}

/** List that decides nothing. Unreadable rows are omitted; a missing list counts as empty. */
export function listOf<T extends z.ZodType>(row: T) {
  return absentOrAny.transform((value): z.output<T>[] =>
    (Array.isArray(value) ? value : []).flatMap((each) => {
      const { success, data } = row.safeParse(each);
      return success ? [data as z.output<T>] : [];
    }),
  );
}

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type CamelCased<Wire> = { [Name in keyof Wire as CamelCase<Name>]: Wire[Name] };

/** Our own names of schema members. The names are few, and responses repeat the same names. */
const camelCaseNames = new Map<string, string>();

function camelCaseName(name: string): string {
  let ours = camelCaseNames.get(name);
  if (ours === undefined) {
    ours = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    camelCaseNames.set(name, ours);
  }
  return ours;
}

/** Gives the members of a schema's output our own names: `size_bytes` becomes `sizeBytes`. */
export function camelCased<Wire extends object>(wire: Wire): CamelCased<Wire> {
  const renamed: Record<string, unknown> = {};
  for (const name of Object.keys(wire)) {
    renamed[camelCaseName(name)] = wire[name as keyof Wire];
  }
  return renamed as CamelCased<Wire>;
}

/** Schema of a record with the given members, in our own names. */
export function record<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).transform((wire) => camelCased(wire));
}

const text = z.string().optional().catch(undefined);
const errorDetail = z.object({ code: text, message: text });

/**
 * Error body. Read as tolerantly as possible, because the status has already decided:
 * `{code, message, details?, inner_error?}` with `details` as an array or a string, or the nested
 * `{error: {code, message}}`, also accepted by the service's own tools.
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
