import { isDeepStrictEqual } from "node:util";
import { memoriesOf, regions } from "../../client/browser-pool-settings.js";
import type { BrowserPool } from "../../client/index.js";
import { marks } from "../core/marks.js";
import {
  type DeclaredOf,
  isPropertyMap,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  type PropertyType,
  t,
  unknownValue,
} from "../properties.js";

/** Chrome's enterprise policies by name. Any plain data, compared by what it means. */
const policy: PropertyType<PropertyMap> = {
  schema: {},
  read: (value) => (isPropertyMap(value) ? value : undefined),
};

/** The categories of telemetry. */
const telemetryTypes = {
  captcha: t.boolean,
  connection: t.boolean,
  console: t.boolean,
  control: t.boolean,
  interaction: t.boolean,
  network: t.boolean,
  page: t.boolean,
  platform: t.boolean,
  screenshot: t.boolean,
  system: t.boolean,
};
type TelemetryCategory = keyof typeof telemetryTypes;
type Telemetry = Readonly<Partial<Record<TelemetryCategory, boolean | undefined>>>;
export const telemetryCategories = Object.keys(telemetryTypes) as TelemetryCategory[];

/** What the service captures by default. Source: its interface description. */
const capturedByDefault: readonly TelemetryCategory[] = ["captcha", "connection", "control", "system"];

/** Whether a selection captures a category. */
export function captures(telemetry: Telemetry, category: TelemetryCategory): boolean {
  return telemetry[category] ?? capturedByDefault.includes(category);
}

/** What a pool's browsers are like. The service changes each of these in place, unless said. */
export const poolSettings = {
  size: { ...t.integer, isRequired: true },
  /** Another one replaces the pool, but none leaves it where it is. */
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
  /** The service can change it, but not go back to its own. */
  viewport: t.object({ width: t.integer, height: t.integer, refreshRate: t.integer }),
  headless: t.boolean,
  stealth: t.boolean,
  kioskMode: t.boolean,
  startUrl: t.string,
  timeoutSeconds: t.integer,
  fillRatePerMinute: t.integer,
  telemetry: t.object(telemetryTypes),
  telemetryDestinationId: t.string,
  telemetryStorage: t.boolean,
  telemetryExcludedMethods: t.listOf(t.string),
} as const;
export type PoolSetting = keyof typeof poolSettings;
export const settingNames = Object.keys(poolSettings) as PoolSetting[];

/** What only the provider obeys. */
const ownInputs = {
  rebuildIdleBrowsersOnUpdate: { ...t.boolean, isInternal: true },
  forceDelete: { ...t.boolean, isInternal: true },
  waitForAvailable: { ...t.integer, isInternal: true },
} as const;

/** The inputs of a BrowserPool. */
export const browserPoolInputs = new Properties({
  name: t.string,
  projectId: { ...t.string, replaces: true },
  ...poolSettings,
  ...ownInputs,
});
export type BrowserPoolInputs = PropertiesOf<typeof browserPoolInputs>;
export type DeclaredPool = DeclaredOf<typeof browserPoolInputs>;

/**
 * What the state keeps of a BrowserPool. How many browsers are available or leased is not in it:
 * that changes all the time, and every refresh would show it.
 */
export const browserPoolState = new Properties({
  ...browserPoolInputs.types,
  createdAt: t.string,
  /** What the pool has and the program leaves out, as it was last read: see `left-out.ts`. */
  leftOut: { ...policy, isInternal: true },
  ...marks,
});
export type BrowserPoolState = PropertiesOf<typeof browserPoolState>;

/**
 * Member of `leftOut` for the viewport, with the service's rate, of a program that declares no
 * rate. A pool without a declared viewport does not inherit it.
 */
export const ratedViewport = "ratedViewport";

/** What the service documents as its defaults, where that is something. */
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

/** The documented default of a setting of a pool; undefined for nothing. Source: the service. */
export function defaultOf(setting: PoolSetting | "name", { headless }: DeclaredPool): unknown {
  if (setting === "memory") {
    return headless === unknownValue ? undefined : memoriesOf(headless ?? false)[0];
  }
  return setting === "refreshOnProfileUpdate" ? true : defaults[setting];
}

/** All settings of a live pool, in the form in which a program declares them. */
export function settingsOf(pool: BrowserPool): BrowserPoolState {
  const { network, profileId, profileName, telemetry } = pool;
  return {
    size: pool.size,
    region: pool.region ?? undefined,
    memory: pool.memory ?? undefined,
    network: network ?? undefined,
    extensionIds: pool.extensionIds.length > 0 ? pool.extensionIds : undefined,
    // The service has a name only of a profile that was given by its name.
    profileId: profileName === null ? (profileId ?? undefined) : undefined,
    profileName: profileName ?? undefined,
    // Without a profile, it means nothing.
    refreshOnProfileUpdate: profileId === null ? undefined : (pool.refreshOnProfileUpdate ?? undefined),
    proxyId: pool.proxyId ?? undefined,
    chromePolicy: (pool.chromePolicy as PropertyMap | null) ?? undefined,
    viewport: viewportOf(pool),
    headless: pool.headless ?? undefined,
    stealth: pool.stealth ?? undefined,
    kioskMode: pool.kioskMode ?? undefined,
    startUrl: pool.startUrl ?? undefined,
    timeoutSeconds: pool.timeoutSeconds ?? undefined,
    fillRatePerMinute: pool.fillRatePerMinute ?? undefined,
    telemetry: telemetry === null ? undefined : selectionOf(telemetry),
    telemetryDestinationId: pool.telemetryDestinationId ?? undefined,
    telemetryStorage: pool.telemetryStorage ?? undefined,
    telemetryExcludedMethods:
      pool.telemetryExcludedMethods.length > 0 ? pool.telemetryExcludedMethods : undefined,
  };
}

