import { isDeepStrictEqual } from "node:util";
import type { BrowserPool, BrowserPoolSettings } from "../../../client/index.js";
import { ApiError, OutcomeUnknownError } from "../../../errors.js";
import { listed } from "../../../text/words.js";
import type { Call } from "../../call.js";
import {
  type BrowserPoolInputs,
  type BrowserPoolState,
  declaredSettings,
  defaultOf,
  differingSettings,
  isDeclared,
  type PoolSetting,
  settingNames,
  settingsOf,
} from "./properties.js";
import { undeclaredSettings, withoutDefaults } from "./undeclared.js";

type Setting = PoolSetting | "name";

/** Settings of the pool itself. All other settings take effect when a browser starts. */
const poolOnlySettings: readonly Setting[] = [
  "name",
  "size",
  "refreshOnProfileUpdate",
  "timeoutSeconds",
  "fillRatePerMinute",
];

/** Settings to repeat in a change of the categories: the service resets omitted settings. */
const telemetrySettings = ["telemetryDestinationId", "telemetryStorage", "telemetryExcludedMethods"] as const;

/** State of a live pool, as declared in `inputs`, or in `known` for a read. */
export function stateOf(
  pool: BrowserPool,
  inputs: BrowserPoolInputs | undefined,
  known: BrowserPoolState = {},
): BrowserPoolState {
  const given = {
    name: pool.name ?? (inputs ?? known).name,
    createdAt: pool.createdAt ?? undefined,
  };
  if (inputs === undefined && known.size === undefined) {
    // This is a lookup or an import.
    return { ...known, ...settingsOf(pool), ...given };
  }
  // A state of an older version contains every default, declared or not.
  const declared = inputs ?? (known.undeclared === undefined ? withoutDefaults(known) : known);
  const nothing = Object.fromEntries(settingNames.map((setting) => [setting, undefined]));
  const settings = declaredSettings(pool, declared);
  return { ...declared, ...nothing, ...settings, ...given, undeclared: undeclaredSettings(pool, declared) };
}

/**
 * Request that makes a live pool as declared, with differing settings only; undefined if nothing
 * differs. `known`: the state, without a size for a pool found in this run.
 */
export function changeRequest(
  live: BrowserPool,
  inputs: BrowserPoolInputs,
  known: BrowserPoolState,
  call: Call,
): (() => Promise<BrowserPool>) | undefined {
  const { id } = live;
  // Settings that are no longer declared go back to the default.
  const concerned = Object.fromEntries(
    settingNames.map((setting) => [setting, inputs[setting] ?? known[setting]]),
  );
  const present = { ...declaredSettings(live, concerned), name: live.name ?? undefined };
  const differing = differingSettings(present, inputs).filter((setting) => isSettable(setting, inputs));
  if (losesRefreshRate(known, inputs) && !differing.includes("viewport")) {
    differing.push("viewport");
  }
  if (differing.length === 0) {
    return undefined;
  }
  const isNetworkOfPool = isSameBesidesAllowedHosts(live.network, inputs.network);
  const needsNewBrowsers = differing.filter(
    (setting) => !poolOnlySettings.includes(setting) && !(setting === "network" && isNetworkOfPool),
  );
  const rebuildIdleBrowsers = inputs.rebuildIdleBrowsersOnUpdate === true && needsNewBrowsers.length > 0;
  return async () => {
    const changed = await call
      .clientFor(inputs.projectId)
      .browserPools.update(id, changedSettings(differing, inputs, live, known), {
        rebuildIdleBrowsers,
        ...(differing.includes("network") ? expectedNetwork(live) : {}),
        ...call.options,
      })
      .catch((error: unknown) => poolAfterConflict(error, id, inputs, call));
    if (needsNewBrowsers.length > 0 && live.availableCount + live.acquiredCount > 0) {
      call.context.report.info(oldBrowsersText(live, rebuildIdleBrowsers, needsNewBrowsers));
    }
    return changed;
  };
}

