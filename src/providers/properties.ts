/**
 * Stands for a value that does not exist yet: an output of a resource that a preview has not created.
 * The bridge translates Pulumi's own marker to this symbol and back, so that providers never meet the marker.
 */
export const unknownValue: unique symbol = Symbol("unknown");

/** What a property of a resource may hold. Plain data only: it ends as JSON in the state file. */
export type PropertyValue =
  | string
  | number
  | boolean
  | null
  | typeof unknownValue
  | readonly PropertyValue[]
  | { readonly [name: string]: PropertyValue };

/** Properties of a resource by name. A property that is absent is not set; `undefined` never appears. */
export type PropertyMap = { readonly [name: string]: PropertyValue };

/** Whether `value` is an object with named members, and not a list, null or {@link unknownValue}. */
export function isPropertyMap(value: PropertyValue | undefined): value is PropertyMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The property as text, or undefined when it is absent or anything else than text. */
export function textOf(properties: PropertyMap | undefined, name: string): string | undefined {
  const value = properties?.[name];
  return typeof value === "string" ? value : undefined;
}
