import { randomBytes } from "node:crypto";
import type { ApiKey, CreatedApiKey } from "../../client/index.js";
import { isNotFound } from "../../client/refusals.js";
import { BrowserInfraError, OutcomeUnknownError } from "../../errors.js";
import { dateTimeMs } from "../../text/date-time.js";
import { quote } from "../../text/escape.js";
import { isSecretKey } from "../../text/redact.js";
import { type Call, ignoreNotFound } from "../call.js";
import { lookUntilKnown } from "../core/requests.js";
import { clockDifferenceMs, type NewCreation } from "../journal/creation-notes.js";
import type { PendingCreation } from "../journal/schemas.js";
import { apiKeysOf, clearOrphans, findOrphans, namesakes } from "./orphans.js";
import { type ApiKeyInputs, dayMs, lifetimeDays } from "./properties.js";

/** Most requests for one key. Each but the last one created a key, and its answer was lost. */
const attemptsMax = 3;

/** A key to create, or by which to replace another. */
interface WantedKey {
  readonly name: string;
  readonly projectId?: string | undefined;
  readonly daysToExpire?: number | undefined;
}

/**
 * Creates a key, so that exactly one with its secret exists afterwards: what a request created
 * whose answer was lost is useless, and is deleted as soon as another one exists.
 *
 * `known`: ids that the state has, which stay.
 */
export function createKey(
  wanted: WantedKey,
  call: Call,
  known: readonly string[] = [],
): Promise<CreatedApiKey> {
  return issue(wanted, call, known, async () => creationOf(wanted, call));
}

/**
 * A creation under a name that no other request has. Another stack may create a key with the same
 * name in the same moment, and this name tells which one is ours.
 */
function creationOf(wanted: WantedKey, call: Call): KeyRequest {
  const { signal } = call.context;
  const name = oneTimeName(wanted.name);
  return {
    creation: { name, projectId: wanted.projectId, existing: [] },
    send: () => apiKeysOf(call).create({ ...wanted, name }, { signal }),
  };
}

/** A rotation of the key `id`. */
interface WantedRotation extends WantedKey {
  readonly id: string;
  readonly graceDays: number;
  /** All ids that the state has. */
  readonly known: readonly string[];
}

/**
 * Replaces a key by another with the same name and project, and lets it expire after a grace. As
 * `createKey` does, it leaves exactly one key beside those in `known`. Once a rotation has happened
 * whose answer was lost, the old key has its grace, and what replaces it is created.
 */
export async function rotateKey(
  { id, graceDays, known, ...wanted }: WantedRotation,
  call: Call,
): Promise<CreatedApiKey> {
  const { signal, report } = call.context;
  const { name, projectId, daysToExpire } = wanted;
  let isRotated = await wasRotated(id, known, call);
  return issue(wanted, call, known, async () => {
    if (isRotated) {
      return creationOf(wanted, call);
    }
    // It is asked for again only if it happened, or if the key is gone.
    isRotated = true;
    const old = await ignoreNotFound(apiKeysOf(call).get(id, { signal }));
    if (old === undefined) {
      report.info(goneText(id));
      return creationOf(wanted, call);
    }
    if (expiresWithin(old, graceDays)) {
      // A rotation would not change the old key, and so nobody could tell whether it happened.
      return creationOf({ ...wanted, daysToExpire: daysToExpire ?? lifetimeDays(old) }, call);
    }
    const existing = (await namesakes(wanted, call)).map((key) => key.id);
    const replacement = { replaces: id, expiredBefore: old.expiresAt, graceDays };
    return {
      creation: { name, projectId, existing: [...existing, ...known], ...replacement },
      send: () => apiKeysOf(call).rotate(id, { daysToExpire, keepOldKeyDays: graceDays }, { signal }),
    };
  });
}

/** What is said of a key that was to be rotated and does not exist any more. */
function goneText(id: string): string {
  return `API key ${id} is gone, so another one is created instead of rotating it.`;
}

/** Whether a key expires anyway before a grace that begins now would end. */
function expiresWithin({ expiresAt }: ApiKey, graceDays: number): boolean {
  const expiry = dateTimeMs(expiresAt ?? "") ?? Number.POSITIVE_INFINITY;
  return expiry <= Date.now() + graceDays * dayMs + (graceDays === 0 ? 0 : clockDifferenceMs);
}

/**
 * Whether an earlier request has rotated a key, and its answer was lost: then the key is about to
 * expire, and nobody has the secret of what replaces it.
 */
export async function wasRotated(keyId: string, known: readonly string[], call: Call): Promise<boolean> {
  const pending = call.journal.creations("api-key").pending();
  // A key that was to be created beside it, as for a replacement, did not rotate it.
  const rotations = pending.filter(({ replaces }) => replaces === keyId);
  return (await findOrphans(rotations, known, call)).length > 0;
}

/** The next request for a key, and what to note of it. */
interface KeyRequest {
  readonly creation: NewCreation;
  readonly send: () => Promise<CreatedApiKey>;
}

