import { quotePath } from "../../text/escape.js";
import { containsKey, keySpellings, textCleaner } from "../../text/redact.js";
import { WordSearch } from "./word-search.js";

/** Kind of secret in a refused file, as the code of the error. */
export type SecretErrorCode = "archive_api_key" | "archive_private_key";

/**
 * End of the first line of a private key, in every kind of PEM, in OpenSSH and in PGP. Libraries
 * that read or write keys contain the line too, so the body of a key must follow.
 */
const privateKeyHeaders = [
  ...["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"].flatMap((line) =>
    [" ", "%20", "+"].map((space) => line.replaceAll(" ", space)),
  ),
  // First line of a PuTTY key file.
  ...[1, 2, 3].flatMap((version) =>
    ["ssh-", "ecdsa-"].map((algorithm) => `PuTTY-User-Key-File-${version}: ${algorithm}`),
  ),
];

/** Beginnings of age keys, with a character of the key: libraries contain the beginning alone. */
const privateKeyWords = [..."QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"].flatMap((character) => [
  `AGE-SECRET-KEY-1${character}`,
  `AGE-SECRET-KEY-PQ-1${character}`,
]);

/** Searches by API key: a deployment has few API keys and may have hundreds of folders. */
const folderSearches = new Map<string | undefined, WordSearch<SecretErrorCode>>();

/** Returns the search for the API key and for private keys in the files of a folder. */
export function secretsOfFolder(apiKey: string | undefined): WordSearch<SecretErrorCode> {
  let search = folderSearches.get(apiKey);
  if (search === undefined) {
    search = new WordSearch([
      ...keyWords(apiKey),
      ...wordsOf("archive_private_key", privateKeyWords),
      ...wordsOf("archive_private_key", privateKeyHeaders).map((word) => ({
        ...word,
        isConfirmed: isKeyBody,
      })),
    ]);
    folderSearches.set(apiKey, search);
  }
  return search;
}

/** Returns the search for the API key in a ready archive. Private keys are its author's choice. */
export function secretsOfZip(apiKey: string | undefined): WordSearch<SecretErrorCode> {
  return new WordSearch(keyWords(apiKey));
}

/** Quotes a path that contains the API key, with the key removed; undefined for other paths. */
export function redactedPath(path: string, apiKey: string | undefined): string | undefined {
  return apiKey !== undefined && containsKey(path, apiKey) ? textCleaner(apiKey)(quotePath(path)) : undefined;
}

function keyWords(apiKey: string | undefined) {
  return wordsOf("archive_api_key", apiKey === undefined ? [] : keySpellings(apiKey));
}

/**
 * Whether the first line of a private key is followed by a body: 32 characters of base64 in a row,
 * before the last line. Names in programs seldom have such a length, letters of both cases and a
 * digit. Line breaks may be spelled in any way, and headers may come first.
 */
function isKeyBody(following: Uint8Array): boolean {
  // In UTF-16, every second byte of the key is zero.
  const text = Buffer.from(following).toString("latin1").replaceAll("\0", "");
  const [body = ""] = text.split("-----");
  return (body.match(/[A-Za-z\d+/]{32,}/g) ?? []).some(
    (run) => /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run) && !/abcdefgh/i.test(run),
  );
}

/** Encodes each word in ASCII, and in UTF-16 of either byte order. */
function wordsOf(kind: SecretErrorCode, words: readonly string[]) {
  return words
    .flatMap((word) => [word, [...word].join("\0")])
    .map((text) => ({ bytes: Buffer.from(text), kind }));
}
