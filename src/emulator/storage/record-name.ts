/** Longest name of a project or an API key, in Unicode code points. Source: the service's published interface description. */
export const nameCharactersMax = 255;

/**
 * Says what is wrong with the name of a project or an API key, as the end of a sentence; undefined when nothing is.
 * That names of blanks alone, and with what no database keeps as text, are refused is a guess.
 */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name !== "string") {
    return "must be a text";
  }
  if (name.trim() === "" || [...name].length > nameCharactersMax) {
    return `must have 1 to ${nameCharactersMax} characters, not only blanks`;
  }
  return /[\0\p{Surrogate}]/u.test(name)
    ? "must not have NUL characters or halves of surrogate pairs"
    : undefined;
}
