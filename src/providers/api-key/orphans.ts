import type { ApiKey } from "../../client/index.js";
import { OutcomeUnknownError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { type Call, ignoreNotFound, lookUntilKnown, noteIfPossible } from "../call.js";
import { createdBy, type PendingCreation } from "../journal/creation-notes.js";
import { refuseOwnKey } from "./own-key.js";

/** Keys belong to the organization, so the project of the settings does not matter for them. */
export function apiKeysOf(call: Call) {
  return call.clientFor(undefined).apiKeys;
}

/** The live keys with a name, in the project that they are limited to or in none. */
export async function namesakes(
  { name, projectId }: { readonly name: string; readonly projectId?: string | undefined },
  call: Call,
): Promise<readonly ApiKey[]> {
  const found = await apiKeysOf(call).list({ name, signal: call.context.signal });
  return found.filter((key) => key.projectId === (projectId ?? null));
}

/** A key that exists although nobody has its secret, and the request that created it. */
export interface Orphan {
  readonly creation: PendingCreation;
  readonly key: ApiKey;
}

/**
 * The keys that earlier requests of a resource created and no state has. `known`: ids that the
 * state has, or that this run created.
 */
export async function findOrphans(
  pending: readonly PendingCreation[],
  known: readonly string[],
  call: Call,
): Promise<Orphan[]> {
  const { signal } = call.context;
  const orphans: Orphan[] = [];
  const others = [...known, ...pending.flatMap(({ id }) => id ?? [])];
  for (const creation of pending) {
    const { id } = creation;
    if (id !== undefined && known.includes(id)) {
      continue;
    }
    const key =
      id === undefined
        ? createdBy(creation, await namesakes(creation, call), others)
        : await ignoreNotFound(apiKeysOf(call).get(id, { signal }));
    if (key !== undefined) {
      others.push(key.id);
      orphans.push({ creation, key });
    }
  }
  return orphans;
}

/**
 * Deletes what earlier requests of a resource created and no state has. What cannot be found may
 * still arrive, so its note stays for a while.
 */
export async function clearOrphans(
  pending: readonly PendingCreation[],
  known: readonly string[],
  call: Call,
): Promise<void> {
  const notes = call.journal.creations("api-key");
  const orphans = await findOrphans(pending, known, call);
  for (const creation of pending) {
    const orphan = orphans.find((each) => each.creation.attempt === creation.attempt);
    if (orphan === undefined) {
      notes.notFound(creation);
      continue;
    }
    const { key } = orphan;
    if (creation.id !== undefined) {
      // A state may have it after all. Then the next diff of its resource must find out.
      noteIfPossible(call.context.report, () => notes.deletionStarts(key.id));
    }
    await deleteKey(key, call);
    notes.settled(creation);
    call.context.report.info(
      `Deleted API key ${quote(key.name)} (${key.id}): an earlier request of this resource had created it, but its answer was lost, and with it the key's plain text.`,
    );
  }
}

/**
 * Deletes a key; the request is sent once. If its outcome is unknown, looking decides. One that is
 * gone already counts as deleted. Throws `own_api_key`, and `OutcomeUnknownError` unless it knows.
 */
export async function deleteKey(
  key: { readonly id: string; readonly maskedKey?: string | null | undefined },
  call: Call,
): Promise<void> {
  await refuseOwnKey(key, "delete", call);
  const { id } = key;
  const { signal } = call.context;
  try {
    await ignoreNotFound(apiKeysOf(call).delete(id, { signal }));
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) {
      throw error;
    }
    if (signal.aborted) {
      throw error.withMessage(
        `The deletion of API key ${id} was interrupted, and the key may be gone. Run the same command again: it finds out.`,
      );
    }
    const look = async () => {
      const present = await ignoreNotFound(apiKeysOf(call).get(id, { signal }));
      return present === undefined ? "gone" : undefined;
    };
    if ((await lookUntilKnown(look, call.context)) === undefined) {
      throw error.withAdvice('Run "pulumi up" again.');
    }
  }
}
