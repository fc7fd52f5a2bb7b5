import { checkProjectId } from "../../config.js";
import { isSecretKey } from "../../text/redact.js";
import { type CheckFailure, undeclaredInputs } from "../lifecycle.js";
import type { Properties, PropertyMap, TypeSchema } from "../properties.js";
import type { Codec } from "./declared.js";

/**
 * What is wrong with the inputs of a resource. `others`: what its kind finds. A project id has the
 * form of one. No input that the kind declares is or lists a secret key, which the state would
 * keep: then only that is reported. The engine prints the value of a property that a failure names,
 * so those of a secret name none.
 */
export function inputFailures(
  news: PropertyMap,
  { types }: Pick<Codec<unknown>, "types">,
  apiKey: string | undefined,
  others: CheckFailure[],
): CheckFailure[] {
  const secret = Object.keys(news).filter((input) => {
    const value = Object.hasOwn(types, input) ? news[input] : undefined;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.some((each) => typeof each === "string" && isSecretKey(each, apiKey));
  });
  const failures = secret.map((input) => ({
    property: "",
    reason: `The "${input}" is a secret key (not shown here). Give another value, and rotate the key if the program has it in plain text.`,
  }));
  return failures.length > 0 ? failures : [...others, ...projectIdFailures(news.projectId)];
}

/**
 * What is wrong with the form of inputs: one that the resource does not have, or needs, or that has
 * another type. `forms`: what one must be, as the end of a sentence, where its type does not say it.
 * The engine prints the value of a property that a failure names, so one of a secret names none.
 */
export function formFailures(
  news: PropertyMap,
  inputs: Properties,
  resource: string,
  forms: Readonly<Record<string, string>> = {},
): CheckFailure[] {
  const declared: Readonly<Record<string, unknown>> = inputs.readDeclared(news);
  const failures = Object.entries(inputs.types).flatMap(([input, { schema, isRequired, isSecret }]) => {
    const isMissing = news[input] === undefined;
    if (isMissing ? isRequired !== true : declared[input] !== undefined) {
      return [];
    }
    const problem = isMissing
      ? `${resource} needs "${input}"`
      : `The "${input}" ${forms[input] ?? usualForm(schema)}`;
    return [{ property: isSecret ? "" : input, reason: `${problem}.` }];
  });
  return [...undeclaredInputs(news, inputs, resource), ...failures];
}

function usualForm({ type = "string", enum: meanings }: TypeSchema): string {
  if (meanings !== undefined) {
    return `must be one of ${Object.keys(meanings).join(", ")}`;
  }
  const names: Partial<Record<typeof type, string>> = { boolean: "true or false", integer: "a whole number" };
  return `must be ${names[type] ?? `a ${type}`}`;
}

/** Of an id that is given: a kind says itself whether it must be. */
function projectIdFailures(projectId: PropertyMap[string] | undefined): CheckFailure[] {
  try {
    if (typeof projectId === "string" && projectId.trim() !== "") {
      checkProjectId(projectId);
    }
    return [];
  } catch (error) {
    return [{ property: "projectId", reason: (error as Error).message }];
  }
}
