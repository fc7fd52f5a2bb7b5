/** A value as a POSIX shell reads it back: as it is where that is safe, else in single quotes. */
export function shellQuoted(value: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
