/** Longest piece of service text a message carries, in characters. */
export const serviceTextCharactersMax = 500;

/** Encodings of a key shorter than this are too likely to occur in ordinary text. */
const encodedCharactersMin = 6;

/** Makes text that came from the service fit for a message: one line, bounded, and without the API key. */
export type CleanText = (text: string, charactersMax?: number) => string;

/**
 * Builds the cleaner for one API key. A service, or a proxy before it, may echo request headers in an error page, so the key
 * is taken out as it stands, URL-encoded, JSON-escaped, and in base64 at any of its three alignments.
 */
export function textCleaner(apiKey: string): CleanText {
  const spellings = [...new Set([apiKey, ...encodings(apiKey)])].sort((a, b) => b.length - a.length);
  return (text, charactersMax = serviceTextCharactersMax) => {
    // Control, format, surrogate and separator characters could rewrite a terminal line or hide text.
    let clean = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
    // Redact before cutting: half a key at the cut would not be recognised.
    for (const spelling of spellings) {
      clean = clean.replaceAll(spelling, "[redacted]");
    }
    return clean.length > charactersMax ? `${clean.slice(0, charactersMax)}…` : clean;
  };
}

function encodings(key: string): string[] {
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.from("\0".repeat(offset) + key)
      .toString("base64")
      .replace(/=+$/, "");
    // Characters that also hold bits of a neighbour: the first ones after an offset, the last one always.
    const own = text.slice(offset === 0 ? 0 : offset + 1, -1);
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const url = encodeURIComponent(key);
  return [
    ...base64,
    url,
    url.replace(/%../g, (octet) => octet.toLowerCase()),
    JSON.stringify(key).slice(1, -1),
  ].filter((text) => text.length >= encodedCharactersMin);
}
