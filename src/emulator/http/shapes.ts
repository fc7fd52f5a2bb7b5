import { z } from "zod";

/** What is wrong with a value that must be a string, as the end of a sentence. */
export const notAString = "must be a string";

/** Error option of an object that may have no members but the known ones. */
export const notTheObject = {
  error: (issue: { readonly code: string; readonly keys?: readonly string[] }) =>
    issue.code === "unrecognized_keys"
      ? `has an unknown member ${issue.keys?.map((key) => JSON.stringify(key)).join(", ")}`
      : "must be an object",
};

/** A string that fulfills a rule. The rule says what is wrong, as the end of a sentence. */
export function checkedString(
  problem: (text: string) => string | undefined,
  string = z.string(notAString),
): z.ZodString {
  return string.superRefine((text, { addIssue }) => {
    const found = problem(text);
    if (found !== undefined) {
      addIssue(found);
    }
  });
}

/** What is wrong where: `projects[1].name must be a string`, without a full stop. */
export function issueText({ path, message }: z.core.$ZodIssue): string {
  const place = path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
  // Our own messages continue the sentence; zod's are whole sentences.
  const separator = /^(must|is|has)\b/.test(message) ? " " : ": ";
  return `${place || "it"}${separator}${message}`;
}
