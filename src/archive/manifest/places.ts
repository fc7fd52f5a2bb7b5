import { isJsonObject } from "./json.js";

/** A value in a manifest, with the path: `content_scripts[0].js[1]`. */
export interface PlacedValue {
  readonly value: unknown;
  readonly where: string;
}

/**
 * Finds all values at a place of the manifest, such as `icons.*` or `content_scripts.*.js.*`: `*`
 * is every item of a list or member of an object, `+` every member of an object. Empty if a part of
 * the path is missing or has a different type.
 */
export function valuesAt(manifest: unknown, place: string): readonly PlacedValue[] {
  return place
    .split(".")
    .reduce<readonly PlacedValue[]>(
      (found, member) => found.flatMap((parent) => childrenOf(parent, member)),
      [{ value: manifest, where: "" }],
    );
}

function childrenOf({ value, where }: PlacedValue, member: string): readonly PlacedValue[] {
  if (member === "*" && Array.isArray(value)) {
    return value.map((item, index) => ({ value: item, where: `${where}[${index}]` }));
  }
  if (!isJsonObject(value)) {
    return [];
  }
  const names =
    member === "*" || member === "+" ? Object.keys(value) : Object.hasOwn(value, member) ? [member] : [];
  return names.map((name) => ({ value: value[name], where: where === "" ? name : `${where}.${name}` }));
}
