/** Says what is wrong with the name of an extension, as the end of a sentence; undefined when nothing is. */
export function extensionNameProblem(name: string): string | undefined {
  // Source of the pattern: the service's published interface description.
  if (!/^[A-Za-z0-9._-]{1,255}$/.test(name)) {
    return "must be 1 to 255 of the characters A-Z a-z 0-9 . _ -";
  }
  // Every path takes an id or a name. Source: the service's Terraform provider refuses such names; that the service does is a guess.
  return /^[a-z0-9]{24}$/.test(name) ? "must not look like an id, 24 of a-z and 0-9" : undefined;
}
