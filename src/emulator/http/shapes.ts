import type { z } from "zod";

/** What is wrong and where, for instance `projects[1].name must be a text`, without a full stop. */
export function issueText({ path, message }: z.core.$ZodIssue): string {
  const place = path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
  // Our own messages go on from the name; zod's are sentences of their own.
  const separator = /^(must|is|has)\b/.test(message) ? " " : ": ";
  return `${place || "it"}${separator}${message}`;
}
