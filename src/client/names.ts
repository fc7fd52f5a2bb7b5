/** Rules for names and ids, in inputs and in responses of the service. */
import { containsSecret } from "../text/redact.js";

/** Longest id or name in a path, in UTF-8 bytes. Names have at most 255 characters, ids 24. */
const pathSegmentBytesMax = 255;

/**
 * Describes why a string cannot be a segment of a path, as the end of a sentence that begins with
 * the place; undefined for a valid segment. Refuses a string that a server or a proxy could read as
 * anything else, even after decoding twice.
 */
export function segmentProblem(text: string): string | undefined {
  // Servers may replace look-alike characters by the originals.
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
 * Problem of an extension name, as the end of a sentence. Sources: the service for the characters,
 * the service's Terraform provider for names that look like an id.
 */
export const extensionNameProblem = (name: string) => nameProblem("an extension", name);

// The same rules hold for names of these records.
export const browserPoolNameProblem = (name: string) => nameProblem("a browser pool", name);
export const telemetryDestinationNameProblem = (name: string) => nameProblem("a telemetry destination", name);

function nameProblem(noun: string, name: string): string | undefined {
  if (typeof name !== "string" || name === "") {
    return "is empty; leave it out or use 1 to 255 of the characters A-Z a-z 0-9 . _ -";
  }
  if (!/^[A-Za-z0-9._-]{1,255}$/.test(name)) {
    return "must be 1 to 255 of the characters A-Z a-z 0-9 . _ -";
  }
  if (name === "." || name === "..") {
    return 'cannot be part of a URL; use more than "." or ".."';
  }
  return idLikeProblem(noun, name);
}

function idLikeProblem(noun: string, name: string): string | undefined {
  return /^[a-z0-9]{24}$/.test(name)
    ? `looks like ${noun} id (24 characters of a-z and 0-9), so names and ids could be confused; ` +
        "add a hyphen or change the length of the name"
    : undefined;
}

/** Longest API key id accepted, in characters. Ids have 24, most secrets more than 64. */
const apiKeyIdCharactersMax = 64;

const maskedPattern = /\.\.\.|…|\*{3}/;

/** Patterns of strings that cannot be an id, with the problem. The first match counts. */
const notIds: readonly [RegExp, string][] = [
  [/^\s*$/, "is empty"],
  [maskedPattern, "is a masked key"],
  [/\s/, "contains whitespace: it is a name, or it was copied with a line break"],
  [new RegExp(`.{${apiKeyIdCharactersMax + 1}}`, "s"), `is longer than ${apiKeyIdCharactersMax} characters`],
  [/[^!-~]/, "has a control or a non-ASCII character"],
];

const idRemedy = "pass the key's id, as the list of API keys shows it";
export const secretIdProblem = `is a secret key (not shown here); ${idRemedy}, and rotate the key if the secret was written into a program`;

/**
 * Problem of an API key id, as the end of a sentence that never contains the string: a secret, a
 * masked secret or a name. `apiKey`: the configured secret, if known.
 */
export function apiKeyIdProblem(id: string, apiKey?: string): string | undefined {
  const text = typeof id === "string" ? id : "";
  // No id of the service begins like a secret, so the prefix alone is enough here.
  if (containsSecret(text, apiKey) || (/^\s*sk[_-]/i.test(text) && !maskedPattern.test(text))) {
    return secretIdProblem;
  }
  const why = notIds.find(([pattern]) => pattern.test(text))?.[1] ?? segmentProblem(text);
  return why && `${why}; ${idRemedy}`;
}

export const secretNameProblem = "is a secret key (not shown here); choose another name";

/** Longest name of a project, an API key or a profile, in code points. The service may count bytes. */
const nameCodePointsMax = 255;

/** Problem of an API key name, as the end of a sentence. The service may trim the name. */
export function apiKeyNameProblem(name: string): string | undefined {
  return longNameProblem(name);
}

/**
 * Problem of a profile name. The service publishes a length and no pattern: only a browser or a pool that
 * selects a profile by name needs the characters of an extension name.
 */
export const profileNameProblem = (name: string) => longNameProblem(name) ?? idLikeProblem("a profile", name);

/**
 * Problem of the name of a project or a credential: / and % (paths accept names), control
 * characters, or a wrong length.
 */
export function projectNameProblem(name: string): string | undefined {
  if (typeof name === "string" && /[/%]/.test(name)) {
    return "must not have / or %: the service refuses both in this name";
  }
  if (/\p{Cc}/u.test(name)) {
    return "has a control character, so a lookup by name would fail";
  }
  return longNameProblem(name);
}

/** Problem of a name that the service would trim. The limit of other names is assumed. */
export function trimmedNameProblem(name: string): string | undefined {
  return typeof name === "string" && name !== name.trim()
    ? "must not start or end with whitespace"
    : longNameProblem(name);
}

/** Problem of a name of which only the length is published. */
export function longNameProblem(name: string): string | undefined {
  if (typeof name !== "string" || name === "") {
    return `is empty; use 1 to ${nameCodePointsMax} characters`;
  }
  // Half of a surrogate pair has no UTF-8 form, so the service would store something else.
  if (/\p{Cs}/u.test(name)) {
    return "has invalid Unicode (half of a surrogate pair); write it again";
  }
  const length = [...name].length;
  return length > nameCodePointsMax
    ? `has ${length} characters; use at most ${nameCodePointsMax}`
    : undefined;
}

/**
 * Whether the service treats two names as equal. Source: the service's description: case and
 * accents do not count, everything else does. Compares keys, which allow lookups and are the same
 * in every runtime, unlike a collation.
 */
export function isSameName(a: string | null | undefined, b: string | null | undefined): boolean {
  return typeof a === "string" && typeof b === "string" && foldedName(a) === foldedName(b);
}

/** Key for comparing a name as the service does. */
export function foldedName(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
