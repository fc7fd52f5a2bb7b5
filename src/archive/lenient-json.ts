/**
 * Parses JSON as browsers do for manifests: UTF-8 with or without a byte order mark, and with comments. Undefined when it is
 * not even that. The text of a string is left alone: a comment begins outside of strings only.
 */
export function parseLenientJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(withoutComments(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    return undefined;
  }
}

/** Looks at every character once, and stops at what is never closed: no text is slower to read than another of its length. */
function withoutComments(text: string): string {
  const notable = /["/]/g;
  let kept = "";
  let from = 0;
  for (let found = notable.exec(text); found !== null; found = notable.exec(text)) {
    const at = found.index;
    const isString = found[0] === '"';
    const end = isString ? endOfString(text, at) : endOfComment(text, at);
    if (end === undefined) {
      return kept + text.slice(from);
    }
    if (!isString && end > at) {
      kept += `${text.slice(from, at)} `;
      from = end;
    }
    notable.lastIndex = Math.max(end, at + 1);
  }
  return kept + text.slice(from);
}

/** Where the string that begins at `start` is over; undefined when it never is. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

/** Where the comment that begins at `start` is over, `start` itself when it is no comment; undefined when it never is over. */
function endOfComment(text: string, start: number): number | undefined {
  const mark = text[start + 1];
  if (mark !== "/" && mark !== "*") return start;
  const end = text.indexOf(mark === "/" ? "\n" : "*/", start + 2);
  if (mark === "/") return end === -1 ? text.length : end;
  return end === -1 ? undefined : end + 2;
}
