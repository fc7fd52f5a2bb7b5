import { quotePath } from "../../text/escape.js";
import { holdsKey, keySpellings, textCleaner } from "../../text/redact.js";
import { WordSearch } from "./word-search.js";

/** What makes a file unfit to ship, as the code of its refusal. */
export type SecretErrorCode = "archive_api_key" | "archive_private_key";

/**
 * What the first line of a private key ends with, in every kind of PEM, in OpenSSH and in PGP. How a
 * key file of PuTTY begins. How a key of age begins, with the first of its own characters: without
 * it, the libraries that read such keys would be refused.
 */
const privateKeyWords = [
  "PRIVATE KEY-----",
  "PRIVATE KEY BLOCK-----",
  ...[1, 2, 3].flatMap((version) =>
    ["ssh-", "ecdsa-"].map((algorithm) => `PuTTY-User-Key-File-${version}: ${algorithm}`),
  ),
  ...[..."QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"].flatMap((character) => [
    `AGE-SECRET-KEY-1${character}`,
    `AGE-SECRET-KEY-PQ-1${character}`,
  ]),
];

/** By the API key: a deployment has few of those and may have hundreds of folders. */
const ofFolders = new Map<string | undefined, WordSearch<SecretErrorCode>>();

/** Looks for the API key and for private keys in the files of a folder. */
export function secretsOfFolder(apiKey: string | undefined): WordSearch<SecretErrorCode> {
  let search = ofFolders.get(apiKey);
  if (search === undefined) {
    search = new WordSearch([...keyWords(apiKey), ...wordsOf("archive_private_key", privateKeyWords)]);
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

/** Each word in ASCII, and in UTF-16 of either byte order. */
function wordsOf(kind: SecretErrorCode, words: readonly string[]) {
  return words
    .flatMap((word) => [word, [...word].join("\0")])
    .map((text) => ({ bytes: Buffer.from(text), kind }));
}
