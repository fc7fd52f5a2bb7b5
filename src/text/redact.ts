/** Longest text in which addresses are looked for, in characters. What is beyond is left out. */
const searchedCharactersMax = 4_000;

/**
 * Text of the service with scheme and host of each address in it, and no more: an address of a login, or the code in it, lets its reader in.
 * At most 4,000 characters; a longer text ends with "…".
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

/** An address without user, query and fragment, in which a code may stand. Anything else becomes what `withoutAddresses` makes of it. */
export function withoutQuery(address: string): string {
  if (!URL.canParse(address)) {
    return withoutAddresses(address);
  }
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
