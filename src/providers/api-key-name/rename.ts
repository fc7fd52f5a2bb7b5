import type { ApiKey } from "../../client/index.js";
import { isNotFound } from "../../client/refusals.js";
import { ApiError, InputError, LookupError, OutcomeUnknownError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { type Call, ignoreNotFound } from "../call.js";
import { continuesAdvice, noteIfPossible, stillUnknown } from "../core/requests.js";
import type { ChangeNote } from "../journal/change-notes.js";
import type { ApiKeyNameState } from "./properties.js";

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

/** Renames a key, and returns it as the service has it then. */
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
  let named: ApiKey;
  try {
    named = await apiKeysOf(call).rename(keyId, name, { signal: context.signal });
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      const interrupted = `The renaming of API key ${keyId} was interrupted, and the key has its old name or the new one.`;
      throw stillUnknown(error, context, interrupted, continuesAdvice);
    }
    notes.refused(keyId, earlier);
    throw error;
  }
  notes.answered(keyId, { name: named.name });
  if (named.name !== name) {
    context.report.warning(
      `The service stored the name of API key ${keyId} as ${quote(named.name)}, although ${quote(name)} was sent.`,
    );
  }
  return named;
}

/** Every name that the program may have given to a key, the latest at the end. */
export function givenNames({ sent }: ChangeNote): string[] {
  return sent.map(({ name }) => String(name));
}

/** The name that a key had before the resource renamed it. */
export function nameBefore({ previous }: ChangeNote): string {
  return String(previous.name);
}

/** The name before any resource of the program, for one that found this name. */
export function originalName(keyId: string, found: string, { journal }: Call): string {
  const { inherited } = journal.changes("api-key").find(keyId) ?? {};
  return inherited?.set.name === found ? String(inherited.previous.name) : found;
}

/**
 * Gives a key the name back that it had before the resource existed. If it has a name that the
 * resource did not give it, somebody else did: that name stays, with a warning.
 */
export async function restorePreviousName(keyId: string, state: ApiKeyNameState, call: Call): Promise<void> {
  const { name, previousName } = state;
  const { report } = call.context;
  const notes = call.journal.changes("api-key");
  if (previousName === undefined || name === undefined) {
    return;
  }
  const { key, whyGone } = await findKey(keyId, call);
  if (key === undefined) {
    notes.settled(keyId);
    report.info(`API key ${keyId} is gone, so its previous name was not restored: ${whyGone}.`);
    return;
  }
  if (key.name === previousName) {
    notes.answered(keyId, { name: previousName });
    return;
  }
  const note = notes.find(keyId);
  const isOurs = key.name === name || (note !== undefined && givenNames(note).includes(key.name));
  if (!isOurs) {
    notes.settled(keyId);
    report.warning(
      `API key ${keyId} was renamed outside of this program, from ${quote(name)} to ${quote(key.name)}. It keeps that name; its previous name, ${quote(previousName)}, was not restored.`,
    );
    return;
  }
  try {
    await renameKey({ keyId, name: previousName, formerName: name, previousName }, call);
  } catch (error) {
    if (isNotFound(error)) {
      // Deleted in between.
      notes.settled(keyId);
      return;
    }
    if (error instanceof InputError || (error instanceof ApiError && error.status === 400)) {
      throw error.withAdvice(
        `Set "onDelete" to "keep" and deploy, then delete the resource: the key keeps the name ${quote(key.name)}.`,
      );
    }
    throw error;
  }
  report.info(`API key ${keyId} has its previous name again: ${quote(previousName)}.`);
}
