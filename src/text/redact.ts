/** What must not get out: the API key, and addresses that give access to anyone who has them. */
import { oneLine, shorten } from "./escape.js";

/** Longest piece of foreign text that a message carries, in characters. */
const cleanCharactersMax = 500;

/**
 * Shortest spelling of a key that is removed, in characters. A shorter one occurs in ordinary text.
 * The service's keys are longer: such a key is an emulator's.
 */
const removedCharactersMin = 6;

/** Longest text that is searched for addresses, in characters. The rest is left out. */
const searchedCharactersMax = 4_000;

/**
 * Shortest key that is looked for in arguments, in characters. The service's keys are longer. A key
 * such as `test`, which is fine for an emulator, may also be a name.
 */
const recognizedCharactersMin = 16;

/**
 * Makes text of the service fit for a message: one line, at most `charactersMax` characters
 * (default 500), and without the API key.
 */
export type CleanText = (text: string, charactersMax?: number) => string;

/**
 * Builds the cleaner for an API key, and for other secrets that a request contains. A service, or a
 * proxy before it, may echo what it was sent in an error page. So a secret is removed in every usual
 * spelling, unless it has fewer than 6 characters.
 */
export function textCleaner(...secrets: readonly string[]): CleanText {
  const spellings = secrets.flatMap(spellingsOf).sort((a, b) => b.length - a.length);
  return (text, charactersMax = cleanCharactersMax) => {
    let clean = oneLine(text);
    // Redact before cutting: half a key at the cut would not be recognised.
    for (const spelling of spellings) {
      clean = clean.replaceAll(spelling, "[redacted]");
    }
    return shorten(clean, charactersMax);
  };
}

/**
 * The key as it is, URL-encoded, JSON-escaped, in base64 at any of its three alignments, and with
 * every character in hexadecimal: `73`, `%73`, `\x73` or `\u0073`. Only what has 6 characters.
 */
function spellingsOf(key: string): string[] {
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.from("\0".repeat(offset) + key)
      .toString("base64")
      .replace(/=+$/, "");
    // Without those that hold bits of a neighbour: the first ones after an offset, and the last.
    const own = text.slice(offset === 0 ? 0 : offset + 1, -1);
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const url = encodeURIComponent(key);
  const hex = Buffer.from(key).toString("hex");
  const hexadecimal = [hex, hex.toUpperCase()].flatMap((digits) =>
    ["", "%", "\\x", "\\u00"].map((before) => digits.replace(/../g, `${before}$&`)),
  );
  const encoded = [
    ...base64,
    url,
    url.replace(/%../g, (octet) => octet.toLowerCase()),
    JSON.stringify(key).slice(1, -1),
    ...hexadecimal,
  ];
  return [...new Set([key, ...encoded])].filter((text) => text.length >= removedCharactersMin);
}

/** How a file may spell the key. None for a key of fewer than 16 characters. */
export function keySpellings(apiKey: string): string[] {
  return apiKey.length < recognizedCharactersMin ? [] : spellingsOf(apiKey);
}

/** Whether text holds the configured key. A key of fewer than 16 characters is not looked for. */
export function holdsKey(text: string, apiKey: string): boolean {
  return apiKey.length >= recognizedCharactersMin && text.includes(apiKey);
}

/**
 * Whether text is, or holds, a secret: the configured key (when it is known), something long with a
 * digit and the prefix of the service's keys (`sk_`), or a bearer token. Masked keys such as
 * `sk_1234...abcd` and words such as `sk_production` are not secrets.
 */
export function isSecretKey(text: string, apiKey?: string): boolean {
  if (apiKey !== undefined && holdsKey(text, apiKey)) {
    return true;
  }
  return /(?:^|\s)(?:sk[_-](?=\S*\d)[^\s.…*]{16,}(?:$|\s)|bearer\s+\S|eyJ[\w-]+\.[\w-]+\.)/i.test(text);
}

/**
 * A masked key: its first seven and its last four characters, as the service shows it
 * (`sk_1234...abcd`). A short key shows less, so that most of it stays hidden. Source of the form:
 * the service's published examples.
 */
export function maskedKey(apiKey: string): string {
  const head = Math.min(7, Math.floor(apiKey.length / 4));
  const tail = Math.min(4, Math.floor(apiKey.length / 8));
  return `${apiKey.slice(0, head)}...${apiKey.slice(apiKey.length - tail)}`;
}

/**
 * Text with only the scheme and the host of each address in it. The address of a login, or the code
 * in it, gives access to anyone who reads it. At most 4,000 characters; the rest becomes "…".
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

/**
 * An address without user, query and fragment, any of which may hold a code. Anything that is not
 * an absolute address becomes what {@link withoutAddresses} makes of it.
 */
export function withoutQuery(address: string): string {
  if (!URL.canParse(address)) {
    return withoutAddresses(address);
  }
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
