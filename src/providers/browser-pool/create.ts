import type { BrowserPool } from "../../client/index.js";
import { ApiError, ConflictError, OutcomeUnknownError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { autoName, unnotedWarning } from "../auto-name.js";
import { type Call, ignoreNotFound } from "../call.js";
import { lookUntilKnown } from "../core/requests.js";
import { createdBy } from "../journal/creation-notes.js";
import type { PendingCreation } from "../journal/schemas.js";
import { requireKnown } from "../properties.js";
import { poolSubject, waysOut } from "./check.js";
import { type BrowserPoolInputs, poolSettings } from "./properties.js";
import { deletePool, isInUse } from "./removal.js";
import type { PoolRun } from "./run.js";

/** A browser pool that exists in the service now. */
interface ExistingPool {
  readonly pool: BrowserPool;
  /** It existed already, with whatever settings. */
  readonly isFound: boolean;
}

/**
 * Makes sure that exactly one pool of this resource exists. Looks before it sends: an earlier run
 * may have created the pool and lost the response, or been killed before the state was written. The
 * creation is sent once. If its outcome is unknown, looking decides.
 *
 * A pool with an automatic name counts as ours, with a warning if the journal does not say so: a
 * stack in another backend may make the same name. One with a fixed name is ours if the journal
 * says so. Throws `name_taken` if it does not.
 */
export async function ensureCreated(
  inputs: BrowserPoolInputs,
  call: Call,
  run: PoolRun,
): Promise<ExistingPool> {
  const { urn = "", signal } = call.context;
  const { projectId } = inputs;
  const name = inputs.name ?? autoName(urn, projectId);
  const notes = call.journal.creations("browser-pool");
  const { browserPools } = call.clientFor(projectId);
  notes.declare();
  await clearCreations(call, run, { name, projectId });

  const ours = notes.pending().filter((each) => each.name === name && each.projectId === projectId);
  const found = await ownPool(name, projectId, call, run, ours);
  if (found !== undefined) {
    return found;
  }
  const creation = notes.starts({ name, projectId, existing: [] });
  const answered = ({ id }: BrowserPool) => {
    notes.answered(creation, id);
    // Names are unique, so what an earlier run sent under this one has not arrived and never will.
    for (const earlier of ours) {
      notes.settled(earlier);
    }
  };
  try {
    const pool = await browserPools.create(settingsOf(inputs, name), { signal });
    answered(pool);
    return { pool, isFound: false };
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      const pool = await resolveUnknown(name, projectId, call, error);
      answered(pool);
      return { pool, isFound: true };
    }
    notes.settled(creation);
    const rival =
      error instanceof ApiError && error.status === 409
        ? await ownPool(name, projectId, call, run, ours)
        : undefined;
    if (rival === undefined) {
      throw error;
    }
    return rival;
  }
}

/** What a new pool is given. */
function settingsOf(inputs: BrowserPoolInputs, name: string) {
  const settings = Object.fromEntries(
    Object.entries(inputs).filter(([input]) => Object.hasOwn(poolSettings, input)),
  );
  return { ...settings, name, size: requireKnown(inputs.size, "size", "BrowserPool") };
}

/**
 * The pool with our name, if it is ours; undefined when the name is free. `ours`: creations of
 * earlier runs under this name.
 */
