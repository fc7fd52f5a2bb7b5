import { isDeepStrictEqual } from "node:util";
import type { SettingProblem } from "../../client/options.js";
import { checkProjectId } from "../../config.js";
import { containsSecret, hasUser } from "../../text/redact.js";
import type { Codec } from "../core/declared.js";
import { type CheckFailure, type CheckRequest, undeclaredInputs } from "../lifecycle.js";
import {
  isPropertyMap,
  type Properties,
  type PropertiesOf,
  type PropertyMap,
  type PropertyType,
  type PropertyValue,
  type TypeSchema,
  unknownValue,
} from "../properties.js";

/**
 * Reports failures of inputs: those that `find` of the kind finds, and a malformed project id. An input with
 * the same value as in `olds` does not fail, because the service has accepted the value: an imported object
 * may have a name that a rule here does not know. Reports only inputs with a secret key, if a declared input
 * is or lists a key: the state would keep the key. Such failures have no property, because the engine prints
 * the value of the property of a failure.
 */
export function inputFailures(
  { news, olds }: Pick<CheckRequest, "news" | "olds">,
  { types }: Pick<Codec<unknown>, "types">,
  apiKey: string | undefined,
  find: (declared: PropertyMap) => readonly CheckFailure[],
): CheckFailure[] {
  const secret = Object.keys(news).filter((input) => {
    const value = Object.hasOwn(types, input) ? news[input] : undefined;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.some((each) => typeof each === "string" && containsSecret(each, apiKey));
  });
  if (secret.length > 0) {
    return secret.map((input) => ({
      property: "",
      reason: `The "${input}" is a secret key (not shown here). Give a different value, and rotate the key if the program contains the key in plain text.`,
    }));
  }
  const all = (declared: PropertyMap) => [...find(declared), ...projectIdFailures(declared.projectId)];
  const failures = all(news);
  const accepted =
    olds === undefined || failures.length === 0
      ? []
      : all(olds).filter((old) => isSameInput(old, news, olds));
  return failures
    .filter((failure) => !accepted.some((old) => isDeepStrictEqual(old, failure)))
    .map(({ property, reason }) => ({ property, reason }));
}

