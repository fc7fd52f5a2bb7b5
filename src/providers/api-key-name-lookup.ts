import type { ApiKey, BrowserInfraClient } from "../client/index.js";
import { LookupError } from "../errors.js";
import { orUndefinedWhenGone } from "./gone.js";
import type { LifecycleContext } from "./lifecycle.js";

/** A key that is there, or why it is not, as the end of a sentence. */
export type FoundKey =
  | { readonly key: ApiKey; readonly whyGone?: never }
  | { readonly key?: never; readonly whyGone: string };

/** Looks for a key by its id. One that was deleted is gone, and the service still knows since when. */
export async function findKey(
  keyId: string,
  { apiKeys }: BrowserInfraClient,
  { signal }: LifecycleContext,
): Promise<FoundKey> {
  const key = await orUndefinedWhenGone(apiKeys.get(keyId, { includeDeleted: true, signal }));
  if (key === undefined) {
    return {
      whyGone: "the service has none with this id, or this program's API key may not see it",
    };
  }
  return key.deletedAt === null ? { key } : { whyGone: `it was deleted on ${key.deletedAt}` };
}

/** The error for a key that is needed and gone. */
export async function noSuchKey(
  keyId: string,
  whyGone: string,
  { apiKeys }: BrowserInfraClient,
  { signal }: LifecycleContext,
): Promise<LookupError> {
  // The likeliest mistake is a name in the place of the id.
  const [named] = await apiKeys.list({ name: keyId, limit: 1, signal });
  const remedy =
    named === undefined
      ? "An ApiKeyName is about a key that exists and makes none: give the id of another key, or take it out of the program."
      : `It is the name of API key ${named.id}: give that id.`;
  return new LookupError("api_key_not_found", `There is no API key "${keyId}": ${whyGone}. ${remedy}`);
}
