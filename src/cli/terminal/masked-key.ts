/**
 * What is shown of an API key: its first seven and its last four characters, as the service shows it (`sk_1234...abcd`). Of a short one less,
 * so that what is shown is never near the whole.
 */
export function maskedKey(apiKey: string): string {
  const head = Math.min(7, Math.floor(apiKey.length / 4));
  const tail = Math.min(4, Math.floor(apiKey.length / 8));
  return `${apiKey.slice(0, head)}...${apiKey.slice(apiKey.length - tail)}`;
}
