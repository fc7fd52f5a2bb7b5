/** The rules for names and ids, those that people write and those in answers of the service. */
import { isSecretKey } from "../text/redact.js";

/** Longest id or name in a path, in UTF-8 bytes. Names have at most 255 characters, ids 24. */
const pathSegmentBytesMax = 255;

/**
 * Says why a string cannot be one segment of a path, as the end of a sentence that begins with its
 * place; undefined when it can. It cannot if a server or a proxy could read it as anything else,
 * even after decoding twice.
 */
export function segmentProblem(text: string): string | undefined {
  // Servers may turn look-alikes into the characters that they resemble.
  const compatible = text.normalize("NFKC");
  const problems: readonly [boolean, string][] = [
    [text === "", "is empty"],
    [Buffer.byteLength(text) > pathSegmentBytesMax, `is longer than ${pathSegmentBytesMax} bytes`],
    [/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text), "has a control character or invalid Unicode"],
    [/[/\\?#%]/.test(compatible), "has one of the characters / \\ ? # %"],
    [/^\.+$/.test(compatible), "consists of dots"],
  ];
  return problems.find(([applies]) => applies)?.[1];
}

/**
 * Says what is wrong with a name for an extension, as the end of a sentence that begins with the
 * name; undefined when nothing is. Sources: the service for the characters, its Terraform provider
 * for what looks like an id (every path accepts either). No path can hold `.` or `..`.
 */
export function extensionNameProblem(name: string): string | undefined {
  return nameProblem("an extension", name);
}

/** As {@link extensionNameProblem}, for a browser pool, whose names follow the same rules. */
export function browserPoolNameProblem(name: string): string | undefined {
  return nameProblem("a browser pool", name);
}

/** The same for a profile. */
export function profileNameProblem(name: string): string | undefined {
  return nameProblem("a profile", name);
}

function nameProblem(noun: string, name: string): string | undefined {
  if (typeof name !== "string" || name === "") {
    return "is empty; leave it out or use 1 to 255 of the characters A-Z a-z 0-9 . _ -";
  }
  if (!/^[A-Za-z0-9._-]{1,255}$/.test(name)) {
    return "must be 1 to 255 of the characters A-Z a-z 0-9 . _ -";
  }
  if (/^[a-z0-9]{24}$/.test(name)) {
    return (
      `looks like ${noun} id (24 characters of a-z and 0-9), so the service could not tell them apart; ` +
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

const maskedPattern = /\.\.\.|…|\*{3}/;

/** What cannot be an id, and what is wrong with it; the first that matches counts. */
const notIds: readonly [RegExp, string][] = [
  [/^\s*$/, "is empty"],
  [maskedPattern, "is a masked key"],
  [/\s/, "contains whitespace: it is a name, or it was copied with a line break"],
  [new RegExp(`.{${apiKeyIdCharactersMax + 1}}`, "s"), `is longer than ${apiKeyIdCharactersMax} characters`],
  [/[^!-~]/, "has a control or a non-ASCII character"],
];

/** What every problem with an id ends with. */
const idRemedy = "pass the key's id, as the list of API keys shows it";
/** The problem with a secret in place of an id. */
export const secretIdProblem = `is a secret key (not shown here); ${idRemedy}, and rotate the key if the secret was written into a program`;

/**
 * Says what is wrong with a string as the id of an API key, as the end of a sentence that
 * begins with the property and never contains the string; undefined when nothing is. Refuses what
 * can only be a secret, a masked secret or a name. `apiKey` is the configured secret, when it is
 * known. A name without whitespace looks like an id; the service answers 404.
 */
export function apiKeyIdProblem(id: string, apiKey?: string): string | undefined {
  const text = typeof id === "string" ? id : "";
  // No id of the service begins like a secret, so here the prefix alone is enough.
  if (isSecretKey(text, apiKey) || (/^\s*sk[_-]/i.test(text) && !maskedPattern.test(text))) {
    return secretIdProblem;
  }
  const why = notIds.find(([pattern]) => pattern.test(text))?.[1] ?? segmentProblem(text);
  return why && `${why}; ${idRemedy}`;
}

/** The problem with a secret in place of a name. */
export const secretNameProblem = "is a secret key (not shown here); choose another name";

/** The service's limit for names of projects and API keys, in code points. It may count bytes. */
const nameCodePointsMax = 255;

/**
 * Says what is wrong with a name for an API key, as the end of a sentence that begins with the
 * name; undefined when nothing is. A name has 1 to 255 code points of any kind. Nothing is trimmed
 * here; the service may trim it.
 */
export function apiKeyNameProblem(name: string): string | undefined {
  return longNameProblem(name);
}

/**
 * The same for the name of a project. It has no slash and no percent sign: the service takes a name
 * where it takes an id in a path. Nor has it a control character, which no search finds.
 */
export function projectNameProblem(name: string): string | undefined {
  if (typeof name === "string" && /[/%]/.test(name)) {
    return "must not have / or %, which the service refuses in names of projects";
  }
  if (/\p{Cc}/u.test(name)) {
    return "has a control character, with which nothing could find the project by its name";
  }
  return longNameProblem(name);
}

/**
 * The same for the name of a proxy, which the service trims: one that it changes would differ from
 * the given one for ever. Its limit is not published; it is taken to be that of other names.
 */
export function proxyNameProblem(name: string): string | undefined {
  return typeof name === "string" && name !== name.trim()
    ? "must not start or end with whitespace"
    : longNameProblem(name);
}

function longNameProblem(name: string): string | undefined {
  if (typeof name !== "string" || name === "") {
    return `is empty; use 1 to ${nameCodePointsMax} characters`;
  }
  // They have no UTF-8 form, so the service would store something else.
  if (/\p{Cs}/u.test(name)) {
    return "has invalid Unicode (half of a surrogate pair); write it again";
  }
  const length = [...name].length;
  return length > nameCodePointsMax
    ? `has ${length} characters; use at most ${nameCodePointsMax}`
    : undefined;
}

/**
 * Whether two names are the same for the service. The rule is what its description says: case and
 * accents do not count, and everything else does. It gives a key, so that names can be looked up,
 * and it is the same in every runtime, which a collation is not.
 */
export function isSameName(a: string | null | undefined, b: string | null | undefined): boolean {
  return typeof a === "string" && typeof b === "string" && foldedName(a) === foldedName(b);
}

/** A name as the service compares it. */
export function foldedName(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
