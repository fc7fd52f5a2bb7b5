import type { SettingProblem } from "../client/options.js";
import { checkProjectId } from "../config.js";
import { isSecretKey } from "../text/redact.js";
import type { Codec } from "./core/declared.js";
import { type CheckFailure, undeclaredInputs } from "./lifecycle.js";
import {
  isPropertyMap,
  type Properties,
  type PropertiesOf,
  type PropertyMap,
  type PropertyType,
  type PropertyValue,
  type TypeSchema,
  unknownValue,
} from "./properties.js";

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
 * What is wrong with inputs, all at once: one that the resource does not have, one that it needs, and
 * one of another type, at any depth. Unknown values pass. `forms`: what one must be, as the end of a
 * sentence, where its type does not say it. `problemsOf`: what else is wrong with those of the right
 * type. The engine prints the value of a property that a failure names, so one of a secret names none.
 */
export function formFailures<const P extends Properties>(
  news: PropertyMap,
  inputs: P,
  resource: string,
  forms: Readonly<Record<string, string>> = {},
  problemsOf: (formed: PropertiesOf<P>) => readonly SettingProblem[] = () => [],
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
          problem: `must be a non-empty string${isRequired ? "" : ". To have none, leave it out"}`,
        },
      ];
    }
    const found = value === undefined ? [] : problemsIn(schema, value, input);
    // A type may be narrower than its schema.
    const isRead = value === undefined || declared[input] !== undefined;
    const all = isRead || found.length > 0 ? found : [{ property: input, problem: formOf(schema) }];
    return all.map(({ property, problem }) => ({
      property,
      problem: (property === input ? forms[input] : undefined) ?? problem,
    }));
  });
  const malformed = problems.map(({ property }) => inputOf(property));
  const known = Object.entries(declared).filter(
    ([input, value]) => value !== unknownValue && !malformed.includes(input),
  );
  return [
    ...undeclaredInputs(news, inputs, resource),
    ...missing.map((property) => ({ property, reason: `${resource} needs "${property}".` })),
    ...[...problems, ...problemsOf(Object.fromEntries(known) as PropertiesOf<P>)].map(
      ({ property, problem }) => ({
        property: isHidden(inputs.types[inputOf(property)]) ? "" : property,
        reason: `The "${property}" ${problem}.`,
      }),
    ),
  ];
}

/** The input that has this property: `config` of `config.host`. */
function inputOf(property: string): string {
  return property.replace(/[.[].*/s, "");
}

function isHidden({ isSecret, schema }: Partial<PropertyType<unknown>> = {}): boolean {
  return isSecret === true || Object.values(schema?.properties ?? {}).some(({ secret }) => secret);
}

/** Where a value does not have this type, and what it must be. */
function problemsIn(schema: TypeSchema, value: PropertyValue, property: string): readonly SettingProblem[] {
  const { type, enum: meanings, items, additionalProperties, properties } = schema;
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
        ? [{ property: place, problem: `does not exist; there are ${names}` }]
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