/** Whether at most allowed hosts change. The service then replaces idle browsers by itself. */
function isSameBesidesAllowedHosts(
  live: BrowserPool["network"],
  wanted: BrowserPoolInputs["network"],
): boolean {
  const [before, after] = [live, wanted].map((network) => ({ ...network, allowedHosts: undefined }));
  return isDeepStrictEqual(before, after);
}

/** Whether the refresh rate of the viewport is no longer declared. A live pool always has a rate. */
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

/**
 * Whether an update can send a setting. An undeclared name stays. A different region or an
 * undeclared viewport replaces the pool: the service cannot clear a viewport.
 */
function isSettable(setting: Setting, inputs: BrowserPoolInputs): boolean {
  return setting !== "region" && !(inputs[setting] === undefined && ["name", "viewport"].includes(setting));
}

/** Network that a change is based on; omitted if a member is unknown to the provider. */
function expectedNetwork({ network, unknownSettings }: BrowserPool) {
  const isKnown = !unknownSettings.some((setting) => setting.startsWith("network."));
  return isKnown ? { expectedNetwork: network } : {};
}

/**
 * Returns the pool if the refused change has been made: a change that is repeated after a lost
 * response conflicts with the first request. Throws in all other cases.
 */
async function poolAfterConflict(
  error: unknown,
  id: string,
  inputs: BrowserPoolInputs,
  call: Call,
): Promise<BrowserPool> {
  const isLost = error instanceof OutcomeUnknownError;
  const refusal = isLost ? error.cause : error;
  if (!(refusal instanceof ApiError && refusal.serviceCode === "stale_network")) {
    throw error;
  }
  const present = await call.clientFor(inputs.projectId).browserPools.get(id, call.options);
  if (differingSettings(declaredSettings(present, inputs), inputs).every((setting) => setting === "name")) {
    return present;
  }
  throw (isLost ? error : refusal).withAdvice('Run "pulumi refresh" to see the change, and deploy again.');
}

/** Request that sets the differing settings as declared. Null clears a setting. */
function changedSettings(
  differing: readonly Setting[],
  inputs: BrowserPoolInputs,
  live: BrowserPool,
  known: BrowserPoolState,
): BrowserPoolSettings {
  const { profileId, profileName } = inputs;
  const changesProfile = differing.includes("profileId") || differing.includes("profileName");
  const others = differing.filter((setting) => setting !== "profileId" && setting !== "profileName");
  const present = settingsOf(live);
  // With a new profile, the service would set `refreshOnProfileUpdate` to true.
  const follows =
    inputs.refreshOnProfileUpdate ??
    (isUndeclared("refreshOnProfileUpdate") && present.refreshOnProfileUpdate);
  const repeated =
    differing.includes("telemetry") && inputs.telemetry !== undefined
      ? telemetrySettings.filter((setting) => !differing.includes(setting) && present[setting] !== undefined)
      : [];
  return {
    ...Object.fromEntries(repeated.map((setting) => [setting, present[setting]])),
    ...Object.fromEntries(
      others.map((setting) => [setting, inputs[setting] ?? defaultOf(setting, inputs) ?? null]),
    ),
    ...(changesProfile && profileName === undefined ? { profileId: profileId ?? null } : {}),
    ...(changesProfile && profileName !== undefined ? { profileName } : {}),
    ...(changesProfile && isDeclared("profileId", inputs) && typeof follows === "boolean"
      ? { refreshOnProfileUpdate: follows }
      : {}),
  };

  function isUndeclared(setting: PoolSetting): boolean {
    return known[setting] === undefined;
  }
}

function oldBrowsersText(
  { id, availableCount, acquiredCount }: BrowserPool,
  rebuildsIdle: boolean,
  settings: readonly Setting[],
): string {
  const leased =
    acquiredCount === 0 ? "" : ` Leased browsers (${acquiredCount}) keep the old settings until destroyed.`;
  return rebuildsIdle
    ? `Browser pool ${id} rebuilds its idle browsers (${availableCount}) with the new settings.${leased}`
    : `Only new browsers of pool ${id} have the new ${listed(settings)}; existing browsers (${availableCount + acquiredCount}) keep the old settings. To rebuild idle browsers together with the next change, set "rebuildIdleBrowsersOnUpdate" to true.`;
}
