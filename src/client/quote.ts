/** Characters of a name that a message shows at most; ids tell longer ones apart. */
const quotedCharactersMax = 80;

/**
 * A name in quotes, with everything that the eye would miss spelled as an escape: control and format characters, combining marks, spaces
 * other than a single one between words. So two names that only look alike look different.
 */
export function quote(name: string): string {
  const characters = [...name];
  const shown = characters.slice(0, quotedCharactersMax).join("");
  const escaped = shown
    .replace(/["\\]/g, "\\$&")
    .replace(/^ +| +$| {2,}|[\p{C}\p{M}]|(?! )\p{Z}/gu, (hidden) =>
      Array.from({ length: hidden.length }, (_, i) => escapeUnit(hidden.charCodeAt(i))).join(""),
    );
  return `"${escaped}"${characters.length > quotedCharactersMax ? "…" : ""}`;
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
