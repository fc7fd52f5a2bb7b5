/**
 * Replaces references to messages (`__MSG_name__`) or to placeholders (`$name$`) as Chromium does:
 * a reference ends at the first end mark, and an invalid name is plain text. `valueOf` gets the
 * name in lower case. If a name has no value, returns the first such name instead of the text.
 */
export function replaceReferences(
  text: string,
  [start, end]: readonly [start: string, end: string],
  valueOf: (name: string) => string | undefined,
): { readonly text: string } | { readonly missing: string } {
  const parts: string[] = [];
  let copied = 0;
  for (let at = text.indexOf(start); at !== -1; ) {
    const from = at + start.length;
    const to = text.indexOf(end, from);
    if (to === -1) {
      break;
    }
    const name = text.slice(from, to);
    if (!isMessageName(name)) {
      at = text.indexOf(start, from);
      continue;
    }
    const value = valueOf(name.toLowerCase());
    if (value === undefined) {
      return { missing: name };
    }
    parts.push(text.slice(copied, at), value);
    copied = to + end.length;
    at = text.indexOf(start, copied);
  }
  return { text: parts.join("") + text.slice(copied) };
}

/** Whether Chromium accepts the name of a message or placeholder. */
export function isMessageName(name: string): boolean {
  return /^[A-Za-z0-9_@]+$/.test(name);
}
