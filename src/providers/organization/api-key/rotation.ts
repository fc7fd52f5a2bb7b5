import { isDeepStrictEqual } from "node:util";
import type { ApiKey, CreatedApiKey } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { graceDaysOf } from "../../../client/organization/api-key-rotation.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { quote } from "../../../text/escape.js";
import { counted } from "../../../text/words.js";
import type { Call } from "../../call.js";
import { Properties, type PropertiesOf, t } from "../../properties.js";
import { apiKeysOf } from "../../reads/lists.js";
import { refuseOwnKey } from "./own-key.js";
import { type ApiKeyInputs, type ApiKeyState, type DeclaredApiKey, dayMs, stateOf } from "./properties.js";

/**
 * Reason for the rotation of a key, as the end of a sentence; undefined for no rotation. Days are
 * counted from `now`, by default the time of this machine.
 */
export function rotationReason(
  state: ApiKeyState,
  inputs: ApiKeyInputs | DeclaredApiKey,
  now = Date.now(),
): string | undefined {
  const { rotateBeforeDays, daysToExpire, triggers } = inputs;
  // A rotation gives the new key a lifetime, not a fixed end.
  if (inputs.expiresAt !== undefined) {
    return undefined;
  }
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

/** Assumed greatest difference between the clocks of the service and of this machine, in milliseconds. */
const clockDifferenceMs = 10 * 60_000;

/** Trace of a rotation in the old key: the previous expiry, and the grace period in days. */
export const rotationTrace = new Properties({ expiredBefore: t.string, graceDays: t.number });
type TraceOfRotation = PropertiesOf<typeof rotationTrace>;

/**
 * Request that rotates a key. If the key expires within the grace period anyway, the request
 * creates a new key instead: a rotation would not change the old key, and could not be proved.
 */
export async function rotation(
  present: ApiKey,
  inputs: ApiKeyInputs,
  call: Call,
): Promise<{ trace?: TraceOfRotation; send: (name: string) => Promise<CreatedApiKey> }> {
  await refuseOwnKey(present, "rotate", call);
  const { id, expiresAt } = present;
  const { daysToExpire, policy } = inputs;
  const graceDays = graceDaysOf(inputs);
  const expiry = dateTimeMs(expiresAt ?? "") ?? Number.POSITIVE_INFINITY;
  if (expiry <= Date.now() + graceDays * dayMs + (graceDays === 0 ? 0 : clockDifferenceMs)) {
    return { send: (name: string) => createKey(inputs, name, call) };
  }
  return {
    trace: { expiredBefore: expiresAt ?? undefined, graceDays },
    send: async () =>
      completeKey(
        await apiKeysOf(call).rotate(id, { daysToExpire, keepOldKeyDays: graceDays, policy }, call.options),
        inputs,
        call,
      ),
  };
}

/** Lists the keys of a project (undefined: of the organization) with a name, or with a query in the name. */
export async function keysNamed(
  filter: { readonly name: string } | { readonly query: string },
  projectId: string | undefined,
  call: Call,
): Promise<readonly ApiKey[]> {
  const found = await apiKeysOf(call).list({ ...filter, ...call.options });
  return found.filter((key) => key.projectId === (projectId ?? null));
}

export async function createKey(
  { projectId, daysToExpire, expiresAt, policy }: ApiKeyInputs,
  name: string,
  call: Call,
): Promise<CreatedApiKey> {
  const created = await apiKeysOf(call).create(
    { name, projectId, daysToExpire, expiresAt, policy },
    call.options,
  );
  return completeKey(created, { projectId, daysToExpire, expiresAt }, call);
}

/** Adds project and expiry to a new key if the response to the creation omitted the values. */
async function completeKey(
  created: CreatedApiKey,
  { projectId, daysToExpire, expiresAt }: Pick<ApiKeyInputs, "projectId" | "daysToExpire" | "expiresAt">,
  call: Call,
): Promise<CreatedApiKey> {
  const key = { ...created, projectId: created.projectId ?? projectId ?? null };
  if (key.expiresAt !== null || (daysToExpire ?? expiresAt) === undefined) {
    return key;
  }
  // If the read fails, a refresh finds the expiry.
  const live = await tryRead(key.id, call);
  return live === undefined || live === "gone" ? key : { ...key, expiresAt: live.expiresAt };
}

/** Time at which the service rotated a key, in milliseconds since 1970. Undefined: the key was not rotated. */
export async function rotatedAtMs(
  rotatedId: string,
  { expiredBefore = "", graceDays = Number.NaN }: TraceOfRotation,
  call: Call,
): Promise<number | undefined> {
  const old = await ignoreNotFound(apiKeysOf(call).get(rotatedId, { includeDeleted: true, ...call.options }));
  const expiry = dateTimeMs(old?.expiresAt ?? "");
  return expiry === undefined || expiry === dateTimeMs(expiredBefore)
    ? undefined
    : expiry - graceDays * dayMs;
}

/** State after a rotation. Deletes expired previous keys and reports the rotation. */
export async function afterRotation(
  fresh: ApiKey | CreatedApiKey,
  rotated: ApiKey,
  inputs: ApiKeyInputs,
  state: ApiKeyState,
  call: Call,
): Promise<ApiKeyState> {
  const { id } = rotated;
  const old = await tryRead(id, call);
  const previousKeys = await deleteExpired(
    [
      ...(state.previousKeys ?? []),
      ...(old === "gone" ? [] : [{ id, expiresAt: old?.expiresAt ?? undefined }]),
    ],
    call,
  );
  const works =
    old === undefined || old === "gone" || old.expiresAt === null
      ? ""
      : ` The old key, ${id}, works until ${old.expiresAt}.`;
  call.context.report.info(
    `Rotated API key ${quote(inputs.name ?? "")}: the new key is ${fresh.id}.${works}`,
  );
  return { ...stateOf(fresh, inputs, state), previousKeys };
}

/** Current record of a key; undefined if the read failed. */
async function tryRead(id: string, call: Call): Promise<ApiKey | "gone" | undefined> {
  try {
    return (await ignoreNotFound(apiKeysOf(call).get(id, call.options))) ?? "gone";
  } catch {
    return undefined;
  }
}

type PreviousKeys = NonNullable<ApiKeyState["previousKeys"]>;

/**
 * Deletes previous keys after the grace period: expired keys only fill the lists of keys. Returns
 * the other keys, including keys that could not be deleted.
 */
async function deleteExpired(keys: PreviousKeys, call: Call): Promise<PreviousKeys> {
  const kept: PreviousKeys[number][] = [];
  for (const key of keys) {
    const expiry = dateTimeMs(key.expiresAt ?? "");
    if (key.id === undefined || expiry === undefined || expiry > Date.now()) {
      kept.push(key);
      continue;
    }
    try {
      await refuseOwnKey({ id: key.id }, "delete", call);
      await ignoreNotFound(apiKeysOf(call).delete(key.id, call.options));
    } catch {
      kept.push(key);
    }
  }
  return kept;
}
