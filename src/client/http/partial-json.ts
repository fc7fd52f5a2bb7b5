/** Deepest nesting that is completed. The bodies of the service have three levels. */
const depthMax = 32;

/**
 * Completes the beginning of a JSON text: cuts the text before the first incomplete member or
 * element, and closes everything open. So the code and the message of a long error are found
 * although the details were cut off. A text that is no beginning of JSON does not become JSON.
 */
export function completeJson(text: string): string {
  /** Closing brackets of the open objects and arrays, innermost first. */
  let closers = "";
  let [end, endClosers] = [text.length, ""];
  let inString = false;
  for (let i = 0; i < text.length && closers.length <= depthMax; i++) {
    const character = text[i];
    if (inString) {
      if (character === "\\") {
        i++;
      } else if (character === '"') {
        inString = false;
      }
    } else if (character === '"') {
      inString = true;
    } else if (character === "{" || character === "[") {
      closers = (character === "{" ? "}" : "]") + closers;
    } else if (character === "}" || character === "]") {
      closers = closers.slice(1);
    } else if (character === ",") {
      [end, endClosers] = [i, closers];
    }
  }
  return text.slice(0, end) + endClosers;
}
