import { ApiError, BrowserInfraError, OutcomeUnknownError } from "../../errors.js";
import { counted } from "../../text/words.js";
import { type Call, ignoreNotFound } from "../call.js";
import { noteIfPossible, untilGone } from "../core/requests.js";
import type { BrowserPoolState } from "./properties.js";
import type { PoolRun } from "./run.js";

/**
 * Deletes a pool, and notes that before and after: an unchanged program would never find out that a
 * killed run has deleted it. The request is sent once. If its outcome is unknown, looking decides.
 * One that is gone already counts as deleted.
 */
export async function deletePool(
  id: string,
  { projectId, forceDelete = false }: Pick<BrowserPoolState, "projectId" | "forceDelete">,
  call: Call,
  run: PoolRun,
): Promise<void> {
  const notes = call.journal.pools;
  const isRepeated = notes.mayHaveDeleted(id);
  const { browserPools } = call.clientFor(projectId);
  const { context } = call;
  const { signal } = context;
  await run.pools.run(id, async () => {
    noteIfPossible(context.report, () => notes.deletionStarts(id));
    try {
      await ignoreNotFound(browserPools.delete(id, { force: forceDelete, signal }));
    } catch (error) {
      if (error instanceof OutcomeUnknownError) {
        const find = () => ignoreNotFound(browserPools.get(id, { signal }));
        await untilGone(error, { noun: "browser pool", id, find }, call);
      } else {
        // A refusal says nothing about a deletion that an earlier run sent, unless the pool exists.
        if (error instanceof BrowserInfraError && (!isRepeated || isInUse(error))) {
          notes.settled(id);
        }
        throw isInUse(error) ? await leasedBrowsers(id, projectId, call, error) : error;
      }
    }
    notes.deletionAnswered(id);
  });
}

/**
 * Keeps a pool that an interrupted run was to delete and did not, if some of its browsers are
 * leased: the program declares it, so nobody wants them ended any more. Notes it for the create
 * that follows, which finds it. False when it is to be deleted, so that a late request has nothing
 * to delete.
 */
export async function keepLeased(
  id: string,
  { projectId }: Pick<BrowserPoolState, "projectId">,
  call: Call,
): Promise<boolean> {
  const { journal, context } = call;
  const { signal, report } = context;
  const pool = await ignoreNotFound(call.clientFor(projectId).browserPools.get(id, { signal }));
  if (pool === undefined || pool.name === null || pool.acquiredCount === 0) {
    return false;
  }
  const creations = journal.creations("browser-pool");
  creations.answered(creations.starts({ name: pool.name, projectId, existing: [] }), id);
  journal.pools.settled(id);
  report.info(`Keeping browser pool ${id}: it exists, and some of its browsers are leased.`);
  return true;
}

/** Whether the service did not delete a pool because browsers of it are leased. */
export function isInUse(error: unknown): error is ApiError {
  return error instanceof ApiError && error.serviceCode === "pool_in_use";
}

/** The refusal, with how many browsers somebody has and what to do about it. */
async function leasedBrowsers(
  id: string,
  projectId: string | undefined,
  call: Call,
  error: ApiError,
): Promise<ApiError> {
  const { signal } = call.context;
  const pool = await call
    .clientFor(projectId)
    .browserPools.get(id, { signal })
    .catch(() => undefined);
  const leased =
    pool === undefined
      ? ""
      : `${counted(pool.acquiredCount, "browser")} of it ${pool.acquiredCount === 1 ? "is" : "are"} leased. `;
  return error.withAdvice(
    `${leased}Nothing was deleted. Release the browsers and run the same command again. Or set "forceDelete" to true and deploy that first: then deleting the pool ends them.`,
  );
}
