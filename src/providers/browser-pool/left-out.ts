/**
 * What a pool has and its program leaves out: the service's own defaults, and what others have set.
 * It is no drift, and an update leaves it alone. The state remembers it, so that a pool that takes
 * the place of another keeps it.
 */
import { isDeepStrictEqual } from "node:util";
import { memoriesOf } from "../../client/browser-pool-settings.js";
import type { BrowserPool, BrowserPoolSettings } from "../../client/index.js";
import { quote } from "../../text/escape.js";
import { type PropertyMap, type PropertyValue, unknownValue } from "../properties.js";
import {
  type BrowserPoolState,
  browserPoolState,
  type DeclaredPool,
  defaultOf,
  isDeclared,
  type PoolSetting,
  ratedViewport,
  ratedViewportIn,
  settingNames,
  settingsOf,
  telemetryCategories,
} from "./properties.js";

/** What only belongs to one project. Another project does not have it. */
const ofProject: readonly PoolSetting[] = ["extensionIds", "profileId", "profileName", "proxyId"];

/** Settings that no organization has a default of its own for. Asking for some needs a plan. */
const assumed: readonly PoolSetting[] = ["region", "memory", "viewport", "telemetryStorage"];

/** Most names in a message. */
const listedMax = 20;

/**
 * What the service says of a pool beyond what is declared. `unknownSettings`: names of members that
 * this version does not know.
 */
export function leftOutOf(pool: BrowserPool, declared: BrowserPoolState): PropertyMap {
  const live = settingsOf(pool);
  const others = settingNames.filter((setting) => !isDeclared(setting, declared) && !isUsual(setting, live));
  // The refresh rate of a viewport that is declared without one.
  const isRateOnly = declared.viewport !== undefined && declared.viewport.refreshRate === undefined;
  const unknownCategories = Object.entries(pool.telemetry ?? {})
    .filter(([name, isOn]) => isOn && !telemetryCategories.some((category) => category === name))
    .map(([name]) => `telemetry.${name}`);
  const unknownSettings = [...pool.unknownSettings, ...unknownCategories].slice(0, listedMax);
  return browserPoolState.write({
    leftOut: {
      ...Object.fromEntries(others.map((setting) => [setting, live[setting] as PropertyValue])),
      ...(isRateOnly && live.viewport !== undefined ? { [ratedViewport]: live.viewport as PropertyMap } : {}),
      ...(unknownSettings.length > 0 ? { unknownSettings } : {}),
    },
  }).leftOut as PropertyMap;
}

/** Whether a setting is what a pool has that nobody has changed, so that nothing must keep it. */
function isUsual(setting: PoolSetting, live: BrowserPoolState): boolean {
  const isUsualDefault = assumed.includes(setting) && isDefault(setting, live);
  return live[setting] === undefined || isUsualDefault;
}

function isDefault(setting: PoolSetting, state: BrowserPoolState): boolean {
  return isDeepStrictEqual(state[setting], defaultOf(setting, state));
}

/** The declared settings without those that are the documented defaults, which are left out. */
export function withoutDefaults(state: BrowserPoolState): BrowserPoolState {
  const usual = settingNames.filter((setting) => state[setting] !== undefined && isDefault(setting, state));
  const others = usual.filter((setting) => !isUsual(setting, state));
  return {
    ...state,
    ...Object.fromEntries(usual.map((setting) => [setting, undefined])),
    leftOut: Object.fromEntries(others.map((setting) => [setting, state[setting] as PropertyValue])),
  };
}

/** What a new pool gets of the one before it, and the names of what it cannot get. */
interface Inheritance {
  readonly settings: BrowserPoolSettings;
  readonly lost: readonly string[];
}

/** `isMoved`: the new pool is in another project. */
export function inheritanceOf(leftOut: PropertyMap, declared: DeclaredPool, isMoved: boolean): Inheritance {
  const former = browserPoolState.read(leftOut);
  const { unknownSettings } = leftOut;
  const lost = Array.isArray(unknownSettings) ? unknownSettings.map((name) => quote(String(name))) : [];
  const kept: Record<string, unknown> = {};
  for (const setting of settingNames.filter((each) => !isDeclared(each, declared))) {
    const isLost = isMoved && ofProject.includes(setting) && former[setting] !== undefined;
    if (isLost) {
      lost.push(setting);
    } else {
      kept[setting] = former[setting];
    }
  }
  if (isMoved && kept.network !== undefined && former.network?.proxyRoutes !== undefined) {
    const { proxyRoutes: _lost, ...hosts } = former.network;
    kept.network = hosts;
    lost.push("network.proxyRoutes");
  }
  const formerViewport = former.viewport ?? ratedViewportIn(leftOut);
  if (isSameSize(formerViewport, declared.viewport)) {
    kept.viewport = formerViewport;
  }
  const all: DeclaredPool = { ...kept, ...declared };
  if (!isDeclared("profileId", all)) {
    kept.refreshOnProfileUpdate = undefined;
  }
  if (kept.memory !== undefined && !fits(String(kept.memory), all.headless)) {
    kept.memory = undefined;
    lost.push("memory");
  }
  return { settings: kept, lost };
}

/** Whether a viewport is declared in the size that it had, without a refresh rate. */
function isSameSize(former: BrowserPoolState["viewport"], declared: DeclaredPool["viewport"]): boolean {
  return (
    declared !== undefined &&
    declared !== unknownValue &&
    declared.refreshRate === undefined &&
    former?.width === declared.width &&
    former?.height === declared.height
  );
}

/** Answers have sizes of memory that no request may have. */
function fits(memory: string, headless: DeclaredPool["headless"]): boolean {
  return headless === unknownValue || memoriesOf(headless ?? false).includes(memory);
}

/** The names of what is not the documented default, for a message. */
export function unusual(settings: object): readonly string[] {
  const given = settings as BrowserPoolState;
  return settingNames.filter((setting) => given[setting] !== undefined && !isDefault(setting, given));
}
