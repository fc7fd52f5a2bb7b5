/**
 * A value as one JSON document, indented, ended by a line break. Characters that could steer a terminal are escaped, which changes nothing
 * for a program: JSON itself asks for that only below U+0020.
 */
export function jsonText(value: unknown): string {
  return `${escaped(JSON.stringify(value, null, 2))}\n`;
}

/** A value as one line of JSON, with the same escapes. */
export function jsonLine(value: unknown): string {
  return `${escaped(JSON.stringify(value))}\n`;
}

function escaped(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\n" ? character : escapeUnits(character),
  );
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}
