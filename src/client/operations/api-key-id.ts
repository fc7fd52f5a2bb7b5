import { isSecretKey } from "../secret-key.js";

/** Longest API key id taken, in characters. Ids of the service have 24; most secrets of other kinds have more than this. */
export const apiKeyIdCharactersMax = 64;

const remedy = "pass the key's id; listing the API keys shows it";

/**
 * Says what is wrong with text given as the id of an API key, as the end of a sentence that begins with the property; undefined when
 * nothing is. Refuses what can only be a secret, a masked secret or a name. The sentence never holds the text itself.
 * `apiKey` is the configured secret, when it is known. A name without blanks cannot be told from an id: the service answers 404.
 */
export function apiKeyIdProblem(id: string, apiKey?: string): string | undefined {
  if (typeof id !== "string" || id.trim() === "") {
    return `is empty; ${remedy}`;
  }
  if (/\.\.\.|…|\*{3}/.test(id)) {
    return `is the masked form of a key; ${remedy}`;
  }
  // No id of the service begins like a secret, so here the prefix alone is enough.
  if (isSecretKey(id, apiKey) || /^\s*sk[_-]/i.test(id)) {
    return `is a secret key, which is not shown here; ${remedy}, and rotate the key if the secret was written into a program`;
  }
  if (/\s/.test(id)) {
    return `has a blank, so it is a name or has a line break too much; ${remedy}`;
  }
  if (id.length > apiKeyIdCharactersMax) {
    return `is longer than ${apiKeyIdCharactersMax} characters; ${remedy}`;
  }
  if (/[^!-~]/.test(id)) {
    return `has a control or a non-ASCII character; ${remedy}`;
  }
  return undefined;
}
