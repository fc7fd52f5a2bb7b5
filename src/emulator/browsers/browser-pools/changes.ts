/** Pool settings after a request, and their forms in requests, seeds and responses. */
import type { z } from "zod";
import { camelCased, snakeCased } from "../../storage/members.js";
import { checkReachable } from "./network.js";
import { checkedMemory, invalid } from "./setting-rules.js";
import { type PoolSettings, poolSettings, type SettingChanges } from "./settings.js";

type Name = keyof PoolSettings;

const names = Object.keys(poolSettings) as Name[];

/** Builds a value for every setting, by name. */
function forEachSetting<Of>(read: (name: Name) => Of): Record<Name, Of> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Of>;
}

/** Settings of a new pool before the changes of the request. */
export const initialSettings = forEachSetting((name) => poolSettings[name].initial) as PoolSettings;

/**
 * Settings after a change. Throws `InputError` `browser_pool_invalid` for problems beyond single
 * members. Source of the rules: the published interface.
 */
export function changedSettings(before: PoolSettings, changes: SettingChanges): PoolSettings {
  const after = forEachSetting((name) => {
    const { [name]: wanted } = changes;
    const setting: { fromRequest(wanted: unknown, now: unknown): unknown } = poolSettings[name];
    return wanted === undefined ? before[name] : setting.fromRequest(wanted, before[name]);
  }) as PoolSettings;
  const { refreshOnProfileUpdate } = changes;
  const isOther = after.profile?.id !== before.profile?.id || after.profile?.name !== before.profile?.name;
  if (refreshOnProfileUpdate === true && after.profile === null) {
    throw invalid("refresh_on_profile_update", "needs a profile on the pool");
  }
  checkReachable(after.startUrl, after.network);
  return {
    ...after,
    memory: checkedMemory(before, after.headless, changes.memory),
    refreshOnProfileUpdate:
      after.profile !== null && (refreshOnProfileUpdate ?? (isOther ? true : before.refreshOnProfileUpdate)),
  };
}

const optional = forEachSetting((name) => poolSettings[name].shape.optional());

export const requestMembers = snakeCased(optional);

export function changesOf(members: Readonly<Record<string, unknown>>): SettingChanges {
  return camelCased(members);
}

export const seedMembers = {
  ...(forEachSetting((name) => optional[name].describe(poolSettings[name].description)) as {
    readonly [K in Name]: z.ZodOptional<(typeof poolSettings)[K]["shape"]>;
  }),
  size: poolSettings.size.shape.describe(poolSettings.size.description),
};

/** Settings for a response, such as those with which a browser is started. */
export function settingsOnWire(settings: Partial<PoolSettings>): Record<string, unknown> {
  const shown = forEachSetting((name) => {
    const setting: { readonly initial: unknown; toResponse?(value: unknown): unknown } = poolSettings[name];
    return setting.toResponse?.(settings[name]) ?? settings[name];
  });
  return snakeCased(shown);
}
