/**
 * Parses JSON as Chromium reads an extension's files: UTF-8, a byte order mark allowed, and
 * comments (`//` to the end of the line, `/*` to the closing mark) anywhere between tokens.
 * Trailing commas are not allowed. Throws an error whose message completes "is not valid JSON: …".
 */
export function parseJsonWithComments(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it is not UTF-8");
  }
  return JSON.parse(withoutComments(text));
}

/**
 * Comments become spaces, so that a position in an error message is one in the file. Linear in the
 * length of the text.
 */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let keptTo = 0;
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
    } else if (character === "/" && (text[at + 1] === "/" || text[at + 1] === "*")) {
      const end = text[at + 1] === "/" ? endOfLine(text, at) : endOfComment(text, at);
      parts.push(text.slice(keptTo, at), text.slice(at, end).replace(/[^\r\n]/g, " "));
      keptTo = end;
      at = end;
    } else {
      at += 1;
    }
  }
  return parts.join("") + text.slice(keptTo);
}

/**
 * The position after the string that begins at `start`; the end of the text when it is not closed.
 */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") {
      at += 1;
    } else if (text[at] === '"') {
      return at + 1;
    }
  }
  return text.length;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

function endOfComment(text: string, start: number): number {
  const end = text.indexOf("*/", start + 2);
  if (end === -1) {
    throw new Error("a comment that begins with /* is not closed");
  }
  return end + 2;
}
