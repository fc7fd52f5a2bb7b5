import type { BrowserPool } from "../../client/index.js";
import { ApiError, BrowserInfraError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { listed } from "../../text/words.js";
import type { Call } from "../call.js";
import type { CheckFailure } from "../lifecycle.js";
import { readInPreview } from "../look.js";

/** What to do when an extension with a fixed name is to be replaced and a pool loads it. */
const waysOut =
  'Leave "name" out: then the new extension is uploaded first, the pool changes to it, and the old one is deleted, all in one deployment. ' +
  "Or remove the extension from the pool and deploy that, and change the extension in the next deployment.";

/** The browser pools of a project that load an extension. */
async function poolsThatLoad(
  id: string,
  projectId: string | undefined,
  call: Call,
): Promise<readonly BrowserPool[]> {
  const { signal } = call.context;
  const pools = await call.clientFor(projectId).browserPools.list({ signal });
  return pools.filter(({ extensionIds }) => extensionIds.includes(id));
}

function named(pools: readonly BrowserPool[]): string {
  const names = pools.map(({ id, name }) => (name === null ? id : `${quote(name)} (${id})`));
  return `${names.length === 1 ? "browser pool" : "browser pools"} ${listed(names)}`;
}

/**
 * For a preview: why an extension cannot be replaced that must be deleted first, because its name
 * is fixed. The service deletes no extension that a pool loads, and no pool can load one that is
 * still to be uploaded.
 */
export async function replacementFailures(
  id: string,
  projectId: string | undefined,
  call: Call,
): Promise<CheckFailure[]> {
  const pools = await readInPreview(call, (limited) => poolsThatLoad(id, projectId, limited));
  if (pools === undefined || pools.length === 0) {
    return [];
  }
  const reason =
    `Extension ${id} cannot be replaced under the same name, because ${named(pools)} ${pools.length === 1 ? "loads" : "load"} it. ` +
    `The old one would have to be deleted first, which the service refuses. ${waysOut}`;
  return [{ property: "name", reason }];
}

/** A refused deletion of an extension, with the pools that load it and what to do about them. */
export async function explainUse(
  error: unknown,
  id: string,
  projectId: string | undefined,
  call: Call,
  isReplaced: boolean,
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.serviceCode !== "resource_in_use") {
    return error;
  }
  let pools: readonly BrowserPool[] = [];
  try {
    pools = await poolsThatLoad(id, projectId, call);
  } catch (lookError) {
    if (!(lookError instanceof BrowserInfraError)) {
      throw lookError;
    }
    // Then the service's own words must do.
  }
  const who = pools.length === 0 ? "" : `It is loaded by ${named(pools)}. `;
  return error.withAdvice(
    `${who}Nothing was deleted. ${isReplaced ? waysOut : "Remove the extension from the pool and deploy that first."}`,
  );
}