/**
 * What the service says of the settings that are declared, in the same words. What it adds to them
 * is neither a difference nor a drift.
 */
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
    viewport: inWordsOf(live.viewport, declared.viewport),
    telemetry: isSameTelemetry(live.telemetry, declared.telemetry) ? declared.telemetry : live.telemetry,
    // The service always has one of each, whether it says so or not.
    region: live.region ?? declared.region,
    memory: live.memory ?? declared.memory,
    timeoutSeconds: live.timeoutSeconds ?? declared.timeoutSeconds,
    fillRatePerMinute: live.fillRatePerMinute ?? declared.fillRatePerMinute,
    telemetryStorage: live.telemetryStorage ?? declared.telemetryStorage,
  };
  const settings = settingNames.filter((setting) => isDeclared(setting, declared));
  return Object.fromEntries(settings.map((setting) => [setting, inWords[setting] ?? defaults[setting]]));
}

/** Whether a setting is given. A profile is one thing, by its id or by its name. */
export function isDeclared(setting: PoolSetting, declared: DeclaredPool): boolean {
  const isProfile = setting === "profileId" || setting === "profileName";
  return isProfile
    ? declared.profileId !== undefined || declared.profileName !== undefined
    : declared[setting] !== undefined;
}

/** The viewport that the service reports; undefined when it reports none. */
function viewportOf({ viewport }: BrowserPool): BrowserPoolState["viewport"] {
  if (viewport === null) {
    return undefined;
  }
  const { width, height, refreshRate } = viewport;
  const { width: usualWidth, height: usualHeight, refreshRate: usualRate } = defaults.viewport ?? {};
  const rate = refreshRate ?? (width === usualWidth && height === usualHeight ? usualRate : undefined);
  return rate === undefined ? { width, height } : { width, height, refreshRate: rate };
}

/** Without a declared refresh rate, the service chooses one for the size. */
function inWordsOf(
  live: BrowserPoolState["viewport"],
  known: BrowserPoolState["viewport"],
): BrowserPoolState["viewport"] {
  if (live === undefined || known === undefined || known.refreshRate !== undefined) {
    return live;
  }
  return { width: live.width, height: live.height };
}

/** The categories that are not as in the service's usual selection. */
function selectionOf(telemetry: Telemetry): Telemetry {
  const differing = telemetryCategories.filter((each) => captures(telemetry, each) !== captures({}, each));
  return Object.fromEntries(differing.map((each) => [each, captures(telemetry, each)]));
}

/** Whether two selections capture the same. No selection captures nothing. */
function isSameTelemetry(a: Telemetry | undefined, b: Telemetry | undefined): boolean {
  if (a === undefined || b === undefined) {
    return a === b;
  }
  return telemetryCategories.every((category) => captures(a, category) === captures(b, category));
}

/**
 * The settings in which a pool is not as declared. One that is still unknown may be different. One
 * that the program leaves out differs if it declared it before, unless it is the default by now.
 */
export function differingSettings(
  known: BrowserPoolState,
  declared: DeclaredPool,
): readonly (PoolSetting | "name")[] {
  const hasProfile = isDeclared("profileId", declared);
  return (["name", ...settingNames] as const).filter((setting) => {
    const wanted = declared[setting];
    if (wanted === undefined) {
      // A region is kept, and without a profile it means nothing to follow its updates.
      const isKept = setting === "region" || (setting === "refreshOnProfileUpdate" && !hasProfile);
      const isCleared = known[setting] === undefined || isKept;
      const rated = setting === "viewport" ? ratedViewportIn(known.leftOut) : undefined;
      return !isCleared && !isDeepStrictEqual(rated ?? known[setting], defaultOf(setting, declared));
    }
    const present = known[setting] ?? known.leftOut?.[setting] ?? defaultOf(setting, declared);
    return setting === "telemetry" && wanted !== unknownValue
      ? !isSameTelemetry(present as Telemetry | undefined, wanted as Telemetry)
      : !isDeepStrictEqual(present, wanted);
  });
}

/** The viewport as last read, if the program declares it without a refresh rate. */
export function ratedViewportIn(leftOut: PropertyMap = {}): BrowserPoolState["viewport"] {
  return browserPoolState.read({ viewport: leftOut[ratedViewport] ?? null }).viewport;
}

/** The inputs that only the provider obeys and that are not as in the state. */
export function differingOwn(known: BrowserPoolState, declared: DeclaredPool): readonly string[] {
  const names = Object.keys(ownInputs) as (keyof typeof ownInputs)[];
  return names.filter((input) => known[input] !== declared[input]);
}
