/**
 * Parses JSON as browsers do for manifests: UTF-8 with or without a byte order mark, and with comments. Undefined when it is
 * not even that. The text of a string is left alone: a comment begins outside of strings only.
 */
export function parseLenientJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return JSON.parse(
      text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_match, string) => string ?? " "),
    );
  } catch {
    return undefined;
  }
}
