import { isDeepStrictEqual } from "node:util";
import { graceDaysOf } from "../../client/api-key-rotation.js";
import type { ApiKey } from "../../client/index.js";
import { BrowserInfraError, OutcomeUnknownError } from "../../errors.js";
import { dateTimeMs } from "../../text/date-time.js";
import { quote } from "../../text/escape.js";
import { counted } from "../../text/words.js";
import { type Call, ignoreNotFound } from "../call.js";
import { noteIfPossible } from "../core/requests.js";
import { rotateKey, wantedKey } from "./issue.js";
import { apiKeysOf, deleteKey } from "./orphans.js";
import { refuseOwnKey } from "./own-key.js";
import {
  type ApiKeyInputs,
  type ApiKeyState,
  type DeclaredApiKey,
  dayMs,
  liveProperties,
  withInputs,
} from "./properties.js";

/**
 * Why a deployment rotates a key, as the end of a sentence; undefined when it does not. The time is
 * that of this machine, and days are counted from it.
 */
export function whyRotate(
  state: ApiKeyState,
  inputs: ApiKeyInputs | DeclaredApiKey,
  now = Date.now(),
): string | undefined {
  const { rotateBeforeDays, daysToExpire, triggers } = inputs;
  const expiry = state.expiresAt === undefined ? undefined : dateTimeMs(state.expiresAt);
  if (expiry !== undefined && typeof rotateBeforeDays === "number") {
    const leftMs = expiry - now;
    if (leftMs <= rotateBeforeDays * dayMs) {
      const when = leftMs <= 0 ? "it expired" : `it expires in ${counted(Math.floor(leftMs / dayMs), "day")}`;
      return `${when}, on ${state.expiresAt}, and "rotateBeforeDays" is ${rotateBeforeDays}`;
    }
  }
  if (!isDeepStrictEqual(state.triggers, triggers)) {
    return '"triggers" changed';
  }
  return daysToExpire !== state.daysToExpire && daysToExpire !== undefined
    ? '"daysToExpire" changed'
    : undefined;
}

/**
 * Rotates the key that the state has, and returns the outputs. Once the new key is there, nothing
 * fails any more: its secret would be lost.
 */
export async function rotate(
  state: ApiKeyState,
  inputs: ApiKeyInputs,
  name: string,
  call: Call,
): Promise<ApiKeyState> {
  const { context } = call;
  const keyId = state.keyId ?? "";
  await refuseOwnKey({ id: keyId, maskedKey: state.maskedKey }, "rotate", call);
  const former = state.previousKeys ?? [];
  const known = [keyId, ...former.flatMap(({ id }) => id ?? [])];
  const wanted = wantedKey({ ...inputs, projectId: state.projectId }, name);
  const fresh = await rotateKey({ ...wanted, id: keyId, graceDays: graceDaysOf(inputs), known }, call);
  const live = liveProperties(fresh);
  const old = await readOrUndefined(keyId, call);
  const previousKeys = await withoutExpired(
    [...former, ...(old === "gone" ? [] : [{ id: keyId, expiresAt: old?.expiresAt ?? undefined }])],
    call,
  );
  const works =
    old === undefined || old === "gone" || old.expiresAt === null
      ? ""
      : ` The old one, ${keyId}, works until ${old.expiresAt}.`;
  context.report.info(`Rotated API key ${quote(name)}: the new key is ${fresh.id}.${works}`);
  return { ...withInputs(state, inputs), ...live, previousKeys };
}

/** The present record of a key; undefined when nobody knows. */
async function readOrUndefined(id: string, call: Call): Promise<ApiKey | "gone" | undefined> {
  try {
    return (await ignoreNotFound(apiKeysOf(call).get(id, { signal: call.context.signal }))) ?? "gone";
  } catch {
    return undefined;
  }
}

type PreviousKeys = NonNullable<ApiKeyState["previousKeys"]>;

/**
 * Deletes the previous keys whose grace is over: they only fill the lists of keys. One that cannot
 * be deleted stays remembered.
 */
async function withoutExpired(keys: PreviousKeys, call: Call): Promise<PreviousKeys> {
  const kept: PreviousKeys[number][] = [];
  for (const key of keys) {
    const expiry = dateTimeMs(key.expiresAt ?? "");
    if (key.id === undefined || expiry === undefined || expiry > Date.now()) {
      kept.push(key);
      continue;
    }
    try {
      await deleteKey({ id: key.id }, call);
    } catch {
      kept.push(key);
    }
  }
  return kept;
}

/**
 * The present key is gone, and a refresh drops the state that has the previous ones too: the next
 * key remembers them. Returns what a person should know of them.
 */
export function rememberPrevious({ previousKeys = [] }: ApiKeyState, call: Call): string {
  const keys = previousKeys.flatMap(({ id, expiresAt }) => (id === undefined ? [] : [{ id, expiresAt }]));
  if (keys.length === 0) {
    return "";
  }
  call.journal.creations("api-key").stateForgets(keys);
  const each = keys.map(({ id, expiresAt }) => `${id} (until ${expiresAt ?? "it is deleted"})`);
  return ` Still working: ${each.join(", ")}, from earlier rotations. The resource remembers them, and deletes them with that key. If the program no longer has the resource, delete them with "browser-infra api-keys delete <id>".`;
}

/** Deletes the key of a resource that goes, and the previous ones. Notes it before. */
export async function deleteAll(state: ApiKeyState, call: Call): Promise<void> {
  const notes = call.journal.creations("api-key");
  const { keyId, maskedKey, previousKeys = [] } = state;
  const keys = [...(keyId === undefined ? [] : [{ id: keyId, maskedKey }]), ...previousKeys];
  // Otherwise some would be deleted already when one is refused.
  for (const { id, ...key } of keys) {
    await refuseOwnKey({ ...key, id: id ?? "" }, "delete", call);
  }
  const isRepeated = keyId !== undefined && notes.mayHaveDeleted(keyId);
  if (keyId !== undefined) {
    noteIfPossible(call.context.report, () => notes.deletionStarts(keyId));
  }
  for (const { id, ...key } of keys) {
    if (id === undefined) {
      continue;
    }
    try {
      await deleteKey({ ...key, id }, call);
    } catch (error) {
      // A refusal says nothing about a deletion that an earlier run sent.
      const isRefused = error instanceof BrowserInfraError && !(error instanceof OutcomeUnknownError);
      if (id === keyId && isRefused && !isRepeated) {
        notes.deletionSettled(id);
      }
      throw error;
    }
  }
}
