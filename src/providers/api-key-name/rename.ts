import type { ApiKey } from "../../client/index.js";
import { LookupError, OutcomeUnknownError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { type Call, ignoreNotFound } from "../call.js";
import { continuesAdvice, noteIfPossible, stillUnknown } from "../core/requests.js";

/** Keys belong to the organization, so the project of the settings does not matter for them. */
function apiKeysOf(call: Call) {
  return call.clientFor(undefined).apiKeys;
}

/**
 * A key that exists, or why it does not, as the end of a sentence. The service still knows a
 * deleted key, and when it was deleted.
 */
export async function findKey(keyId: string, call: Call) {
  const { signal } = call.context;
  const key = await ignoreNotFound(apiKeysOf(call).get(keyId, { includeDeleted: true, signal }));
  if (key === undefined) {
    return {
      whyGone: "the service has no key with this id, or this program's API key has no access to it",
    };
  }
  return key.deletedAt === null ? { key } : { whyGone: `it was deleted on ${key.deletedAt}` };
}

/** The error for a key that is needed and does not exist. */
export async function noSuchKey(keyId: string, whyGone: string, call: Call): Promise<LookupError> {
  // The likeliest mistake is a name instead of the id.
  const [named] = await apiKeysOf(call).list({ name: keyId, limit: 1, signal: call.context.signal });
  const remedy =
    named === undefined
      ? "An ApiKeyName names an existing key and never creates one. Give the id of another key, or remove the resource from the program."
      : `It is the name of API key ${named.id}: give that id.`;
  return new LookupError("api_key_not_found", `There is no API key "${keyId}": ${whyGone}. ${remedy}`);
}

/** A name to be given to a key, and what is known of the names it had. */
interface Rename {
  readonly keyId: string;
  readonly name: string;
  /** Name that the resource gave it before. */
  readonly formerName?: string | undefined;
  /** Name it had before the resource existed. */
  readonly previousName: string;
}

/** Renames a key of an ApiKey, noted before and after. */
export async function renameKey({ keyId, name, formerName, previousName }: Rename, call: Call) {
  const { context, journal } = call;
  const notes = journal.changes("api-key");
  const earlier = notes.find(keyId);
  const former = formerName === undefined ? undefined : { name: formerName };
  const note = () => notes.starts(keyId, { name }, { name: previousName }, former);
  if (name === previousName) {
    noteIfPossible(context.report, note);
  } else {
    note();
  }
  try {
    const named = await nameKey(keyId, name, call);
    notes.answered(keyId, { name: named.name });
    return named;
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      const interrupted = `The renaming of API key ${keyId} was interrupted, and the key has its old name or the new one.`;
      throw stillUnknown(error, context, interrupted, continuesAdvice);
    }
    notes.refused(keyId, earlier);
    throw error;
  }
}

/** Sends a rename, once, and returns the key as the service has it then. */
export async function nameKey(keyId: string, name: string, call: Call): Promise<ApiKey> {
  const { report, signal } = call.context;
  const named = await apiKeysOf(call).rename(keyId, name, { signal });
  if (named.name !== name) {
    report.warning(
      `The service stored the name of API key ${keyId} as ${quote(named.name)}, although ${quote(name)} was sent.`,
    );
  }
  return named;
}
