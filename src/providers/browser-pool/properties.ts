import { isDeepStrictEqual } from "node:util";
import type { BrowserPool } from "../../client/index.js";
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
} as const;
export type PoolSetting = keyof typeof poolSettings;
const settingNames = Object.keys(poolSettings) as PoolSetting[];

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
  /** The service's own viewport, for a pool that declares none. */
  serviceViewport: { ...poolSettings.viewport, isInternal: true },
  /** Why the pool is not as declared: the next diff must see it, though inputs are equal. */
  unfinished: { ...t.string, isInternal: true },
});
export type BrowserPoolState = PropertiesOf<typeof browserPoolState>;

/** What the service documents as its defaults. They are declared, so a change of one is found. */
export const poolDefaults = {
  headless: false,
  stealth: false,
  kioskMode: false,
  timeoutSeconds: 600,
  fillRatePerMinute: 25,
} as const;

/**
 * What the service says of a pool, normalized to `known`: what is declared or in the state. What
 * the service adds to that is left out, so it is neither a difference nor a drift.
 */
export function liveProperties(pool: BrowserPool, known: BrowserPoolState): BrowserPoolState {
  const { profileId, profileName } = pool;
  const isByName = known.profileName !== undefined && profileName === known.profileName;
  const viewport = viewportOf(pool);
  const isOfService =
    known.viewport === undefined &&
    (isImageViewport(viewport) || isDeepStrictEqual(viewport, known.serviceViewport));
  return {
    name: pool.name ?? known.name,
    size: pool.size,
    extensionIds: pool.extensionIds.length > 0 ? pool.extensionIds : undefined,
    profileId: isByName ? undefined : (profileId ?? undefined),
    profileName: isByName ? profileName : undefined,
    // Without a profile, it means nothing.
    refreshOnProfileUpdate: profileId === null ? undefined : (pool.refreshOnProfileUpdate ?? undefined),
    proxyId: pool.proxyId ?? undefined,
    chromePolicy: livePolicy(pool, known),
    viewport: isOfService ? undefined : inWordsOf(viewport, known.viewport),
    headless: pool.headless ?? poolDefaults.headless,
    stealth: pool.stealth ?? poolDefaults.stealth,
    kioskMode: pool.kioskMode ?? poolDefaults.kioskMode,
    startUrl: pool.startUrl ?? undefined,
    timeoutSeconds: pool.timeoutSeconds ?? known.timeoutSeconds,
    fillRatePerMinute: pool.fillRatePerMinute ?? known.fillRatePerMinute,
    telemetry: liveTelemetry(pool, known),
    createdAt: pool.createdAt ?? undefined,
    serviceViewport: isOfService ? known.serviceViewport : undefined,
  };
}

/** The viewport that the service reports; undefined when it reports none. */
export function viewportOf({ viewport }: BrowserPool): BrowserPoolState["viewport"] {
  if (viewport === null) {
    return undefined;
  }
  const { width, height, refreshRate } = viewport;
  return refreshRate === null ? { width, height } : { width, height, refreshRate };
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

function livePolicy({ chromePolicy }: BrowserPool, known: BrowserPoolState): PropertyMap | undefined {
  if (chromePolicy === null || Object.keys(chromePolicy).length === 0) {
    return undefined;
  }
  const live = chromePolicy as PropertyMap;
  return isDeepStrictEqual(live, known.chromePolicy) ? known.chromePolicy : live;
}

function liveTelemetry({ telemetry }: BrowserPool, known: BrowserPoolState): Telemetry | undefined {
  if (telemetry === null) {
    return undefined;
  }
  return isSameTelemetry(telemetry, known.telemetry)
    ? known.telemetry
    : Object.fromEntries(
        telemetryCategories
          .filter((category) => captures(telemetry, category) !== captures({}, category))
          .map((category) => [category, captures(telemetry, category)]),
      );
}

/** Whether two selections capture the same. No selection captures nothing. */
function isSameTelemetry(a: Telemetry | undefined, b: Telemetry | undefined): boolean {
  if (a === undefined || b === undefined) {
    return a === b;
  }
  return telemetryCategories.every((category) => captures(a, category) === captures(b, category));
}

/** The settings in which a pool is not as declared. One that is still unknown may be different. */
export function differingSettings(
  known: BrowserPoolState,
  declared: DeclaredPool,
): readonly (PoolSetting | "name")[] {
  const { telemetry } = declared;
  return (["name", ...settingNames] as const).filter((setting) =>
    setting === "telemetry" && telemetry !== unknownValue
      ? !isSameTelemetry(known.telemetry, telemetry)
      : !isDeepStrictEqual(known[setting], declared[setting]),
  );
}

/** Whether inputs that only the provider obeys are not as in the state. */
export function changesProviderInputs(known: BrowserPoolState, declared: DeclaredPool): boolean {
  return (Object.keys(ownInputs) as (keyof typeof ownInputs)[]).some(
    (input) => known[input] !== declared[input],
  );
}

/** Whether a viewport is the one that browsers have without any choice. Source: the service. */
export function isImageViewport(viewport: BrowserPoolState["viewport"]): boolean {
  return viewport?.width === 1920 && viewport.height === 1080 && (viewport.refreshRate ?? 25) === 25;
}
