import { type CreatedApiKey, isNotFound } from "../../client/index.js";
import { BrowserInfraError, OutcomeUnknownError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { type Call, lookUntilKnown } from "../call.js";
import type { PendingCreation } from "../journal/creation-notes.js";
import { apiKeysOf, clearOrphans, findOrphans, namesakes } from "./orphans.js";
import type { ApiKeyInputs } from "./properties.js";

/** Most requests for one key. Each but the last one created a key, and its answer was lost. */
const attemptsMax = 3;

/** A key to create, or by which to replace another. */
interface WantedKey {
  readonly name: string;
  readonly projectId?: string | undefined;
  readonly daysToExpire?: number | undefined;
}

/**
 * Creates a key, so that exactly one with its plain text exists afterwards: what a request created
 * whose answer was lost is useless, and is deleted as soon as another one exists.
 *
 * `known`: ids that the state has, which stay.
 */
export function createKey(
  wanted: WantedKey,
  call: Call,
  known: readonly string[] = [],
): Promise<CreatedApiKey> {
  const send = () => apiKeysOf(call).create(wanted, { signal: call.context.signal });
  return issue(wanted, call, known, () => ({ send }));
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
  let isRotated = await wasRotated(id, known, call);
  const create = () => apiKeysOf(call).create(wanted, { signal });
  const rotate = async () => {
    const { daysToExpire } = wanted;
    try {
      return await apiKeysOf(call).rotate(id, { daysToExpire, keepOldKeyDays: graceDays }, { signal });
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
      report.info(`API key ${id} is gone, so another one is created instead of rotating it.`);
      return create();
    }
  };
  return issue(wanted, call, known, () => {
    const next = isRotated ? { send: create } : { send: rotate, replaces: id };
    // It is asked for again only if it happened.
    isRotated = true;
    return next;
  });
}

/**
 * Whether an earlier request has rotated a key, and its answer was lost: then the key is about to
 * expire, and nobody has the plain text of what replaces it.
 */
export async function wasRotated(keyId: string, known: readonly string[], call: Call): Promise<boolean> {
  const pending = call.journal.creations("api-key").pending();
  // A key that was to be created beside it, as for a replacement, did not rotate it.
  const rotations = pending.filter(({ replaces }) => replaces === keyId);
  return (await findOrphans(rotations, known, call)).length > 0;
}

/** The next request for a key, and the key that it rotates, if it is a rotation. */
interface KeyRequest {
  readonly send: () => Promise<CreatedApiKey>;
  readonly replaces?: string;
}

async function issue(
  wanted: WantedKey,
  call: Call,
  known: readonly string[],
  next: () => KeyRequest,
): Promise<CreatedApiKey> {
  const notes = call.journal.creations("api-key");
  if (notes.isConcluded) {
    // The state had all answers of that deployment, and what it has is replaced or gone.
    notes.forgetAnswers();
  }
  const { name, projectId } = wanted;
  for (let attempt = 1; ; attempt += 1) {
    const existing = (await namesakes(wanted, call)).map(({ id }) => id);
    const { send, replaces } = next();
    const creation = notes.starts({ name, projectId, existing: [...existing, ...known], replaces });
    try {
      const key = await send();
      notes.answered(creation, key.id);
      await clear(creation, [...known, key.id], call);
      return key;
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) {
        notes.settled(creation);
        throw error;
      }
      if (attempt === attemptsMax || !(await wasCreated(creation, known, call))) {
        throw unknownKey(error, wanted, creation, call);
      }
      call.context.report.info(
        `The answer with API key ${quote(name)} was lost, and with it the key's plain text. Another one is created, and that one deleted.`,
      );
    }
  }
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
      `A key of this resource whose plain text was lost could not be deleted. The next deployment tries again. ${why}`,
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
  return error.withMessage(
    `The creation of API key ${quote(name)} ${what}, and a key whose plain text is lost may exist now or appear later. ` +
      `Run "pulumi up" again: it deletes exactly that key, and creates another.`,
  );
}

/** The name, project and lifetime that inputs ask for. */
export function wantedKey(inputs: ApiKeyInputs, name: string): WantedKey {
  const { projectId, daysToExpire } = inputs;
  return { name, projectId, daysToExpire };
}
