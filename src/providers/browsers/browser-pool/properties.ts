import { isDeepStrictEqual } from "node:util";
import { memoriesOf, regions } from "../../../client/browsers/browser-pool-settings.js";
import type { BrowserPool } from "../../../client/index.js";
import { adoptInput, marks } from "../../core/marks.js";
import {
  type DeclaredOf,
  isPropertyMap,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  type PropertyType,
  t,
  unknownValue,
} from "../../properties.js";
import { isSameTelemetry, selectionOf, type Telemetry, telemetryTypes } from "../telemetry.js";

/** Chrome enterprise policies by name: any plain data, compared by value. */
const policy: PropertyType<PropertyMap> = {
  schema: {},
  read: (value) => (isPropertyMap(value) ? value : undefined),
};

/** Settings of a pool and its browsers. The service changes settings in place, unless noted. */
export const poolSettings = {
  size: { ...t.integer, isRequired: true },
  /** A different region replaces the pool; an undeclared region keeps the current region. */
  region: t.string,
  memory: t.string,
  network: t.object({
    allowedHosts: t.listOf(t.string),
    privateHosts: t.listOf(t.string),
    proxyRoutes: t.listOf(t.object({ hosts: t.listOf(t.string), proxyId: t.string })),
  }),
  extensionIds: t.listOf(t.string),
  profileId: t.string,
  profileName: t.string,
  refreshOnProfileUpdate: t.boolean,
  proxyId: t.string,
  chromePolicy: policy,
  /** The service can change the viewport, but not reset the viewport to the default. */
  viewport: t.object({ width: t.integer, height: t.integer, refreshRate: t.integer }),
  headless: t.boolean,
  stealth: t.boolean,
  kioskMode: t.boolean,
  startUrl: t.address(
    'Give the address without them. To log in, use an AuthConnection with a Credential, whose "values" are secret.',
  ),
  timeoutSeconds: t.integer,
  fillRatePerMinute: t.integer,
  telemetry: t.object(telemetryTypes),
  telemetryDestinationId: t.string,
  telemetryStorage: t.boolean,
  telemetryExcludedMethods: t.listOf(t.string),
} as const;
export type PoolSetting = keyof typeof poolSettings;
export const settingNames = Object.keys(poolSettings) as PoolSetting[];

/** Inputs that control the provider and are not settings of the pool. */
const ownInputs = {
  rebuildIdleBrowsersOnUpdate: { ...t.boolean, isInternal: true },
  forceDelete: { ...t.boolean, isInternal: true },
  waitForAvailable: { ...t.integer, isInternal: true },
} as const;

export const browserPoolInputs = new Properties({
  name: t.string,
  ...adoptInput,
  projectId: { ...t.string, replaces: true },
  ...poolSettings,
  ...ownInputs,
});
export type BrowserPoolInputs = PropertiesOf<typeof browserPoolInputs>;
export type DeclaredPool = DeclaredOf<typeof browserPoolInputs>;

/** State of a BrowserPool, without numbers of browsers, which change all the time. */
export const browserPoolState = new Properties({
  ...browserPoolInputs.types,
  createdAt: t.string,
  /** Undeclared settings as last read: see `undeclared.ts`. */
  undeclared: { ...policy, isInternal: true },
  ...marks,
});
export type BrowserPoolState = PropertiesOf<typeof browserPoolState>;

/**
 * Member of `undeclared`: the live viewport with the service's refresh rate, if the program declares a
 * viewport without a rate.
 */
export const ratedViewport = "ratedViewport";

/** Documented defaults of the service, where the default is a value. */
const defaults: BrowserPoolState = {
  region: regions[0],
  network: {},
  extensionIds: [],
  chromePolicy: {},
  viewport: { width: 1920, height: 1080, refreshRate: 25 },
  headless: false,
  stealth: false,
  kioskMode: false,
  timeoutSeconds: 600,
  fillRatePerMinute: 25,
  telemetryStorage: true,
  telemetryExcludedMethods: [],
};

/** Documented default of a setting; undefined if none, or unknown. Source: the service. */
export function defaultOf(setting: PoolSetting | "name", { headless }: DeclaredPool): unknown {
  if (setting === "memory") {
    return headless === unknownValue ? undefined : memoriesOf(headless ?? false)[0];
  }
  return setting === "refreshOnProfileUpdate" ? true : defaults[setting];
}

/** All settings of a live pool, in the form of declared settings. */
export function settingsOf(pool: BrowserPool): BrowserPoolState {
  const { profileId, profileName, refreshOnProfileUpdate, telemetry } = pool;
  const listed = <T>(items: readonly T[]) => (items.length > 0 ? items : undefined);
  const reported = settingNames.map((setting) => [setting, pool[setting] ?? undefined]);
  return {
    ...(Object.fromEntries(reported) as BrowserPoolState),
    extensionIds: listed(pool.extensionIds),
    // The service reports a name only if the profile was given by name.
    profileId: profileName === null ? (profileId ?? undefined) : undefined,
    // Has no effect without a profile.
    refreshOnProfileUpdate: profileId === null ? undefined : (refreshOnProfileUpdate ?? undefined),
    viewport: viewportOf(pool),
    telemetry: telemetry === null ? undefined : selectionOf(telemetry),
    telemetryExcludedMethods: listed(pool.telemetryExcludedMethods),
  };
}

