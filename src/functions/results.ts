/**
 * A record as functions return it: `undefined` where the client has null, because Pulumi leaves
 * `undefined` members out of a resource's inputs.
 */
export type WithoutNull<T> = T extends null
  ? undefined
  : T extends string | number | boolean | undefined
    ? T
    : { [Member in keyof T]: WithoutNull<T[Member]> };

/** The same record with `undefined` in place of every null, at any depth. Plain data only. */
export function withoutNull<T>(value: T): WithoutNull<T> {
  return convert(value) as WithoutNull<T>;
}

function convert(value: unknown): unknown {
  if (value === null) {
    return undefined;
  }
  if (Array.isArray(value)) {
    return value.map(convert);
  }
  if (typeof value !== "object") {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member)]));
}
