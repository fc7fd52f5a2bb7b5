/** Counts, sizes, lists, durations and errors in words, for messages. */

import { safeMessage } from "./escape.js";

/** Maximum number of items listed in a message; the rest are counted. */
const listedMax = 5;

/** Lists the first 5 items: `"a", "b" and 3 more`. `count`: number of all items. */
export function listed(
  items: readonly string[],
  max = listedMax,
  separator = ", ",
  count = items.length,
): string {
  const first = items.slice(0, max);
  const more = count - first.length;
  return first.join(separator) + (more > 0 ? ` and ${more} more` : "");
}

/** Joins sentences to a paragraph, without empty and undefined sentences. */
export function paragraph(...sentences: readonly (string | undefined)[]): string {
  return sentences.filter(Boolean).join(" ");
}

/** Returns the message of a thrown value on one line, safe to print: the error may quote foreign text. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return safeMessage(message.trim().replace(/\s*[\r\n]\s*/g, " "));
}

/** Capitalizes the first letter, for the beginning of a sentence. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Plural of a noun: `projects`, `proxies`. */
export function plural(noun: string): string {
  return noun.replace(/([^aeiou])y$/, "$1ie").concat("s");
}

/** A number with thousands separators, and the noun: `1 file`, `12,000 files`. */
export function counted(count: number, one: string, many = plural(one)): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** A size for people: `44.0 MiB`, `3.5 KiB`, `17 bytes`. */
export function sizeText(bytes: number): string {
  for (const [unit, unitBytes] of [
    ["GiB", 1024 ** 3],
    ["MiB", 1024 ** 2],
    ["KiB", 1024],
  ] as const) {
    if (bytes >= unitBytes) {
      return `${(bytes / unitBytes).toFixed(1)} ${unit}`;
    }
  }
  return counted(bytes, "byte");
}

/** A duration for people: "500 ms"; from 1 s on in whole seconds, as "1 h 5 min". */
export function durationText(ms: number): string {
  if (ms < 999.5) {
    return `${Math.max(0, Math.round(ms))} ms`;
  }
  const seconds = Math.round(ms / 1_000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 3_600), "h"],
    [Math.floor((seconds % 3_600) / 60), "min"],
    [seconds % 60, "s"],
  ];
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(" ");
}
