import { quotePath } from "../../text/escape.js";
import { holdsKey, keySpellings, textCleaner } from "../../text/redact.js";
import { WordSearch } from "./word-search.js";

/** What makes a file unfit to ship, as the code of its refusal. */
export type SecretErrorCode = "archive_api_key" | "archive_private_key";

/**
 * End of the first line of a private key, in every kind of PEM, in OpenSSH and in PGP. Libraries
 * that read or write keys contain the line too, so the body of a key must follow.
 */
const linesBeforeKeys = [
  ...["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"].flatMap((line) =>
    [" ", "%20", "+"].map((space) => line.replaceAll(" ", space)),
  ),
  // The first line of a key file of PuTTY.
  ...[1, 2, 3].flatMap((version) =>
    ["ssh-", "ecdsa-"].map((algorithm) => `PuTTY-User-Key-File-${version}: ${algorithm}`),
  ),
];

/**
 * Beginning of a key of age, with the first of its own characters: without it, the libraries that
 * read such keys would be refused.
 */
const privateKeyWords = [..."QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"].flatMap((character) => [
  `AGE-SECRET-KEY-1${character}`,
  `AGE-SECRET-KEY-PQ-1${character}`,
]);

/** By the API key: a deployment has few of those and may have hundreds of folders. */
const ofFolders = new Map<string | undefined, WordSearch<SecretErrorCode>>();

/** Looks for the API key and for private keys in the files of a folder. */
export function secretsOfFolder(apiKey: string | undefined): WordSearch<SecretErrorCode> {
  let search = ofFolders.get(apiKey);
  if (search === undefined) {
    search = new WordSearch([
      ...keyWords(apiKey),
      ...wordsOf("archive_private_key", privateKeyWords),
      ...wordsOf("archive_private_key", linesBeforeKeys).map((word) => ({ ...word, isConfirmed: isKeyBody })),
    ]);
    ofFolders.set(apiKey, search);
  }
  return search;
}

/** Looks for the API key in the files of a ready archive. Its author chose them, and not this key. */
export function secretsOfZip(apiKey: string | undefined): WordSearch<SecretErrorCode> {
  return new WordSearch(keyWords(apiKey));
}

/**
 * A path that holds the API key, quoted and without it; undefined for any other. State files and
 * messages have the names of files.
 */
export function redactedPath(path: string, apiKey: string | undefined): string | undefined {
  return apiKey !== undefined && holdsKey(path, apiKey) ? textCleaner(apiKey)(quotePath(path)) : undefined;
}

function keyWords(apiKey: string | undefined) {
  return wordsOf("archive_api_key", apiKey === undefined ? [] : keySpellings(apiKey));
}

/**
 * Whether the body of a private key follows its first line: 32 characters of base64 in a row, before
 * the last line. A name in a program is seldom so long and has seldom letters of both cases and a
 * digit. Line breaks may be spelled in any way, and headers may come first.
 */
function isKeyBody(following: Uint8Array): boolean {
  // In UTF-16, every second byte is zero.
  const text = Buffer.from(following).toString("latin1").replaceAll("\0", "");
  const [body = ""] = text.split("-----");
  return (body.match(/[A-Za-z\d+/]{32,}/g) ?? []).some(
    (run) => /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run) && !/abcdefgh/i.test(run),
  );
}

/** Each word in ASCII, and in UTF-16 of either byte order. */
function wordsOf(kind: SecretErrorCode, words: readonly string[]) {
  return words
    .flatMap((word) => [word, [...word].join("\0")])
    .map((text) => ({ bytes: Buffer.from(text), kind }));
}
