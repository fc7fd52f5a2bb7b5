import { InputError } from "../../errors.js";
import { holdsKey } from "../../text/redact.js";
import type { Call } from "./call.js";

/** Longest id or name in a path, in UTF-8 bytes. Names have at most 255 characters, ids 24. */
const pathSegmentBytesMax = 255;

/**
 * Percent-encodes an id or a name as one segment of a path. Throws `InputError` `id_invalid` for
 * `property` if a server or a proxy could read it as anything else, even after decoding twice; its
 * advice asks for `expected`.
 */
export function pathSegment(property: string, value: string, expected = "an id or a name"): string {
  const text = typeof value === "string" ? value : "";
  // Servers may turn look-alikes into the characters that they resemble.
  const compatible = text.normalize("NFKC");
  const problems: readonly [boolean, string][] = [
    [text === "", "is empty"],
    [Buffer.byteLength(text) > pathSegmentBytesMax, `is longer than ${pathSegmentBytesMax} bytes`],
    [/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text), "has a control character or invalid Unicode"],
    [/[/\\?#%]/.test(compatible), "has one of the characters / \\ ? # %"],
    [/^\.+$/.test(compatible), "consists of dots"],
  ];
  const problem = problems.find(([applies]) => applies)?.[1];
  if (problem !== undefined) {
    const message = `"${property}" ${problem}. Pass ${expected} as the service shows it.`;
    throw new InputError("id_invalid", property, message);
  }
  return encodeURIComponent(text);
}

/**
 * Refuses a call with the API key in its path or query, which servers log and messages show. Throws
 * `InputError` `secret_in_address`, which does not show the key.
 */
export function refuseKeyInPath({ path, query }: Call, apiKey: string): void {
  const property = holdsKey(decodeURIComponent(path), apiKey)
    ? "id"
    : [...(query ?? [])].find(([, value]) => holdsKey(value, apiKey))?.[0];
  if (property === undefined) {
    return;
  }
  throw new InputError(
    "secret_in_address",
    property,
    `"${property}" contains the API key, so nothing was sent. ` +
      "Pass an id or a name, and rotate the key if it was written into a program.",
  );
}
