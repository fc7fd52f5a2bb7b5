import { isDeepStrictEqual } from "node:util";
import type { BrowserPool, BrowserPoolSettings } from "../../client/index.js";
import { ApiError, OutcomeUnknownError } from "../../errors.js";
import { counted, listed } from "../../text/words.js";
import type { Call } from "../call.js";
import { leftOutOf, withoutDefaults } from "./left-out.js";
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

type Setting = PoolSetting | "name";

/** Settings of the pool itself. With any other, a browser is started. */
const ofPool: readonly Setting[] = [
  "name",
  "size",
  "refreshOnProfileUpdate",
  "timeoutSeconds",
  "fillRatePerMinute",
];

/** What a change of the categories must send again: otherwise the service resets it. */
const ofTelemetry = ["telemetryDestinationId", "telemetryStorage", "telemetryExcludedMethods"] as const;

/** What the state keeps of a pool, as `inputs` declare it. A read declares what the state has. */
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
    // A lookup or an import.
    return { ...known, ...settingsOf(pool), ...given };
  }
  // A state of an older version has every default, whether it was declared or not.
  const declared = inputs ?? (known.leftOut === undefined ? withoutDefaults(known) : known);
  const nothing = Object.fromEntries(settingNames.map((setting) => [setting, undefined]));
  const settings = declaredSettings(pool, declared);
  return { ...declared, ...nothing, ...settings, ...given, leftOut: leftOutOf(pool, declared) };
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
  // What the program declared and leaves out now goes back to its default.
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
    (setting) => !ofPool.includes(setting) && !(setting === "network" && isNetworkOfPool),
  );
  const rebuildIdleBrowsers = inputs.rebuildIdleBrowsersOnUpdate === true && needsNewBrowsers.length > 0;
  return async () => {
    const changed = await call
      .clientFor(inputs.projectId)
      .browserPools.update(id, changeOf(differing, inputs, live, known), {
        rebuildIdleBrowsers,
        ...(differing.includes("network") ? expectedNetwork(live) : {}),
        ...call.options,
      })
      .catch((error: unknown) => ifNetworkIsAsDeclared(error, id, inputs, call));
    if (needsNewBrowsers.length > 0 && live.availableCount + live.acquiredCount > 0) {
      call.context.report.info(oldBrowsersText(live, rebuildIdleBrowsers, needsNewBrowsers));
    }
    return changed;
  };
}

/** The service replaces idle browsers by itself when nothing but their allowed hosts changes. */
function isSameBesidesAllowedHosts(
  live: BrowserPool["network"],
  wanted: BrowserPoolInputs["network"],
): boolean {
  const [before, after] = [live, wanted].map((network) => ({ ...network, allowedHosts: undefined }));
  return isDeepStrictEqual(before, after);
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

/** The service cannot clear these: name and region stay, and no viewport means a replacement. */
function isSettable(setting: Setting, inputs: BrowserPoolInputs): boolean {
  return setting !== "region" && !(inputs[setting] === undefined && ["name", "viewport"].includes(setting));
}

/** The network that a change is based on. It must not depend on what this version does not read. */
function expectedNetwork({ network, unknownSettings }: BrowserPool) {
  const isKnown = !unknownSettings.some((setting) => setting.startsWith("network."));
  return isKnown ? { expectedNetwork: network } : {};
}

/** A change that was repeated after a lost answer is refused for what it has done itself. */
async function ifNetworkIsAsDeclared(
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
  throw (isLost ? error : refusal).withAdvice('See it with "pulumi refresh", and deploy again.');
}

/** The request that makes these settings as declared. Null clears one. */
function changeOf(
  differing: readonly Setting[],
  inputs: BrowserPoolInputs,
  live: BrowserPool,
  known: BrowserPoolState,
): BrowserPoolSettings {
  const { profileId, profileName } = inputs;
  const changesProfile = differing.includes("profileId") || differing.includes("profileName");
  const others = differing.filter((setting) => setting !== "profileId" && setting !== "profileName");
  const present = settingsOf(live);
  // With another profile, the service would set it to true.
  const follows =
    inputs.refreshOnProfileUpdate ?? (isLeftOut("refreshOnProfileUpdate") && present.refreshOnProfileUpdate);
  const repeated =
    differing.includes("telemetry") && inputs.telemetry !== undefined
      ? ofTelemetry.filter((setting) => !differing.includes(setting) && present[setting] !== undefined)
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

  function isLeftOut(setting: PoolSetting): boolean {
    return known[setting] === undefined;
  }
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
