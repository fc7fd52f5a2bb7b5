/** Members that the entries of a seed have in common. */
import { z } from "zod";
import {
  idProblem,
  nameCharactersMax,
  nameProblem,
  plainNameProblem,
  recordIdPattern,
} from "../storage/ids-and-names.js";
import { anyText, checkedString, exactly, notADateTime } from "./shapes.js";

/** String that fulfills a rule. `meta`: the part of the rule that a JSON schema can express. */
export function text(
  problem: (text: string) => string | undefined,
  meta: Readonly<Record<string, unknown>> & { readonly description: string },
) {
  return checkedString(problem).meta(meta);
}

export const id = text(idProblem, { description: "Default: a new one.", pattern: recordIdPattern.source });

/** Lengths of a name, in a JSON schema. */
export const nameLength = { minLength: 1, maxLength: nameCharactersMax };

export function named(description: string) {
  return text(nameProblem, { description, ...nameLength });
}

/** Name of the object, with few characters. */
export function plainlyNamed(description: string) {
  return text(plainNameProblem, { description, pattern: "^[A-Za-z0-9._-]{1,255}$" });
}

export const project = anyText
  .optional()
  .describe("Id or exact name of the project. Default: the default project.");

/** Refuses an entry without id and name, which a later start could not recognize. */
export function isNamed({ id, name }: { readonly id?: unknown; readonly name?: unknown }): boolean {
  return (id ?? name) !== undefined;
}

/** Problem of an entry that is not {@link isNamed}. */
export const notNamed = "must have an id or a name";

export const dateTime = z.iso.datetime({ offset: true, error: notADateTime });

/** Body of a control request whose only member is an argument: the value of the member. */
export function only<Shape extends z.ZodType>(name: string, shape: Shape): z.ZodType<z.output<Shape>> {
  return exactly({ [name]: shape }).transform(
    (body) => (body as Record<string, z.output<Shape>>)[name],
  ) as never;
}

/** Body of a control request without an argument. */
export const noArgument: z.ZodType<undefined> = exactly({}).transform(() => undefined);
