/**
 * The members of a record by the names that the service and the tables use: `createdAt` is
 * `created_at`. Members of members keep their names.
 */
export function snakeCased<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return renamed(record, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** The columns of a row by the names of our records: `key_sha256` is `keySha256`. */
export function camelCased<Value>(row: Readonly<Record<string, Value>>): Record<string, Value> {
  return renamed(row, (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

function renamed<Value>(
  record: Readonly<Record<string, Value>>,
  rename: (name: string) => string,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [rename(name), value]));
}

/** The members of a record that are neither null nor undefined. */
export function withValues(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  );
}
