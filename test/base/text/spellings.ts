/** Spellings of text passed on by software: a service may repeat a secret in any of these forms. */
export const spellings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "on one line": (text) => text.replace(/\s+/g, " "),
  "in capitals": (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  "URL-encoded": encodeURIComponent,
  "URL-encoded in lower case": (text) =>
    encodeURIComponent(text).replace(/%../g, (octet) => octet.toLowerCase()),
  "as a whole URL": encodeURI,
  "in a form": (text) => new URLSearchParams({ text }).toString().slice("text=".length),
  "as JSON": (text) => JSON.stringify(text),
  "as JSON within JSON": (text) => JSON.stringify(JSON.stringify(text)),
  "as JSON that is safe in HTML": (text) => escaped(text, /[<>&'+]/g, (code) => `\\u00${code.toString(16)}`),
  "as JSON in ASCII": (text) =>
    escaped(text, /[^ -~]/g, (code) => `\\u${code.toString(16).padStart(4, "0")}`),
  "as JSON with escaped slashes": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  "in HTML": (text) => inHtml(text),
  "in HTML by numbers": (text) =>
    text.replace(/[^a-z0-9 ]/gi, (character) => `&#${character.charCodeAt(0)};`),
  "in HTML by hexadecimal numbers": (text) =>
    text.replace(/[^a-z0-9 ]/gi, (character) => `&#x${character.charCodeAt(0).toString(16)};`),
  "as JSON in HTML": (text) => inHtml(JSON.stringify(text)),
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "in base64 after one byte": (text) => Buffer.from(`:${text}`).toString("base64"),
  "in base64 after two bytes, URL-safe": (text) => Buffer.from(`a:${text}`).toString("base64url"),
  "in hexadecimal": (text) => Buffer.from(text).toString("hex"),
};

function inHtml(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };
  return text.replace(/[&<>"]/g, (character) => `&${names[character]};`).replaceAll("'", "&#39;");
}

function escaped(text: string, characters: RegExp, escape: (code: number) => string): string {
  return JSON.stringify(text).replace(characters, (character) => escape(character.charCodeAt(0)));
}

/** Whether a message contains, in any spelling, a part of a secret with the given word. */
export function shows(message: string, word: string): boolean {
  const base64 = ["", ":", "a:"].map((before) => {
    // Only characters that depend on the word alone.
    const at = before === "" ? 0 : before.length + 1;
    return Buffer.from(before + word)
      .toString("base64")
      .replace(/=+$/, "")
      .slice(at, -1);
  });
  const found = [word, Buffer.from(word).toString("hex"), ...base64];
  return found.some((each) => message.toLowerCase().includes(each.toLowerCase()));
}
