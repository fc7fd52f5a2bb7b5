import { InputError } from "../../errors.js";
import { holdsKey } from "../secret-key.js";
import type { Call } from "./exchange.js";

/**
 * Refuses a call whose address would hold the API key, because someone took the key for an id or a name. Addresses stand in the logs of
 * everything on the way, and in messages. Throws `InputError` `secret_in_address`, which does not show the key.
 */
export function refuseKeyInAddress({ path, query }: Call, apiKey: string): void {
  const property = holdsKey(decodeURIComponent(path), apiKey)
    ? "id"
    : [...(query ?? [])].find(([, value]) => holdsKey(value, apiKey))?.[0];
  if (property === undefined) {
    return;
  }
  throw new InputError(
    "secret_in_address",
    property,
    `"${property}" has the API key in it, so nothing was sent. Pass an id or a name, and rotate the key if it was written into a program.`,
  );
}
