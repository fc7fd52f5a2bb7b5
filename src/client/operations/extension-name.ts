/**
 * Says what is wrong with a name for an extension, as the end of a sentence that begins with the name; undefined when nothing is.
 * A name has 1 to 255 of the characters A-Z a-z 0-9 . _ - (the service's rule). It must not look like an id, 24 of a-z and 0-9,
 * because every path takes either (the rule of the service's Terraform provider), and must not be `.` or `..`, which no path can hold.
 */
export function extensionNameProblem(name: string): string | undefined {
  if (typeof name !== "string" || name === "") {
    return "is empty; leave it out or use 1 to 255 of the characters A-Z a-z 0-9 . _ -";
  }
  if (!/^[A-Za-z0-9._-]{1,255}$/.test(name)) {
    return "must be 1 to 255 of the characters A-Z a-z 0-9 . _ -";
  }
  if (/^[a-z0-9]{24}$/.test(name)) {
    return "looks like an extension id (24 of a-z and 0-9), so the service could not tell them apart; add a hyphen or change its length";
  }
  if (name === "." || name === "..") {
    return 'cannot be addressed in a path; use more than "." or ".."';
  }
  return undefined;
}
