/**
 * Record of the client for a program or a state: `undefined` in place of null, because Pulumi omits
 * `undefined` members from a resource's inputs.
 */
export type WithoutNull<T> = T extends null
  ? undefined
  : T extends string | number | boolean | undefined
    ? T
    : unknown extends T
      ? unknown
      : { [Member in keyof T]: WithoutNull<T[Member]> };

/** Copies a record with `undefined` in place of every null, at any depth. Plain data only. */
export function withoutNull<T>(value: T): WithoutNull<T> {
  const converted =
    value === null
      ? undefined
      : Array.isArray(value)
        ? value.map(withoutNull)
        : typeof value === "object"
          ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutNull(each)]))
          : value;
  return converted as WithoutNull<T>;
}
