import { kinds, programInputsOf, type ResourceKind } from "../../../src/bridges/kinds.js";
import type { PropertyValue, TypeSchema } from "../../../src/providers/properties.js";

/** Path of an input, such as `["config", "host"]`, with the type. */
type Place = readonly [path: readonly string[], schema: TypeSchema];

/** String inputs of a kind at any depth. A list or a map counts as a member `0`. Omits secrets. */
export function stringsOf(kind: ResourceKind): readonly Place[] {
  const below = (path: readonly string[], schema: TypeSchema): readonly Place[] => {
    const { type, secret, items, additionalProperties, properties = {} } = schema;
    const inner = items ?? additionalProperties;
    return [
      ...(type === "string" && !secret && !schema.enum ? [[path, schema] as const] : []),
      ...(inner ? below([...path, "0"], inner) : []),
      ...Object.entries(properties).flatMap(([name, member]) => below([...path, name], member)),
    ];
  };
  return Object.entries(programInputsOf(kinds[kind])).flatMap(([name, { schema, isSecret }]) =>
    isSecret ? [] : below([name], schema),
  );
}

/** Value with `text` at a path, in the form of the type. */
export function valueAt([first, ...rest]: readonly string[], text: string): PropertyValue {
  if (first === undefined) {
    return text;
  }
  const inner = valueAt(rest, text);
  return first === "0" ? [inner] : { [first]: inner };
}
