import type { ApiKey } from "../../client/index.js";
import { OutcomeUnknownError } from "../../errors.js";
import { dateTimeMs } from "../../text/date-time.js";
import { quote } from "../../text/escape.js";
import { type Call, ignoreNotFound } from "../call.js";
import { noteIfPossible, untilGone } from "../core/requests.js";
import { possiblyCreatedBy } from "../journal/creation-notes.js";
import type { PendingCreation } from "../journal/schemas.js";
import { refuseOwnKey } from "./own-key.js";
import { dayMs } from "./properties.js";

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

/** A request that created a key although nobody has its secret. */
export interface Orphan {
  readonly creation: PendingCreation;
  /** The key; undefined if it cannot be told from others, or is not in the list yet. */
  readonly key: ApiKey | undefined;
  /** Keys that it may be, if it cannot be told from others. */
  readonly candidates: readonly ApiKey[];
}

/**
 * What earlier requests of a resource created and no state has. `known`: ids that the state has, or
 * that this run created.
 */
export async function findOrphans(
  pending: readonly PendingCreation[],
  known: readonly string[],
  call: Call,
): Promise<Orphan[]> {
  const { signal } = call.context;
  const orphans: Orphan[] = [];
  const others = [...known, ...pending.flatMap(({ id }) => id ?? [])];
  // What a later rotation of the same key made is not a late result of an earlier one.
  const superseded = pending.filter(isSuperseded);
  for (const creation of [...pending.filter((each) => !isSuperseded(each)), ...superseded]) {
    const { id } = creation;
    if (id !== undefined && known.includes(id)) {
      continue;
    }
    if (id === undefined && creation.replaces !== undefined) {
      const orphan = await findRotated(creation, creation.replaces, others, call);
      orphans.push(...(orphan === undefined ? [] : [orphan]));
      others.push(...(orphan?.key === undefined ? [] : [orphan.key.id]));
      continue;
    }
    const key =
      id === undefined
        ? // The name is of one request only. A key that had it before is somebody else's.
          (await namesakes(creation, call)).find(
            (each) => !others.includes(each.id) && !creation.existing.includes(each.id),
          )
        : await ignoreNotFound(apiKeysOf(call).get(id, { signal }));
    if (key !== undefined) {
      others.push(key.id);
      orphans.push({ creation, key, candidates: [] });
    }
  }
  return orphans;
}

/** Whether a later request has rotated the same key, which hides what became of this one. */
function isSuperseded({ id, replaces, graceDays }: PendingCreation): boolean {
  return id === undefined && replaces !== undefined && graceDays === undefined;
}

/** How far the two times of one rotation may be apart: both are the service's. Milliseconds. */
const rotationMs = 60_000;

/**
 * What a rotation without an answer became; undefined if it did not happen. The new key has the
 * name of the old one, but the service also gave the old one another expiry in that moment.
 */
async function findRotated(
  creation: PendingCreation,
  rotatedId: string,
  others: readonly string[],
  call: Call,
): Promise<Orphan | undefined> {
  const { expiredBefore = null, graceDays = Number.NaN } = creation;
  const { signal } = call.context;
  const old = await ignoreNotFound(apiKeysOf(call).get(rotatedId, { includeDeleted: true, signal }));
  const expiry = dateTimeMs(old?.expiresAt ?? "");
  if (expiry === undefined || expiry === dateTimeMs(expiredBefore ?? "")) {
    return undefined;
  }
  const candidates = possiblyCreatedBy(creation, await namesakes(creation, call), others);
  const rotatedAt = expiry - graceDays * dayMs;
  const likely = candidates.filter(
    ({ createdAt }) => Math.abs((dateTimeMs(createdAt ?? "") ?? Number.NaN) - rotatedAt) <= rotationMs,
  );
  return likely.length === 1
    ? { creation, key: likely[0], candidates: [] }
    : { creation, key: undefined, candidates };
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
    const { key, candidates = [] } = orphan ?? {};
    if (key === undefined && candidates.length === 0) {
      notes.notFound(creation);
      continue;
    }
    if (key === undefined) {
      const commands = candidates.map(({ id }) => `"browser-infra api-keys delete ${id}"`).join(" or ");
      call.context.report.warning(
        `The answer to a rotation of API key ${creation.replaces} was lost, and a key that it made cannot be told from others with the name ${quote(creation.name)}, so it was not deleted. Check which one is not in use, and delete that one: ${commands}.`,
      );
      notes.settled(creation);
      continue;
    }
    if (creation.id !== undefined) {
      // A state may have it after all. Then the next diff of its resource must find out.
      noteIfPossible(call.context.report, () => notes.deletionStarts(key.id));
    }
    await deleteKey(key, call);
    notes.settled(creation);
    call.context.report.info(
      `Deleted API key ${quote(key.name)} (${key.id}): an earlier request of this resource had created it, but its answer was lost, and with it the key's secret.`,
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
    const find = () => ignoreNotFound(apiKeysOf(call).get(id, { signal }));
    await untilGone(error, { noun: "API key", id, find }, call);
  }
}