async function issue(
  wanted: WantedKey,
  call: Call,
  known: readonly string[],
  next: () => Promise<KeyRequest>,
): Promise<CreatedApiKey> {
  const notes = call.journal.creations("api-key");
  if (notes.isConcluded) {
    // The state had all answers of that deployment, and what it has is replaced or gone.
    notes.forgetAnswers();
  }
  const { name } = wanted;
  for (let attempt = 1; ; attempt += 1) {
    const request = await next();
    const creation = notes.starts(request.creation);
    try {
      const key = await request.send();
      notes.answered(creation, key.id);
      const named = await completed(await withName(key, name, call), wanted, call);
      await clear(creation, [...known, key.id], call);
      return named;
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) {
        notes.settled(creation);
        if (creation.replaces !== undefined && isNotFound(error)) {
          call.context.report.info(goneText(creation.replaces));
          continue;
        }
        throw error;
      }
      if (attempt === attemptsMax || !(await wasCreated(creation, known, call))) {
        throw unknownKey(error, wanted, creation, call);
      }
      call.context.report.info(
        `The answer with API key ${quote(name)} was lost, and with it the key's secret. Another one is created, and that one deleted.`,
      );
    }
  }
}

/**
 * Gives a new key its name. The key is there, so nothing fails any more: its secret would be
 * lost. Under another name, the next deployment renames it.
 */
async function withName(key: CreatedApiKey, name: string, call: Call): Promise<CreatedApiKey> {
  const { report, signal } = call.context;
  if (key.name === name) {
    return key;
  }
  try {
    const { name: given } = await apiKeysOf(call).rename(key.id, name, { signal });
    return { ...key, name: given };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    report.warning(
      `API key ${key.id} was created, but is still called ${quote(key.name)}: it could not be renamed. The next "pulumi up" renames it. ${why}`,
    );
    return key;
  }
}

/** A new key with its project and expiry, which the answer to its creation may have left out. */
async function completed(
  answer: CreatedApiKey,
  { projectId, daysToExpire }: WantedKey,
  call: Call,
): Promise<CreatedApiKey> {
  const key = { ...answer, projectId: answer.projectId ?? projectId ?? null };
  if (key.expiresAt !== null || daysToExpire === undefined) {
    return key;
  }
  try {
    const { expiresAt } = await apiKeysOf(call).get(key.id, { signal: call.context.signal });
    return { ...key, expiresAt };
  } catch {
    // A refresh finds it.
    return key;
  }
}

/** Room for the digits of a one-time name, in bytes: never more than the characters it may have. */
const nameBytesMax = 255 - 17;

/**
 * A name that no other request has. It begins with the one the key is to get, unless both together
 * look like a secret key, as `sk_production` and the digits do.
 */
function oneTimeName(name: string): string {
  let start = "";
  for (const character of name) {
    if (Buffer.byteLength(start + character) > nameBytesMax) {
      break;
    }
    start += character;
  }
  const digits = randomBytes(8).toString("hex");
  const named = `${start}-${digits}`;
  return isSecretKey(named) ? digits : named;
}

/** Whether a request without an answer has created a key, as far as a look can tell. */
async function wasCreated(creation: PendingCreation, known: readonly string[], call: Call): Promise<boolean> {
  const { context } = call;
  context.report.progress("no response; checking whether the key was created");
  try {
    const look = async () => (await findOrphans([creation], known, call))[0];
    return (await lookUntilKnown(look, context)) !== undefined;
  } catch (error) {
    // A look that fails says nothing about the key. An interrupt is told as what it interrupted.
    if (context.signal.aborted || error instanceof BrowserInfraError) {
      return false;
    }
    throw error;
  }
}

/** Deletes the keys of lost answers. The new key is there, so a failure is left to the next run. */
async function clear({ attempt }: PendingCreation, known: readonly string[], call: Call): Promise<void> {
  const pending = call.journal.creations("api-key").pending();
  const others = pending.filter((each) => each.attempt !== attempt);
  try {
    await clearOrphans(others, known, call);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    call.context.report.warning(
      `A key of this resource whose secret was lost could not be deleted. The next deployment tries again. ${why}`,
    );
  }
}

function unknownKey(
  error: OutcomeUnknownError,
  { name }: WantedKey,
  creation: PendingCreation,
  call: Call,
): OutcomeUnknownError {
  const notes = call.journal.creations("api-key");
  const { signal } = call.context;
  if (!signal.aborted) {
    notes.notFound(creation);
  }
  const what = signal.aborted ? "was interrupted" : "got no answer";
  if (creation.replaces !== undefined) {
    return error.withMessage(
      `The rotation of API key ${creation.replaces} ${what}, and the key may expire soon, with a new one in its place whose secret is lost. ` +
        'Run "pulumi up" again: it checks what happened, and creates a key whose secret is known.',
    );
  }
  return error.withMessage(
    `The creation of API key ${quote(name)} ${what}, and a key whose secret is lost may exist now or appear later. ` +
      `Run "pulumi up" again: it deletes exactly that key, and creates another.`,
  );
}

/** The name, project and lifetime that inputs ask for. */
export function wantedKey(inputs: ApiKeyInputs, name: string): WantedKey {
  const { projectId, daysToExpire } = inputs;
  return { name, projectId, daysToExpire };
}
