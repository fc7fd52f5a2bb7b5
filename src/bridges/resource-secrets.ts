/** Secrets of a resource, found by the types of its inputs and outputs. */

import { namedSecrets, secretIfSet } from "../providers/inputs/named-secrets.js";
import type { Kind, LifecycleContext } from "../providers/lifecycle.js";
import {
  isPropertyMap,
  type Properties,
  type PropertyMap,
  type PropertyType,
  type PropertyValue,
  type TypeSchema,
} from "../providers/properties.js";

/** Secrets in the inputs or the state of a resource: values, and the present values of named places. */
export function secretsOf(
  { inputs, state }: Pick<Kind, "inputs" | "state">,
  values: PropertyMap,
  context: LifecycleContext,
): string[] {
  const types: Properties["types"] = { ...inputs.types, ...state.types };
  const own = Object.entries(types).flatMap(([name, { schema, isSecret }]) =>
    secretsBelow(isSecret ? { ...schema, secret: true } : schema, values[name], context),
  );
  return [...own, ...namedIn(types, values, context)];
}

/** Secrets in a value of a type. A secret object or list consists of secrets. */
function secretsBelow(
  { secret, items, additionalProperties, properties }: TypeSchema,
  value: PropertyValue | undefined,
  context: LifecycleContext,
): string[] {
  if (secret) {
    return stringsIn(value);
  }
  if (Array.isArray(value)) {
    return items === undefined ? [] : value.flatMap((each) => secretsBelow(items, each, context));
  }
  if (!isPropertyMap(value)) {
    return [];
  }
  const own = Object.entries(value).flatMap(([name, member]) => {
    const schema = additionalProperties ?? properties?.[name];
    return schema === undefined ? [] : secretsBelow(schema, member, context);
  });
  return [...own, ...namedIn(properties ?? {}, value, context)];
}

/** Values of the secrets that an object names, by the members that its type declares. */
function namedIn(
  types: Readonly<Record<string, PropertyType<unknown> | TypeSchema>>,
  owner: PropertyMap,
  context: LifecycleContext,
): string[] {
  const members = Object.keys(types).flatMap((name) => /^(.+)FromEnv$/.exec(name)?.[1] ?? []);
  return namedSecrets(owner, members).flatMap((named) => secretIfSet(named, context) ?? []);
}

function stringsIn(value: PropertyValue | undefined): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
