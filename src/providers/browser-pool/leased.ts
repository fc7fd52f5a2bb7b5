import { ApiError } from "../../errors.js";
import { counted } from "../../text/words.js";
import type { Call } from "../call.js";

/** Whether the service did not delete a pool because browsers of it are leased. */
export function isInUse(error: unknown): error is ApiError {
  return error instanceof ApiError && error.serviceCode === "pool_in_use";
}

/** The refusal, with how many browsers somebody has and what to do about it. */
export async function withLeased(
  error: ApiError,
  id: string,
  projectId: string | undefined,
  call: Call,
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
