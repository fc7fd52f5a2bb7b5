/** Redaction of secrets: the API key, and addresses that give access to every reader. */
import { oneLine, shorten } from "./escape.js";
import { removeEscapes } from "./plain-form.js";

/** Longest foreign text in a message, in characters. */
const cleanCharactersMax = 500;

/** Shortest removed spelling of a key, in characters: shorter ones occur in ordinary text. */
const removedCharactersMin = 6;

const placeholder = "[redacted]";

/** Longest text searched for addresses, in characters. The rest is dropped. */
const searchedCharactersMax = 4_000;

/** Shortest key recognized in arguments and files, in characters. `test` may also be a name. */
const recognizedCharactersMin = 16;

/** Cleans foreign text: a single line, 500 characters by default, without the API key. */
export type CleanText = (text: string, charactersMax?: number) => string;

/** Longest text searched for secrets, in characters. The rest is dropped. */
const redactedCharactersMax = 16_384;

/** Characters dropped at the end of cut text, because the end may contain a part of a secret. */
const droppedEndCharacters = 4_096;

/**
 * Hides secrets in text from outside: a service, or a proxy before the service, may echo the
 * request in an error page, or repeat a stored secret. Removes a secret, and every line of a secret,
 * in every usual spelling, plain or escaped. A secret of fewer than 6 characters is not removed: "a"
 * or "test" occurs in ordinary text, and the placeholders would show the secret.
 */
export class Redaction {
  readonly #secrets: Set<string>;
  /** Number of secrets with known spellings. */
  #prepared = 0;
  #spellings: readonly string[] = [];
  /** Plain forms of the spellings, in lower case, longest first. */
  #unescapedSpellings: readonly string[] = [];

  constructor(...secrets: readonly string[]) {
    this.#secrets = new Set(secrets);
  }

  hide(secrets: readonly string[]): void {
    for (const secret of secrets) {
      this.#secrets.add(secret);
    }
  }

  /** Cleans text from outside. */
  readonly clean: CleanText = (text, charactersMax = cleanCharactersMax) => {
    // Redacts before cutting: half a key at the cut would not be recognised.
    const redacted =
      text.length > redactedCharactersMax
        ? this.#redact(text.slice(0, redactedCharactersMax)).slice(0, -droppedEndCharacters)
        : this.#redact(text);
    return shorten(oneLine(redacted), charactersMax);
  };

  /** Removes secrets, and changes nothing else, in text of a response's data. */
  hideIn(text: string): string {
    return text.length > redactedCharactersMax ? this.clean(text, redactedCharactersMax) : this.#redact(text);
  }

  /**
   * Whether a code of the service repeats a secret. Callers decide by codes, and a secret may be an
   * ordinary word such as `project`, so a code without a digit repeats only a secret that is equal.
   */
  isSecretCode(code: string): boolean {
    return /\d/.test(code)
      ? this.#redact(code) !== code
      : [...this.#secrets].some((secret) => isLongEnough(secret) && lowerCase(secret) === lowerCase(code));
  }

  #redact(text: string): string {
    this.#prepare();
    let clean = text;
    for (const spelling of this.#spellings) {
      clean = clean.replaceAll(spelling, placeholder);
    }
    let plain = removeEscapes(clean);
    let lower = lowerCase(plain);
    let isFound = false;
    for (const form of this.#unescapedSpellings) {
      for (let at = lower.indexOf(form); at >= 0; at = lower.indexOf(form, at + placeholder.length)) {
        plain = plain.slice(0, at) + placeholder + plain.slice(at + form.length);
        lower = lower.slice(0, at) + placeholder + lower.slice(at + form.length);
        isFound = true;
      }
    }
    // Text without an escaped secret stays as written by the service.
    return isFound ? plain : clean;
  }

  /** Builds the spellings only for a message: most requests succeed, and need no spellings. */
  #prepare(): void {
    const added = [...this.#secrets].slice(this.#prepared);
    if (added.length > 0) {
      this.#prepared = this.#secrets.size;
      const secrets = added.flatMap(withPartsOf);
      const lines = added.flatMap(linesOf);
      const spellings = [...secrets.flatMap(spellingsOf), ...lines];
      const unescaped = [...secrets.flatMap((secret) => [secret, ...encodingsOf(secret)]), ...lines];
      const plainForms = unescaped.map((text) => lowerCase(removeEscapes(text))).filter(isLongEnough);
      this.#spellings = longestFirst([...this.#spellings, ...spellings]);
      this.#unescapedSpellings = longestFirst([...this.#unescapedSpellings, ...plainForms]);
    }
  }
}

/** Builds the cleaner for an API key and other fixed secrets. */
export function textCleaner(...secrets: readonly string[]): CleanText {
  return new Redaction(...secrets).clean;
}

