/** Longest name of an API key, in Unicode code points. The service's limit; its own tools have seen it count UTF-8 bytes, and then it answers 400. */
export const apiKeyNameCodePointsMax = 255;

/**
 * Says what is wrong with a name for an API key, as the end of a sentence that begins with the name; undefined when nothing is.
 * A name has 1 to 255 code points of any kind. Nothing is trimmed here; the service may trim it.
 */
export function apiKeyNameProblem(name: string): string | undefined {
  if (typeof name !== "string" || name === "") {
    return `is empty; use 1 to ${apiKeyNameCodePointsMax} characters`;
  }
  // Unpaired surrogates have no UTF-8 form, so another text would be stored.
  if (/\p{Cs}/u.test(name)) {
    return "has broken Unicode (half of a surrogate pair); write it again";
  }
  const length = [...name].length;
  return length > apiKeyNameCodePointsMax
    ? `has ${length} characters; use at most ${apiKeyNameCodePointsMax}`
    : undefined;
}
