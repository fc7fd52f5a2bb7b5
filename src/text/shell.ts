/** Value for a POSIX shell: unchanged if safe, otherwise in single quotes. */
export function shellQuoted(value: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
