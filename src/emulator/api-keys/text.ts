import { createHash } from "node:crypto";
import { randomText } from "../storage/ids-and-names.js";

/** Says what is wrong with the text of an API key, as the end of a sentence; undefined when nothing is. */
export function apiKeyProblem(key: unknown): string | undefined {
  // It travels behind "Bearer " in a header: visible ASCII, no blanks.
  return typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)
    ? undefined
    : "must be 1 to 255 visible ASCII characters without blanks";
}

/** The text of a new key. */
export function newApiKeyText(): string {
  return `sk_${randomText(32)}`;
}

/** What is kept of a key to know it again. */
export function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/**
 * What is shown of a key: `sk_1234...abcd`, its first seven and its last four characters. Of a short one less is shown, so that
 * what is shown is never near the whole. Source of the form: the service's published examples.
 */
export function masked(key: string): string {
  const head = Math.min(7, Math.floor(key.length / 4));
  const tail = Math.min(4, Math.floor(key.length / 8));
  return `${key.slice(0, head)}...${key.slice(key.length - tail)}`;
}
