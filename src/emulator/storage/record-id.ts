/** Ids that a program or a seed may give. They travel in headers and paths; the service's are 24 of a-z and 0-9, tests like readable ones. */
export const recordIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Says what is wrong with an id that is given, as the end of a sentence; undefined when nothing is. */
export function idProblem(id: unknown): string | undefined {
  return typeof id === "string" && recordIdPattern.test(id)
    ? undefined
    : "must be 1 to 64 of the characters A-Z a-z 0-9 _ -";
}
