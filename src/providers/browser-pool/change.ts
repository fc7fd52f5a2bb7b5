import type { BrowserPool, BrowserPoolSettings } from "../../client/index.js";
import { isNotFound } from "../../client/refusals.js";
import { LookupError, OutcomeUnknownError } from "../../errors.js";
import { counted, listed } from "../../text/words.js";
import { type Call, ignoreNotFound } from "../call.js";
import { continuesAdvice, stillUnknown } from "../core/requests.js";
import {
  type BrowserPoolInputs,
  type BrowserPoolState,
  browserPoolState,
  differingSettings,
  liveProperties,
  type PoolSetting,
  viewportOf,
} from "./properties.js";
import type { PoolRun } from "./run.js";

type Setting = PoolSetting | "name";

/** Settings that a browser has from its start. */
const ofBrowsers: readonly Setting[] = [
  "extensionIds",
  "profileId",
  "profileName",
  "proxyId",
  "chromePolicy",
  "viewport",
  "headless",
  "stealth",
  "kioskMode",
  "startUrl",
  "telemetry",
];

/** What the state keeps of a pool that exists, as `inputs` declare it. */
export function stateOf(
  pool: BrowserPool,
  inputs: BrowserPoolInputs,
  known: BrowserPoolState = {},
): BrowserPoolState {
  // What the service chose, it chose at the creation. Later, somebody else has set the viewport.
  const isCreation = known.size === undefined;
  const isUndeclared = inputs.viewport === undefined && known.viewport === undefined;
  const serviceViewport = isCreation && isUndeclared ? viewportOf(pool) : known.serviceViewport;
  return { ...inputs, ...liveProperties(pool, { ...inputs, serviceViewport }) };
}

/**
 * Brings a live pool to what is declared, in one request with nothing but what differs. Returns the
 * pool as the service has it then; the same one when nothing differs, and nothing is sent.
 *
 * It compares with the live pool and not with the state, so an update whose answer was lost, or
 * whose process was killed, is completed and not repeated.
 */
export async function changePool(
  pool: BrowserPool,
  inputs: BrowserPoolInputs,
  known: BrowserPoolState,
  call: Call,
): Promise<BrowserPool> {
  const { id } = pool;
  const live = liveProperties(pool, { ...inputs, serviceViewport: known.serviceViewport });
  const differing = differingSettings(live, inputs).filter((setting) => isSettable(setting, inputs));
  if (losesRefreshRate(known, inputs) && !differing.includes("viewport")) {
    differing.push("viewport");
  }
  if (differing.length === 0) {
    return pool;
  }
  const notes = call.journal.pools;
  const wasInDoubt = notes.isInDoubt(id);
  const { context } = call;
  const needsNewBrowsers = differing.filter((setting) => ofBrowsers.includes(setting));
  const rebuildIdleBrowsers = inputs.rebuildIdleBrowsersOnUpdate === true && needsNewBrowsers.length > 0;
  notes.updateStarts(id);
  let changed: BrowserPool;
  try {
    changed = await call
      .clientFor(inputs.projectId)
      .browserPools.update(id, changeOf(differing, inputs), { rebuildIdleBrowsers, signal: context.signal });
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      const interrupted = `The change of browser pool ${id} was interrupted, and the pool has its old settings or the new ones.`;
      throw stillUnknown(error, context, interrupted, continuesAdvice);
    }
    if (!wasInDoubt) {
      notes.settled(id);
    }
    throw isNotFound(error) ? await whatIsMissing(id, inputs, call, error) : error;
  }
  notes.updateAnswered(id, settingsInState(stateOf(changed, inputs, known)));
  const older = pool.availableCount + pool.acquiredCount;
  if (needsNewBrowsers.length > 0 && older > 0) {
    context.report.info(oldBrowsersText(pool, rebuildIdleBrowsers, needsNewBrowsers));
  }
  return changed;
}

/** What of a state the notes of the journal compare. */
export function settingsInState(state: BrowserPoolState): object {
  const { unfinished: _unfinished, createdAt: _createdAt, ...settings } = state;
  return browserPoolState.write(settings);
}

/** The service chooses a rate for a viewport without one, so the live pool does not show it. */
function losesRefreshRate({ viewport: former }: BrowserPoolState, { viewport }: BrowserPoolInputs): boolean {
  return former?.refreshRate !== undefined && viewport !== undefined && viewport.refreshRate === undefined;
}

/** The service cannot clear these: the name stays, and no viewport means a replacement. */
function isSettable(setting: Setting, inputs: BrowserPoolInputs): boolean {
  const isCleared = inputs[setting] === undefined;
  // Without a profile it means nothing, and clearing the profile clears it.
  return !(isCleared && ["name", "viewport", "refreshOnProfileUpdate"].includes(setting));
}

/** The request that makes these settings as declared. Null clears one. */
function changeOf(differing: readonly Setting[], inputs: BrowserPoolInputs): BrowserPoolSettings {
  const { profileId, profileName, refreshOnProfileUpdate } = inputs;
  const changesProfile = differing.includes("profileId") || differing.includes("profileName");
  const others = differing.filter((setting) => setting !== "profileId" && setting !== "profileName");
  return {
    ...Object.fromEntries(
      others.map((setting) => [setting, inputs[setting] ?? (setting === "extensionIds" ? [] : null)]),
    ),
    ...(changesProfile && profileName === undefined ? { profileId: profileId ?? null } : {}),
    ...(changesProfile && profileName !== undefined ? { profileName } : {}),
    // With another profile, the service would set it to true.
    ...(changesProfile && refreshOnProfileUpdate !== undefined ? { refreshOnProfileUpdate } : {}),
  };
}

function oldBrowsersText(
  { id, availableCount, acquiredCount }: BrowserPool,
  rebuildsIdle: boolean,
  settings: readonly Setting[],
): string {
  const leased =
    acquiredCount === 0
      ? ""
      : ` Leased browsers (${acquiredCount}) keep the old ones until they are destroyed.`;
  return rebuildsIdle
    ? `Browser pool ${id} rebuilds its idle browsers (${availableCount}) with the new settings.${leased}`
    : `Browsers that pool ${id} builds from now on have the new ${listed(settings)}; its present ${counted(availableCount + acquiredCount, "browser")} do not. To rebuild idle browsers together with the next change, set "rebuildIdleBrowsersOnUpdate" to true.`;
}

/** The pool itself may be gone, or something that its new settings name. */
async function whatIsMissing(
  id: string,
  { projectId }: BrowserPoolInputs,
  call: Call,
  error: unknown,
): Promise<unknown> {
  const { signal } = call.context;
  const pool = await ignoreNotFound(call.clientFor(projectId).browserPools.get(id, { signal }));
  return pool === undefined ? goneError(id) : error;
}

/** The error of an update of a pool that does not exist any more. */
export function goneError(id: string): LookupError {
  return new LookupError(
    "browser_pool_not_found",
    `Browser pool ${id} is gone: the service does not have it any more. Run "pulumi up --refresh" to create it again.`,
  );
}

/** Runs work on one pool at a time, on the pool as it is then. Throws when it is gone. */
export function withLivePool<T>(
  id: string,
  projectId: string | undefined,
  call: Call,
  run: PoolRun,
  work: (pool: BrowserPool) => Promise<T>,
): Promise<T> {
  return run.pools.run(id, async () => {
    const { signal } = call.context;
    const pool = await ignoreNotFound(call.clientFor(projectId).browserPools.get(id, { signal }));
    if (pool === undefined) {
      throw goneError(id);
    }
    return work(pool);
  });
}
