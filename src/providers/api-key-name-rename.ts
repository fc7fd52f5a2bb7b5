import { type ApiKey, type BrowserInfraClient, isNotFound } from "../client/index.js";
import { ApiError, InputError, OutcomeUnknownError } from "../errors.js";
import { quote } from "../text/escape.js";
import { findKey } from "./api-key-name-lookup.js";
import { renameNotes } from "./api-key-name-notes.js";
import { settingsFor } from "./connections.js";
import type { LifecycleContext, StoredResource } from "./lifecycle.js";
import { textOf } from "./property-values.js";

/** A name to be given to a key, and what is known of the names it had. */
export interface Rename {
  readonly keyId: string;
  readonly name: string;
  /** Name that the resource has given it before. */
  readonly formerName?: string | undefined;
  /** Name it had before the resource came. */
  readonly previousName: string;
}

/** Sends a rename, and returns the key as the service has it then. Until its end is known, a note says which names the key had. */
export async function renameKey(
  { keyId, name, formerName, previousName }: Rename,
  { apiKeys }: BrowserInfraClient,
  context: LifecycleContext,
): Promise<ApiKey> {
  const { baseUrl } = settingsFor(context);
  const earlier = renameNotes.find(keyId, baseUrl);
  const names = new Set([...(earlier?.names ?? []), ...(formerName === undefined ? [] : [formerName]), name]);
  renameNotes.write({ keyId, baseUrl, urn: context.urn, names: [...names], previousName });
  let named: ApiKey;
  try {
    named = await apiKeys.rename(keyId, name, { signal: context.signal });
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      error.message += " Deploy again: it goes on from there.";
    } else if (earlier === undefined) {
      renameNotes.discard(keyId, baseUrl);
    } else {
      renameNotes.write(earlier);
    }
    throw error;
  }
  renameNotes.discard(keyId, baseUrl);
  if (named.name !== name) {
    context.report.warning(
      `The service keeps the name of API key ${keyId} as ${quote(named.name)}, although ${quote(name)} was sent.`,
    );
  }
  return named;
}

/** Whether an interrupted run may have left the key with another name than `name`. */
export function isInDoubt(keyId: string, name: string | undefined, context: LifecycleContext): boolean {
  const note = renameNotes.find(keyId, settingsFor(context).baseUrl);
  return note?.names.some((given) => given !== name) ?? false;
}

/**
 * Gives a key the name back that it had before the resource came. Where it has one that the resource did not give it, somebody
 * else did: it is left, with a warning.
 */
export async function putPreviousNameBack(
  { id, state }: StoredResource,
  client: BrowserInfraClient,
  context: LifecycleContext,
): Promise<void> {
  const { report } = context;
  const [name, previousName] = [textOf(state, "name"), textOf(state, "previousName")];
  if (previousName === undefined || name === undefined) {
    return;
  }
  const { key, whyGone } = await findKey(id, client, context);
  if (key === undefined) {
    report.info(`API key ${id} is gone, so no name was put back: ${whyGone}.`);
    return;
  }
  if (key.name === previousName) {
    return;
  }
  const note = renameNotes.find(id, settingsFor(context).baseUrl);
  if (key.name !== name && !note?.names.includes(key.name)) {
    report.warning(
      `API key ${id} was renamed outside of this program, from ${quote(name)} to ${quote(key.name)}: it keeps that name, and its previous one, ${quote(previousName)}, was not put back.`,
    );
    return;
  }
  try {
    await renameKey({ keyId: id, name: previousName, formerName: name, previousName }, client, context);
  } catch (error) {
    if (isNotFound(error)) {
      // Deleted in between.
      return;
    }
    if (error instanceof InputError || (error instanceof ApiError && error.status === 400)) {
      error.message += ` Set "onDelete" to "keep" and deploy, then delete the resource: the key keeps the name ${quote(key.name)}.`;
    }
    throw error;
  }
  report.info(`API key ${id} has its previous name back: ${quote(previousName)}.`);
}
