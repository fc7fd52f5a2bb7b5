/** Names and presence of members in requests and responses. */

/**
 * Renames the members of a record for the service: `createdAt` becomes `created_at`. Members of
 * members keep their names.
 */
export function snakeCased<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return renamed(record, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** Renames the members of a request for our records: `start_url` becomes `startUrl`. */
export function camelCased<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return renamed(record, (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
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
