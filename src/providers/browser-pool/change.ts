import type { BrowserPool, BrowserPoolSettings } from "../../client/index.js";
import { counted, listed } from "../../text/words.js";
import type { Call } from "../call.js";
import {
  type BrowserPoolInputs,
  type BrowserPoolState,
  differingSettings,
  isImageViewport,
  liveProperties,
  type PoolSetting,
  viewportOf,
} from "./properties.js";

type Setting = PoolSetting | "name";

/** Settings of the pool itself. With any other, a browser is started. */
const ofPool: readonly Setting[] = [
  "name",
  "size",
  "refreshOnProfileUpdate",
  "timeoutSeconds",
  "fillRatePerMinute",
];

/** What the state keeps of a pool, as `inputs` declare it. A read declares nothing. */
export function stateOf(
  pool: BrowserPool,
  inputs: BrowserPoolInputs | undefined,
  known: BrowserPoolState = {},
): BrowserPoolState {
  if (inputs === undefined) {
    return stateOfRead(pool, known);
  }
  // The service chooses a viewport only at the creation. A later one was set by another program.
  const isCreation = known.size === undefined;
  const isUndeclared = inputs.viewport === undefined && known.viewport === undefined;
  const serviceViewport = isCreation && isUndeclared ? viewportOf(pool) : known.serviceViewport;
  return { ...inputs, ...liveProperties(pool, { ...inputs, serviceViewport }) };
}

/** The pool, normalized to what is known of it. A lookup and an import know nothing before. */
function stateOfRead(pool: BrowserPool, known: BrowserPoolState): BrowserPoolState {
  const viewport = viewportOf(pool);
  const isNew = known.size === undefined;
  const serviceViewport = isNew && isImageViewport(viewport) ? viewport : known.serviceViewport;
  // The service has a name only of a profile that was given by its name.
  const profileName = isNew ? (pool.profileName ?? undefined) : known.profileName;
  return { ...known, ...liveProperties(pool, { ...known, serviceViewport, profileName }) };
}

/**
 * The request that makes a live pool as declared, with nothing but what differs; undefined if it is
 * so. `known`: the state, without a size for a pool that this run found.
 */
export function changeOfPool(
  live: BrowserPool,
  inputs: BrowserPoolInputs,
  known: BrowserPoolState,
  call: Call,
): (() => Promise<BrowserPool>) | undefined {
  const { id } = live;
  const present = liveProperties(live, { ...inputs, serviceViewport: known.serviceViewport });
  const differing = differingSettings(present, inputs).filter((setting) => isSettable(setting, inputs));
  if (losesRefreshRate(known, inputs) && !differing.includes("viewport")) {
    differing.push("viewport");
  }
  if (differing.length === 0) {
    return undefined;
  }
  const needsNewBrowsers = differing.filter((setting) => !ofPool.includes(setting));
  const rebuildIdleBrowsers = inputs.rebuildIdleBrowsersOnUpdate === true && needsNewBrowsers.length > 0;
  return async () => {
    const changed = await call
      .clientFor(inputs.projectId)
      .browserPools.update(id, changeOf(differing, inputs), { rebuildIdleBrowsers, ...call.options });
    if (needsNewBrowsers.length > 0 && live.availableCount + live.acquiredCount > 0) {
      call.context.report.info(oldBrowsersText(live, rebuildIdleBrowsers, needsNewBrowsers));
    }
    return changed;
  };
}

/** The service chooses a rate for a viewport without one, so the live pool does not show it. */
function losesRefreshRate(
  { size, viewport: former }: BrowserPoolState,
  { viewport }: BrowserPoolInputs,
): boolean {
  const isInState = size !== undefined;
  return (
    isInState &&
    former?.refreshRate !== undefined &&
    viewport !== undefined &&
    viewport.refreshRate === undefined
  );
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
