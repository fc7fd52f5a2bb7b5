/** Shortest key that is looked for in other text, in characters. Secrets of the service are longer; a key such as `test`, fine for an emulator, is also a name. */
const recognizedCharactersMin = 16;

/** Whether text holds the configured key. */
export function holdsKey(text: string, apiKey: string): boolean {
  return apiKey.length >= recognizedCharactersMin && text.includes(apiKey);
}

/**
 * Whether text is, or holds, a secret: the configured key, when it is known, something long with a digit and the prefix of
 * the service's keys (`sk_`), or a bearer token. Shortened forms such as `sk_1234...abcd` and words such as `sk_production` are not.
 */
export function isSecretKey(text: string, apiKey?: string): boolean {
  if (apiKey !== undefined && holdsKey(text, apiKey)) {
    return true;
  }
  return /(?:^|\s)(?:sk[_-](?=\S*\d)[^\s.…*]{16,}(?:$|\s)|bearer\s+\S|eyJ[\w-]+\.[\w-]+\.)/i.test(text);
}
