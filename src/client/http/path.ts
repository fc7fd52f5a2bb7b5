import { InputError } from "../../errors.js";
import { containsKey } from "../../text/redact.js";
import { segmentProblem } from "../names.js";
import type { HttpCall } from "./call.js";

/** Percent-encodes an id or a name. Throws `InputError` `id_invalid`, which asks for `expected`. */
export function pathSegment(property: string, value: string, expected = "an id or a name"): string {
  const text = typeof value === "string" ? value : "";
  const problem = segmentProblem(text);
  if (problem !== undefined) {
    const message = `"${property}" ${problem}. Pass ${expected} as the service shows it.`;
    throw new InputError("id_invalid", property, message);
  }
  return encodeURIComponent(text);
}

/** Refuses a call with the API key in path or query, which servers log and messages show. */
export function refuseKeyInPath({ path, query }: HttpCall, apiKey: string): void {
  const property = containsKey(decodeURIComponent(path), apiKey)
    ? "id"
    : [...(query ?? [])].find(([, value]) => containsKey(value, apiKey))?.[0];
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
