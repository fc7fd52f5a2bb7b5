import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Forms of a secret: plain, URL-encoded, Base64 and hexadecimal. */
function formsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    // Base64 of the secret at all possible offsets in an encoded string, without the characters
    // that depend on neighbours.
    ...[0, 1, 2].map((offset) =>
      Buffer.from("x".repeat(offset) + secret)
        .toString("base64")
        .slice(offset === 0 ? 0 : 4, -4),
    ),
    Buffer.from(secret).toString("hex"),
  ];
}

/** Finds a secret in a string. Returns the first match of every form, with 80 characters around. */
export function sightings(secret: string, text: string): string[] {
  return [...new Set(formsOf(secret))]
    .map((form) => [form, text.indexOf(form)] as const)
    .filter(([, at]) => at >= 0)
    .map(([form, at]) => text.slice(Math.max(0, at - 80), at + form.length + 80));
}

/** Arguments of all processes that run on this machine now. */
export function processArguments(): string {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => {
      try {
        return readFileSync(join("/proc", pid, "cmdline"), "latin1");
      } catch {
        return ""; // Ended since.
      }
    })
    .join("\n");
}
