import { randomBytes } from "node:crypto";

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Random text of a-z and 0-9, of the given length; the first character is a letter, as in the service's ids. */
export function randomText(characters: number): string {
  let text = "";
  while (text.length < characters) {
    for (const byte of randomBytes(characters)) {
      // 252 is the largest multiple of 36 in a byte: above it, the first letters would come up more often.
      const letter = byte < 252 ? alphabet[byte % alphabet.length] : undefined;
      if (letter !== undefined && text.length < characters && !(text === "" && letter <= "9")) {
        text += letter;
      }
    }
  }
  return text;
}

/** A new id in the service's form: 24 characters of a-z and 0-9. Source: the ids the service's own tools accept. */
export function newId(): string {
  return randomText(24);
}
