import { ApiError, BrowserInfraError, OutcomeUnknownError } from "../../errors.js";
import { counted } from "../../text/words.js";
import { type Call, ignoreNotFound, lookUntilKnown, noteIfPossible } from "../call.js";
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
        await resolveUnknown(id, projectId, call, error);
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

function isInUse(error: unknown): error is ApiError {
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

async function resolveUnknown(
  id: string,
  projectId: string | undefined,
  call: Call,
  outcome: OutcomeUnknownError,
): Promise<void> {
  const { signal } = call.context;
  const { browserPools } = call.clientFor(projectId);
  const look = async () =>
    (await ignoreNotFound(browserPools.get(id, { signal }))) === undefined ? "gone" : undefined;
  let why = "";
  try {
    if ((await lookUntilKnown(look, call.context)) !== undefined) {
      return;
    }
  } catch (lookError) {
    // A look that fails says nothing about the pool.
    why = `Looking for it failed as well: ${lookError instanceof Error ? lookError.message : lookError} `;
  }
  throw signal.aborted
    ? outcome.withMessage(
        `The deletion of browser pool ${id} was interrupted, and the pool may be gone. Run the same command again: it finds out.`,
      )
    : outcome.withAdvice(`${why}Run the same command again: it finds out.`);
}