/** Returns a secret and the secret part of an address of one-time codes: the key. */
function withPartsOf(secret: string): string[] {
  const [, key = ""] = /^otpauth:.*[?&]secret=([^&#]*)/is.exec(secret) ?? [];
  return [secret, key].flatMap(withoutPadding).filter(isLongEnough);
}

/** Splits a secret into lines: a service may quote a line. Borders of certificates are public. */
function linesOf(secret: string): string[] {
  const lines = secret.split(/[\r\n\u2028\u2029]+/).map((line) => line.trim());
  return lines
    .flatMap(withoutPadding)
    .filter((line) => isLongEnough(line) && !/^-----[A-Z0-9 ]+-----$/.test(line));
}

/** Returns text, and the text without the padding of base32 and base64. */
function withoutPadding(text: string): readonly string[] {
  return text.endsWith("=") ? [text, text.replace(/=+$/, "")] : [text];
}

function isLongEnough(text: string): boolean {
  return text.length >= removedCharactersMin;
}

function longestFirst(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort((a, b) => b.length - a.length);
}

/** Converts ASCII letters to lower case, as in a host name. The length stays. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Spellings of a key: plain, URL-encoded, JSON-escaped, in base64, and in hexadecimal. */
function spellingsOf(key: string): string[] {
  const url = encodeURIComponent(key);
  const hex = Buffer.from(key).toString("hex");
  const hexadecimal = [hex, hex.toUpperCase()].flatMap((digits) =>
    ["", "%", "\\x", "\\u00"].map((before) => digits.replace(/../g, `${before}$&`)),
  );
  const escaped = [
    url,
    url.replace(/%../g, (octet) => octet.toLowerCase()),
    JSON.stringify(key).slice(1, -1),
    ...hexadecimal,
  ];
  return [...new Set([key, ...encodingsOf(key), ...escaped])].filter(isLongEnough);
}

/** Encodes a key in hexadecimal, and in base64 at all three alignments. */
function encodingsOf(key: string): string[] {
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.from("\0".repeat(offset) + key)
      .toString("base64")
      .replace(/=+$/, "");
    // Drops characters with bits of a neighbour: the first characters after an offset, and the last
    // character.
    const own = text.slice(offset === 0 ? 0 : offset + 1, -1);
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [Buffer.from(key).toString("hex"), ...base64];
}

/** Lists the possible spellings of the key in a file. Empty for a key under 16 characters. */
export function keySpellings(apiKey: string): string[] {
  return apiKey.length < recognizedCharactersMin ? [] : spellingsOf(apiKey);
}

/** Whether text contains the configured key. Always false for a key of fewer than 16 characters. */
export function containsKey(text: string, apiKey: string): boolean {
  return apiKey.length >= recognizedCharactersMin && text.includes(apiKey);
}

/**
 * Whether text is or contains a secret: the configured key, if given; a long word with a digit that
 * begins with `sk_` or `sk-`; `Bearer` with a token; or a JSON Web Token (`eyJ…`). Masked keys such
 * as `sk_1234...abcd` and words such as `sk_production` are not secrets.
 */
export function containsSecret(text: string, apiKey?: string): boolean {
  if (apiKey !== undefined && containsKey(text, apiKey)) {
    return true;
  }
  return /(?:^|\s)(?:sk[_-](?=\S*\d)[^\s.…*]{16,}(?:$|\s)|bearer\s+\S|eyJ[\w-]+\.[\w-]+\.)/i.test(text);
}

/** Masks a key as the service does (`sk_1234...abcd`), a short key with fewer characters. */
export function maskedKey(apiKey: string): string {
  const head = Math.min(7, Math.floor(apiKey.length / 4));
  const tail = Math.min(4, Math.floor(apiKey.length / 8));
  return `${apiKey.slice(0, head)}...${apiKey.slice(apiKey.length - tail)}`;
}

/**
 * Reduces every address in text to scheme and host. The address of a login, or a code in the
 * address, gives access to every reader. At most 4,000 characters; the rest becomes "…".
 */
export function withoutAddresses(text: string): string {
  const searched =
    text.length > searchedCharactersMax
      ? // Half an address at the cut would not be recognised.
        `${text.slice(0, searchedCharactersMax).replace(/\S+$/, "")}…`
      : text;
  return searched
    .replace(
      /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#]*@)?([^\s/?#]*)([/?#]\S*)?/gi,
      (_address, scheme: string, host: string, rest?: string) =>
        rest === undefined ? scheme + host : `${scheme}${host}/…`,
    )
    .replace(/\b((?:[\w-]+\.)+[a-z]{2,}(?::\d+)?)[/?#]\S+/gi, "$1/…")
    .replace(/[?#]\S*=\S*/g, "?…");
}

/** Whether an address has a user name or a password before the host. Either may be a secret. */
export function hasUser(address: string): boolean {
  const url = URL.parse(address);
  // An address that no URL can hold may contain a password all the same.
  return url
    ? url.username !== "" || url.password !== ""
    : /^\s*[a-z][a-z0-9+.-]*:[\\/]{2}[^/?#]*@/i.test(address);
}

/** Removes user, query and fragment from an address: each of the three may contain a code. */
export function withoutQuery(address: string): string {
  if (!URL.canParse(address)) {
    return withoutAddresses(address);
  }
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
