/**
 * The rules for names and ids that people write. The operations apply them before any request; the
 * provider and the command line use them to check early.
 */
import { isSecretKey } from "../text/redact.js";

/**
 * Says what is wrong with a name for an extension, as the end of a sentence that begins with the
 * name; undefined when nothing is. A name has 1 to 255 of the characters A-Z a-z 0-9 . _ - (the
 * service's rule). It must not look like an id, 24 of a-z and 0-9, because every path accepts
 * either (the rule of the service's Terraform provider), and must not be `.` or `..`, which no path
 * can hold.
 */
export function extensionNameProblem(name: string): string | undefined {
  if (typeof name !== "string" || name === "") {
    return "is empty; leave it out or use 1 to 255 of the characters A-Z a-z 0-9 . _ -";
  }
  if (!/^[A-Za-z0-9._-]{1,255}$/.test(name)) {
    return "must be 1 to 255 of the characters A-Z a-z 0-9 . _ -";
  }
  if (/^[a-z0-9]{24}$/.test(name)) {
    return (
      "looks like an extension id (24 characters of a-z and 0-9), so the service could not tell them apart; " +
      "add a hyphen or change its length"
    );
  }
  if (name === "." || name === "..") {
    return 'cannot be part of a URL; use more than "." or ".."';
  }
  return undefined;
}

/** Longest API key id accepted, in characters. Ids have 24, most secrets more than this. */
const apiKeyIdCharactersMax = 64;

/** What every problem with an id ends with. */
const idRemedy = "pass the key's id, as the list of API keys shows it";
/** The problem with a secret in place of an id. */
export const secretIdProblem = `is a secret key (not shown here); ${idRemedy}, and rotate the key if the secret was written into a program`;

/**
 * Says what is wrong with a string given as the id of an API key, as the end of a sentence that
 * begins with the property; undefined when nothing is. Refuses what can only be a secret, a masked
 * secret or a name. The sentence never contains the string itself. `apiKey` is the configured
 * secret, when it is known. A name without whitespace looks like an id; the service answers 404.
 */
export function apiKeyIdProblem(id: string, apiKey?: string): string | undefined {
  if (typeof id !== "string" || id.trim() === "") {
    return `is empty; ${idRemedy}`;
  }
  if (/\.\.\.|…|\*{3}/.test(id)) {
    return `is a masked key; ${idRemedy}`;
  }
  // No id of the service begins like a secret, so here the prefix alone is enough.
  if (isSecretKey(id, apiKey) || /^\s*sk[_-]/i.test(id)) {
    return secretIdProblem;
  }
  if (/\s/.test(id)) {
    return `contains whitespace: it is a name, or it was copied with a line break; ${idRemedy}`;
  }
  if (id.length > apiKeyIdCharactersMax) {
    return `is longer than ${apiKeyIdCharactersMax} characters; ${idRemedy}`;
  }
  if (/[^!-~]/.test(id)) {
    return `has a control or a non-ASCII character; ${idRemedy}`;
  }
  if (/[/\\?#%]/.test(id)) {
    return `has one of the characters / \\ ? # %; ${idRemedy}`;
  }
  if (/^\.+$/.test(id)) {
    return `consists of dots; ${idRemedy}`;
  }
  return undefined;
}

/**
 * Longest name of an API key, in Unicode code points. The service's limit. Its own tools have seen
 * it count UTF-8 bytes, and then it answers 400.
 */
const apiKeyNameCodePointsMax = 255;

/**
 * Says what is wrong with a name for an API key, as the end of a sentence that begins with the
 * name; undefined when nothing is. A name has 1 to 255 code points of any kind. Nothing is trimmed
 * here; the service may trim it.
 */
export function apiKeyNameProblem(name: string): string | undefined {
  if (typeof name !== "string" || name === "") {
    return `is empty; use 1 to ${apiKeyNameCodePointsMax} characters`;
  }
  // Unpaired surrogates have no UTF-8 form, so the service would store something else.
  if (/\p{Cs}/u.test(name)) {
    return "has invalid Unicode (half of a surrogate pair); write it again";
  }
  const length = [...name].length;
  return length > apiKeyNameCodePointsMax
    ? `has ${length} characters; use at most ${apiKeyNameCodePointsMax}`
    : undefined;
}
