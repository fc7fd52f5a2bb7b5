import type { ApiKey } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { nearNameAdvice } from "../../../client/operations/near-names.js";
import { LookupError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import type { Call } from "../../call.js";
import { apiKeysOf } from "../../reads/lists.js";

/** List of the keys, without deleted keys: for ApiKey and ApiKeyName alike. */
export function listedKeys(_projectId: undefined | string, call: Call) {
  return apiKeysOf(call);
}

/**
 * Finds a key, or the reason why the key does not exist, as the end of a sentence. The service
 * still returns a deleted key, with the time of the deletion.
 */
export async function findKey(keyId: string, call: Call) {
  const key = await ignoreNotFound(apiKeysOf(call).get(keyId, { includeDeleted: true, ...call.options }));
  if (key === undefined) {
    return {
      whyGone: "the service has no key with this id, or this program's API key has no access to it",
    };
  }
  return key.deletedAt === null ? { key } : { whyGone: `it was deleted on ${key.deletedAt}` };
}

/** Error for a needed key that does not exist. */
export async function noSuchKey(keyId: string, whyGone: string, call: Call): Promise<LookupError> {
  // The likeliest mistake is a name instead of the id.
  const near = await nearNameAdvice("API key", keyId, apiKeysOf(call), call.options);
  const remedy =
    near ||
    "An ApiKeyName names an existing key and never creates one. Give the id of another key, or remove the resource from the program.";
  return new LookupError("api_key_not_found", `There is no API key "${keyId}": ${whyGone}. ${remedy}`);
}

/** Sends a rename, with retries. Returns the key in the response; warns if the name is different. */
export async function nameKey(keyId: string, name: string, call: Call): Promise<ApiKey> {
  const named = await apiKeysOf(call).rename(keyId, name, call.options);
  if (named.name !== name) {
    call.context.report.warning(
      `The service stored the name of API key ${keyId} as ${quote(named.name)}, although ${quote(name)} was sent.`,
    );
  }
  return named;
}
