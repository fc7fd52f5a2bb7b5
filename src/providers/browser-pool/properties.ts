import { isDeepStrictEqual } from "node:util";
import type { BrowserPool } from "../../client/index.js";
import {
  boolean,
  type DeclaredOf,
  integer,
  isPropertyMap,
  listOf,
  object,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  type PropertyType,
  string,
  unknownValue,
} from "../properties.js";

/** Chrome's enterprise policies by name. Any plain data, compared by what it means. */
const policy: PropertyType<PropertyMap> = {
  schema: {},
  read: (value) => (isPropertyMap(value) ? value : undefined),
};

/**
 * The categories of telemetry, and which of them the service captures unless told otherwise.
 * Source: its interface description.
 */
export const telemetryDefaults = {
  captcha: true,
  connection: true,
  console: false,
  control: true,
  interaction: false,
  network: false,
  page: false,
  screenshot: false,
  system: true,
} as const;
type TelemetryCategory = keyof typeof telemetryDefaults;
type Telemetry = Readonly<Partial<Record<TelemetryCategory, boolean | undefined>>>;
export const telemetryCategories = Object.keys(telemetryDefaults) as TelemetryCategory[];

/** What a pool's browsers are like. The service changes each of these in place, unless said. */
export const poolSettings = {
  size: { ...integer, isRequired: true },
  extensionIds: listOf(string),
  profileId: string,
  profileName: string,
  refreshOnProfileUpdate: boolean,
  proxyId: string,
  chromePolicy: policy,
  /** The service can change it, but not go back to its own. */
  viewport: object({ width: integer, height: integer, refreshRate: integer }),
  headless: boolean,
  stealth: boolean,
  kioskMode: boolean,
  startUrl: string,
  timeoutSeconds: integer,
  fillRatePerMinute: integer,
  telemetry: object({
    captcha: boolean,
    connection: boolean,
    console: boolean,
    control: boolean,
    interaction: boolean,
    network: boolean,
    page: boolean,
    screenshot: boolean,
    system: boolean,
  }),
} as const;
export type PoolSetting = keyof typeof poolSettings;
const settingNames = Object.keys(poolSettings) as PoolSetting[];

/** What only the provider obeys. */
const ownInputs = {
  rebuildIdleBrowsersOnUpdate: { ...boolean, isInternal: true },
  forceDelete: { ...boolean, isInternal: true },
  waitForAvailable: { ...integer, isInternal: true },
} as const;

/** The inputs of a BrowserPool. */
export const browserPoolInputs = new Properties({
  name: string,
  projectId: { ...string, replaces: true },
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
  createdAt: string,
  /** The service's own viewport, for a pool that declares none. */
  serviceViewport: { ...poolSettings.viewport, isInternal: true },
  /** Why the pool is not as declared: the next diff must see it, though inputs are equal. */
  unfinished: { ...string, isInternal: true },
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
 * What the service says of a pool, in the words of `known`, what is declared or in the state. What
 * the service adds by itself to what is declared is left out, so it is neither a difference nor a
 * drift.
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
        telemetryCategories.flatMap((category) => {
          const captures = telemetry[category];
          return captures === undefined || captures === telemetryDefaults[category]
            ? []
            : [[category, captures]];
        }),
      );
}

/** Whether two selections capture the same. No selection captures nothing. */
function isSameTelemetry(a: Telemetry | undefined, b: Telemetry | undefined): boolean {
  if (a === undefined || b === undefined) {
    return a === b;
  }
  return telemetryCategories.every(
    (category) =>
      (a[category] ?? telemetryDefaults[category]) === (b[category] ?? telemetryDefaults[category]),
  );
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
