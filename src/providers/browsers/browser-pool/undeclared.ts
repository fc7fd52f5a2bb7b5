/**
 * Undeclared pool settings, chosen by the service or by other users. They are not drift, and updates
 * do not send them. The state stores the values that a replacement would lose.
 */
import { isDeepStrictEqual } from "node:util";
import type { BrowserPool } from "../../../client/index.js";
import type { PropertyMap, PropertyValue } from "../../properties.js";
import { telemetryCategories } from "../telemetry.js";
import {
  type BrowserPoolState,
  browserPoolState,
  defaultOf,
  isDeclared,
  type PoolSetting,
  ratedViewport,
  settingNames,
  settingsOf,
} from "./properties.js";

/** Settings without a default per organization. Some values need a suitable plan. */
const withoutOrganizationDefault: readonly PoolSetting[] = [
  "region",
  "memory",
  "viewport",
  "telemetryStorage",
];

/** Maximum number of names in a message. */
const listedMax = 20;

/** Undeclared settings of a live pool, and up to 20 names of settings unknown to the provider. */
export function undeclaredSettings(pool: BrowserPool, declared: BrowserPoolState): PropertyMap {
  const live = settingsOf(pool);
  const others = settingNames.filter(
    (setting) => !isDeclared(setting, declared) && !isOfEveryPool(setting, live),
  );
  // The program declares a viewport without a refresh rate.
  const isRateOnly = declared.viewport !== undefined && declared.viewport.refreshRate === undefined;
  const unknownCategories = Object.entries(pool.telemetry ?? {})
    .filter(([name, isOn]) => isOn && !telemetryCategories.some((category) => category === name))
    .map(([name]) => `telemetry.${name}`);
  const unknownSettings = [...pool.unknownSettings, ...unknownCategories].slice(0, listedMax);
  return browserPoolState.write({
    undeclared: {
      ...Object.fromEntries(others.map((setting) => [setting, live[setting] as PropertyValue])),
      ...(isRateOnly && live.viewport !== undefined ? { [ratedViewport]: live.viewport as PropertyMap } : {}),
      ...(unknownSettings.length > 0 ? { unknownSettings } : {}),
    },
  }).undeclared as PropertyMap;
}

/**
 * Whether every new pool has the setting: the service reports no value, or the documented default
 * where organizations have no default of their own.
 */
function isOfEveryPool(setting: PoolSetting, live: BrowserPoolState): boolean {
  const isUsualDefault = withoutOrganizationDefault.includes(setting) && isDefault(setting, live);
  return live[setting] === undefined || isUsualDefault;
}

function isDefault(setting: PoolSetting, state: BrowserPoolState): boolean {
  return isDeepStrictEqual(state[setting], defaultOf(setting, state));
}

/** Moves settings with the documented default to `undeclared`, unless every new pool has them. */
export function withoutDefaults(state: BrowserPoolState): BrowserPoolState {
  const usual = settingNames.filter((setting) => state[setting] !== undefined && isDefault(setting, state));
  const others = usual.filter((setting) => !isOfEveryPool(setting, state));
  return {
    ...state,
    ...Object.fromEntries(usual.map((setting) => [setting, undefined])),
    undeclared: Object.fromEntries(others.map((setting) => [setting, state[setting] as PropertyValue])),
  };
}

/** Names of settings that differ from the documented defaults, for a message. */
export function nonDefaultNames(settings: object): readonly string[] {
  const given = settings as BrowserPoolState;
  return settingNames.filter((setting) => given[setting] !== undefined && !isDefault(setting, given));
}
