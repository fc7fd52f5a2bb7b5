import { z } from "zod";
import { memberName, quote } from "../../text/escape.js";

/** Problem of a value that must be an object, as the end of a sentence. */
export const notAnObject = "must be an object";

/** Problem of a value that must be a time, as the end of a sentence. */
export const notADateTime = 'must be a date-time such as "2030-01-31T00:00:00Z"';

/** Error option of an object without unknown members. */
const notTheObject = {
  error: (issue: { readonly code: string; readonly keys?: readonly string[] }) =>
    issue.code === "unrecognized_keys"
      ? `has an unknown member ${issue.keys?.map((key) => quote(key)).join(", ")}`
      : notAnObject,
};

/** Shape of an object with the given members only. Unknown members are refused by name. */
export function exactly<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, notTheObject);
}

/** Shape of the body of a request that needs no body. */
export const nothing = exactly({});

/** Refuses by name a member that the service accepts and the emulator could only ignore. */
export const notEmulated = z.undefined("is not emulated. Leave it out").optional();

export const anyText = z.string("must be a string");

/** Shape of a string with at least one character. */
export const filledText = anyText.min(1, "must not be empty");

export function listOf<Entry extends z.ZodType>(entry: Entry) {
  return z.array(entry, "must be a list");
}

export const flag = z.boolean("must be true or false");

/** Shape of a string with a fixed set of values, which the message lists. */
export function oneOf<const Words extends readonly string[]>(...words: Words) {
  return z.enum(words, `must be one of ${words.join(", ")}`);
}

/** A whole number within bounds, described by a noun. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER, noun = "whole number"): z.ZodInt {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const problem = `must be a ${noun} ${range}`;
  return z.int(problem).min(least, problem).max(most, problem);
}

/** Shape of a string with a rule. `problem` describes a violation, as the end of a sentence. */
export function checkedString(problem: (text: string) => string | undefined, string = anyText): z.ZodString {
  return string.superRefine((text, { addIssue }) => {
    const found = problem(text);
    if (found !== undefined) {
      addIssue(found);
    }
  });
}

/**
 * Reads a value of a shape. Throws `refusal` for an invalid value, with the first problem and all
 * problems, each with its place.
 */
export function readShape<Value>(
  shape: z.ZodType<Value>,
  value: unknown,
  refusal: (problem: string, problems: readonly string[]) => Error,
): Value {
  const { data, error } = shape.safeParse(value);
  const problems = (error?.issues ?? []).map((issue) => issueText(innermost(issue)));
  const [first] = problems;
  if (first !== undefined) {
    throw refusal(first, problems);
  }
  return data as Value;
}

/**
 * Input type of a schema, for the compiler; never called. Types for programs are derived through
 * `inputOf`: the compiler then writes the types out, and a program needs none of zod's types, which
 * some settings of the compiler refuse. @internal
 */
export function inputOf<S extends z.ZodType>(schema: S): z.input<S> {
  return schema.parse(undefined) as z.input<S>;
}

/** Selects the issue of the intended kind, for a value that may have two kinds. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const inner = issue.code === "invalid_union" ? issue.errors.flat() : [];
  const found = inner.find(({ path }) => path.length > 0);
  return found ? { ...found, path: [...issue.path, ...found.path] } : issue;
}

/** Formats a member in a path: `.name`, or in quotes if the name is not plain. */
function memberText(name: string): string {
  const shown = memberName(name);
  return shown === name ? `.${name}` : `[${shown}]`;
}

/** Formats problem and place: `projects[1].name must be a string`, without a full stop. */
function issueText({ path, message }: z.core.$ZodIssue): string {
  const place = path
    .map((part) => (typeof part === "number" ? `[${part}]` : memberText(String(part))))
    .join("")
    .replace(/^\./, "");
  // Our own messages continue the sentence; zod's messages are whole sentences.
  const separator = /^(must|is|has|can|cannot)\b/.test(message) ? " " : ": ";
  return `${place || "it"}${separator}${message}`;
}