async function ownPool(
  name: string,
  projectId: string | undefined,
  call: Call,
  run: PoolRun,
  ours: readonly PendingCreation[],
): Promise<ExistingPool | undefined> {
  const { urn = "", signal, report } = call.context;
  const holder = await call.clientFor(projectId).browserPools.holderOf(name, { signal });
  if (holder === undefined) {
    return undefined;
  }
  const isNoted = ours.some((creation) => createdBy(creation, [holder]) !== undefined);
  const mayBeOurs = isNoted || name === autoName(urn, projectId);
  if (holder.name !== name || !mayBeOurs || run.isUsedByAnother(holder.id, urn)) {
    const called =
      holder.name === name
        ? ""
        : `, whose name is ${quote(holder.name ?? "")}: case and accents do not count for the service`;
    throw new ConflictError(
      "name_taken",
      `The name "${name}" is taken by browser pool ${holder.id}${called}. Nothing was created. ${waysOut(holder.id)}`,
    );
  }
  for (const creation of ours) {
    // Otherwise it would count as lost, and be deleted when this resource is not declared.
    call.journal.creations("browser-pool").answered(creation, holder.id);
  }
  const what = poolSubject(name, holder.id);
  if (isNoted) {
    report.info(`${what} already exists: this resource created it earlier. Reusing it.`);
  } else {
    report.warning(unnotedWarning(what, "pool", "update"));
  }
  return { pool: holder, isFound: true };
}

async function resolveUnknown(
  name: string,
  projectId: string | undefined,
  call: Call,
  outcome: OutcomeUnknownError,
): Promise<BrowserPool> {
  const { context } = call;
  const { signal, report } = context;
  const advice = `A browser pool "${name}" may exist now or appear later. Run "pulumi up" again: it looks for exactly that pool first and creates nothing twice.`;
  if (signal.aborted) {
    throw outcome.withMessage(`The creation of a browser pool was interrupted. ${advice}`);
  }
  report.progress("no response to the creation; checking whether it succeeded");
  const { browserPools } = call.clientFor(projectId);
  const look = async () => {
    const holder = await browserPools.holderOf(name, { signal });
    return holder?.name === name ? holder : undefined;
  };
  let found: BrowserPool | undefined;
  try {
    found = await lookUntilKnown(look, context);
  } catch {
    // A look that fails says nothing about the pool.
  }
  if (found === undefined) {
    throw outcome.withAdvice(advice);
  }
  report.info(
    `The response to the creation was lost, but it succeeded: "${name}" is browser pool ${found.id}.`,
  );
  return found;
}

/**
 * Deletes what earlier runs of a resource created and no state has, if it is there. What has the id
 * `kept` stays, and so does what `next` is about to create: it will be reused.
 */
export async function clearCreations(
  call: Call,
  run: PoolRun,
  next?: { readonly name: string; readonly projectId: string | undefined },
  kept?: string,
): Promise<void> {
  const notes = call.journal.creations("browser-pool");
  for (const creation of notes.pending()) {
    const { name, projectId } = creation;
    if (next !== undefined && next.name === name && next.projectId === projectId) {
      continue;
    }
    const found = await findCreated(creation, call);
    if (found === undefined) {
      notes.notFound(creation);
      continue;
    }
    if (found.id !== kept && !run.isUsedByAnother(found.id, call.context.urn)) {
      try {
        await deletePool(found.id, { projectId }, call, run);
      } catch (error) {
        if (!isInUse(error)) {
          throw error;
        }
        const isDeclared = run.declared.has(call.context.urn);
        call.context.report.warning(
          `${poolSubject(name, found.id)} was left in place: an interrupted deployment of this resource had created it, but the program now declares something else. It was not deleted, because some of its browsers are leased. Release them. ${isDeclared ? 'Every "pulumi up" tries again.' : "Then delete it."}`,
        );
        continue;
      }
      call.context.report.info(
        `Deleted browser pool "${name}" (${found.id}): an interrupted deployment of this resource had created it, but the program now declares something else.`,
      );
    }
    notes.settled(creation);
  }
}

/** The pool that a creation became. */
async function findCreated(creation: PendingCreation, call: Call): Promise<BrowserPool | undefined> {
  const { id, name, projectId } = creation;
  const { browserPools } = call.clientFor(projectId);
  const { signal } = call.context;
  return id === undefined
    ? createdBy(creation, await browserPools.list({ name, signal }))
    : ignoreNotFound(browserPools.get(id, { signal }));
}