/** Live values of the declared settings, in the spelling of the declaration. Others are no drift. */
export function declaredSettings(pool: BrowserPool, declared: BrowserPoolState): BrowserPoolState {
  const live = settingsOf(pool);
  const isByName = declared.profileName !== undefined && pool.profileName === declared.profileName;
  const inWords: BrowserPoolState = {
    ...live,
    profileId: isByName ? undefined : (pool.profileId ?? undefined),
    profileName: isByName ? declared.profileName : undefined,
    chromePolicy: isDeepStrictEqual(live.chromePolicy, declared.chromePolicy)
      ? declared.chromePolicy
      : live.chromePolicy,
    viewport: withoutUndeclaredRate(live.viewport, declared.viewport),
    telemetry: isSameTelemetry(live.telemetry, declared.telemetry) ? declared.telemetry : live.telemetry,
    // Every pool has a value of these settings, even if the response omits the value.
    region: live.region ?? declared.region,
    memory: live.memory ?? declared.memory,
    timeoutSeconds: live.timeoutSeconds ?? declared.timeoutSeconds,
    fillRatePerMinute: live.fillRatePerMinute ?? declared.fillRatePerMinute,
    telemetryStorage: live.telemetryStorage ?? declared.telemetryStorage,
  };
  const settings = settingNames.filter((setting) => isDeclared(setting, declared));
  return Object.fromEntries(settings.map((setting) => [setting, inWords[setting] ?? defaults[setting]]));
}

/** Whether a setting is declared. Profile id and profile name count as a single setting. */
export function isDeclared(setting: PoolSetting, declared: DeclaredPool): boolean {
  const isProfile = setting === "profileId" || setting === "profileName";
  return isProfile
    ? declared.profileId !== undefined || declared.profileName !== undefined
    : declared[setting] !== undefined;
}

/** Reported viewport, if any. The default size without a refresh rate has the default rate. */
function viewportOf({ viewport }: BrowserPool): BrowserPoolState["viewport"] {
  if (viewport === null) {
    return undefined;
  }
  const { width, height, refreshRate } = viewport;
  const { width: usualWidth, height: usualHeight, refreshRate: usualRate } = defaults.viewport ?? {};
  const rate = refreshRate ?? (width === usualWidth && height === usualHeight ? usualRate : undefined);
  return rate === undefined ? { width, height } : { width, height, refreshRate: rate };
}

/** Drops the live refresh rate if no rate is declared: the service then chooses a rate. */
function withoutUndeclaredRate(
  live: BrowserPoolState["viewport"],
  known: BrowserPoolState["viewport"],
): BrowserPoolState["viewport"] {
  if (live === undefined || known === undefined || known.refreshRate !== undefined) {
    return live;
  }
  return { width: live.width, height: live.height };
}

/**
 * Settings in which a pool differs from the declaration. An unknown value counts as different. A
 * setting that is no longer declared differs unless the present value is the default.
 */
export function differingSettings(
  known: BrowserPoolState,
  declared: DeclaredPool,
): readonly (PoolSetting | "name")[] {
  const hasProfile = isDeclared("profileId", declared);
  return (["name", ...settingNames] as const).filter((setting) => {
    const wanted = declared[setting];
    if (wanted === undefined) {
      // An undeclared region stays. Without a profile, `refreshOnProfileUpdate` has no effect.
      const isKept = setting === "region" || (setting === "refreshOnProfileUpdate" && !hasProfile);
      const isCleared = known[setting] === undefined || isKept;
      const rated = setting === "viewport" ? ratedViewportIn(known.undeclared) : undefined;
      return !isCleared && !isDeepStrictEqual(rated ?? known[setting], defaultOf(setting, declared));
    }
    const present = known[setting] ?? known.undeclared?.[setting] ?? defaultOf(setting, declared);
    return setting === "telemetry" && wanted !== unknownValue
      ? !isSameTelemetry(present as Telemetry | undefined, wanted as Telemetry)
      : !isDeepStrictEqual(present, wanted);
  });
}

/** Viewport as last read, if the program declares a viewport without a refresh rate. */
export function ratedViewportIn(undeclared: PropertyMap = {}): BrowserPoolState["viewport"] {
  return browserPoolState.read({ viewport: undeclared[ratedViewport] ?? null }).viewport;
}

/** Inputs that control the provider and differ from the state. */
export function differingOwnInputs(known: BrowserPoolState, declared: DeclaredPool): readonly string[] {
  const names = Object.keys(ownInputs) as (keyof typeof ownInputs)[];
  return names.filter((input) => known[input] !== declared[input]);
}
