/** Value for a POSIX shell: unchanged if safe, otherwise in single quotes. */
export function shellQuoted(value: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

/** Option of a command for a project, with a leading space; empty without a project. */
export function projectOption(projectId: string | undefined): string {
  return projectId === undefined ? "" : ` --project ${shellQuoted(projectId)}`;
}