/** Whether the input at fault has the old value. The value of a named secret lies elsewhere, and may differ. */
function isSameInput({ property, input = property }: CheckFailure, news: PropertyMap, olds: PropertyMap) {
  const value = olds[inputOf(input)];
  return (
    value !== undefined &&
    isDeepStrictEqual(value, news[inputOf(input)]) &&
    !/From(?:Env|Config)(?:[.[]|$)/.test(input)
  );
}

/** Problem of an input, or of a value that the input only names. */
export interface InputProblem extends SettingProblem {
  /** Words for the value in place of the quoted property. */
  readonly subject?: string | undefined;
  /** Whether the value is a secret. Default: false. */
  readonly isSecret?: boolean | undefined;
}

/**
 * Reports all invalid inputs at once: unknown names, missing required inputs, and wrong types at
 * any depth. Unknown values pass. `forms`: required form by input, as the end of a sentence, if the
 * type is not enough. `problemsOf`: further problems of well-typed inputs, with or without the full
 * stop. Failures of a secret have no property, because the engine prints the value of the property.
 */
export function formFailures<const P extends Properties>(
  news: PropertyMap,
  inputs: P,
  resource: string,
  forms: Readonly<Record<string, string>> = {},
  problemsOf: (formed: PropertiesOf<P>) => readonly InputProblem[] = () => [],
): CheckFailure[] {
  const missing = Object.keys(inputs.types).filter(
    (input) => inputs.types[input]?.isRequired && news[input] === undefined,
  );
  const declared: Readonly<Record<string, unknown>> = inputs.readDeclared(news);
  const problems = Object.entries(inputs.types).flatMap(([input, { schema, isRequired }]) => {
    const value = news[input];
    if (typeof value === "string" && value.trim() === "") {
      return [
        {
          property: input,
          problem:
            forms[input] ?? `must be a non-empty string${isRequired ? "" : ". To have none, leave it out"}`,
          isSecret: false,
        },
      ];
    }
    const found = value === undefined ? [] : problemsIn(schema, value, input);
    // The type may be narrower than the schema.
    const isRead = value === undefined || declared[input] !== undefined;
    const all: readonly InputProblem[] =
      isRead || found.length > 0 ? found : [{ property: input, problem: formOf(schema) }];
    return all.map(({ property, problem, isSecret }) => ({
      property,
      problem: (property === input && !isSecret ? forms[input] : undefined) ?? problem,
      isSecret,
    }));
  });
  const malformed = problems.map(({ property }) => inputOf(property));
  const known = Object.entries(declared).filter(
    ([input, value]) => value !== unknownValue && !malformed.includes(input),
  );
  return [
    ...undeclaredInputs(news, inputs, resource),
    ...missing.map((property) => {
      const form = forms[property] === undefined ? "" : `, which ${forms[property]}`;
      return { property, reason: `${resource} needs "${property}"${form}.` };
    }),
    ...[...problems, ...problemsOf(Object.fromEntries(known) as PropertiesOf<P>)].map(
      ({ property, problem, subject = `"${property}"`, isSecret }: InputProblem) => ({
        property: isSecret || isHidden(inputs.types[inputOf(property)]) ? "" : property,
        input: property,
        reason: `The ${subject} ${problem.replace(/\.?$/, ".")}`,
      }),
    ),
  ];
}

/**
 * Problem of a name that the service would trim: the live name would differ from the declared name
 * for ever. NEL counts as whitespace in the service, but not in \s.
 */
export function outerWhitespaceProblem(name: string): string | undefined {
  return /^[\s\u0085]|[\s\u0085]$/u.test(name)
    ? "must not start or end with whitespace (the service trims it)"
    : undefined;
}

/** Input that contains a property: `config` for `config.host`. */
function inputOf(property: string): string {
  return property.replace(/[.[].*/s, "");
}

function isHidden({ isSecret, schema }: Partial<PropertyType<unknown>> = {}): boolean {
  return isSecret === true || Object.values(schema?.properties ?? {}).some(({ secret }) => secret);
}

/** Places where a value does not have the declared type, with the required type. */
function problemsIn(schema: TypeSchema, value: PropertyValue, property: string): readonly InputProblem[] {
  const { type, enum: meanings, items, additionalProperties, properties, addressRemedy } = schema;
  if (addressRemedy !== undefined && typeof value === "string" && hasUser(value)) {
    const problem = `has a user name or a password before the host, which the state would keep in plain text. ${addressRemedy}`;
    return [{ property, problem, isSecret: true }];
  }
  const isMap = isPropertyMap(value);
  if (value === unknownValue || type === undefined) {
    return [];
  }
  if (items !== undefined && Array.isArray(value)) {
    return value.flatMap((item, at) => problemsIn(items, item, `${property}[${at}]`));
  }
  if (isMap && (properties ?? additionalProperties) !== undefined) {
    return Object.entries(value).flatMap(([name, member]) => {
      const its =
        additionalProperties ?? (Object.hasOwn(properties ?? {}, name) ? properties?.[name] : undefined);
      const place = `${property}.${name}`;
      const names = Object.keys(properties ?? {}).join(", ");
      return its === undefined
        ? [{ property: place, problem: `does not exist; the members are ${names}` }]
        : problemsIn(its, member, place);
    });
  }
  const kinds = { array: Array.isArray(value), object: isMap, integer: typeof value === "number" };
  const isRight = meanings
    ? Object.hasOwn(meanings, String(value))
    : (kinds[type as keyof typeof kinds] ?? typeof value === type);
  return isRight ? [] : [{ property, problem: formOf(schema) }];
}

function formOf({ type = "string", enum: meanings }: TypeSchema): string {
  if (meanings !== undefined) {
    return `must be one of ${Object.keys(meanings).join(", ")}`;
  }
  const names: Partial<Record<typeof type, string>> = {
    boolean: "true or false",
    integer: "a whole number",
    array: "a list",
    object: "an object",
  };
  return `must be ${names[type] ?? `a ${type}`}`;
}

/** Failures of a malformed project id. The kind itself reports a missing project id. */
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
