import { InputError } from "../../errors.js";

/** An extension or a profile by id or by name. */
export interface Selector {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** Size of a browser window in pixels, and its refresh rate in hertz. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly refreshRate: number;
}

/** What all browsers of a pool have in common, and how the pool is filled. */
export interface PoolSettings {
  readonly size: number;
  /** How many percent of the pool are built in a minute. */
  readonly fillRatePerMinute: number;
  /** Seconds after which a leased browser is destroyed. */
  readonly timeoutSeconds: number;
  readonly stealth: boolean;
  readonly headless: boolean;
  readonly kioskMode: boolean;
  /** As it was given; null without a profile. */
  readonly profile: Selector | null;
  readonly refreshOnProfileUpdate: boolean;
  /** As they were given, in this order. */
  readonly extensions: readonly Selector[];
  readonly proxyId: string | null;
  readonly viewport: Viewport | null;
  /** Shown as it came. */
  readonly chromePolicy: Readonly<Record<string, unknown>> | null;
  readonly startUrl: string | null;
  /** Which categories are captured; null without telemetry. */
  readonly telemetry: Readonly<Record<string, boolean>> | null;
}

/** What a request asks of telemetry. */
export interface TelemetryChange {
  readonly enabled?: boolean | undefined;
  readonly browser?: Readonly<Record<string, boolean>> | undefined;
}

/**
 * Settings to change. Those that are undefined stay. An empty string clears an id, a name or a URL,
 * an empty object the policy.
 */
export type SettingChanges = {
  readonly [K in Exclude<keyof PoolSettings, "profile" | "proxyId" | "viewport" | "telemetry">]?:
    | PoolSettings[K]
    | undefined;
} & {
  readonly profile?: Selector | undefined;
  readonly proxyId?: string | undefined;
  readonly viewport?:
    | (Omit<Viewport, "refreshRate"> & { readonly refreshRate?: number | undefined })
    | undefined;
  readonly telemetry?: TelemetryChange | null | undefined;
};

/** Settings of a pool that says only its size. Source: the published interface. */
const defaultSettings: Omit<PoolSettings, "size"> = {
  fillRatePerMinute: 25,
  timeoutSeconds: 600,
  stealth: false,
  headless: false,
  kioskMode: false,
  profile: null,
  refreshOnProfileUpdate: false,
  extensions: [],
  proxyId: null,
  viewport: null,
  chromePolicy: null,
  startUrl: null,
  telemetry: null,
};

/** Which categories are captured unless a request says otherwise. Source: published interface. */
const defaultCategories: Readonly<Record<string, boolean>> = {
  control: true,
  connection: true,
  system: true,
  captcha: true,
  console: false,
  network: false,
  page: false,
  interaction: false,
  screenshot: false,
};

/** The known categories of telemetry. */
export const telemetryCategories: readonly string[] = Object.keys(defaultCategories);

/** Largest policy, in bytes of its JSON: 5 MiB. Source: the published interface. */
const chromePolicyBytesMax = 5_242_880;

/** Policies that the service manages. That there are some is published; which is a guess. */
const managedPolicies = /^(Extension|Proxy|RemoteDebugging)/;

/** Settings of a new pool. Throws `InputError` `browser_pool_invalid`. */
export function newSettings({ size, ...changes }: SettingChanges & { readonly size: number }): PoolSettings {
  return changedSettings({ ...defaultSettings, size }, changes);
}

/**
 * Settings after a change. Throws `InputError` `browser_pool_invalid` for what single members
 * cannot tell. Source of the rules: the published interface.
 */
export function changedSettings(before: PoolSettings, changes: SettingChanges): PoolSettings {
  const { profile: newProfile, refreshOnProfileUpdate, proxyId, startUrl, chromePolicy, viewport } = changes;
  const profile = newProfile === undefined ? before.profile : selected(newProfile);
  const isOther = profile?.id !== before.profile?.id || profile?.name !== before.profile?.name;
  if (refreshOnProfileUpdate === true && profile === null) {
    throw invalid("refresh_on_profile_update", "needs a profile on the pool");
  }
  return {
    ...before,
    ...given(changes, ["size", "fillRatePerMinute", "timeoutSeconds", "stealth", "headless", "kioskMode"]),
    ...given(changes, ["extensions"]),
    profile,
    refreshOnProfileUpdate:
      profile !== null && (refreshOnProfileUpdate ?? (isOther ? true : before.refreshOnProfileUpdate)),
    proxyId: proxyId === undefined ? before.proxyId : proxyId || null,
    startUrl: startUrl === undefined ? before.startUrl : startUrl || null,
    chromePolicy: chromePolicy === undefined ? before.chromePolicy : checkedPolicy(chromePolicy ?? {}),
    viewport:
      viewport === undefined
        ? before.viewport
        : { refreshRate: refreshRateFor(viewport), ...defined(viewport) },
    telemetry: changes.telemetry ? changedTelemetry(before.telemetry, changes.telemetry) : before.telemetry,
  };
}

/** A selector of exactly one; null when it clears the selection. */
function selected({ id, name }: Selector): Selector | null {
  if (id !== undefined && name !== undefined) {
    throw invalid("profile", "has both id and name; give one of them");
  }
  if (id === undefined && name === undefined) {
    throw invalid("profile", "has neither id nor name; give one of them");
  }
  return id || name ? { ...(id && { id }), ...(name && { name }) } : null;
}

function checkedPolicy(policy: Readonly<Record<string, unknown>>) {
  const managed = Object.keys(policy).find((name) => managedPolicies.test(name));
  if (managed !== undefined) {
    throw invalid("chrome_policy", `has ${managed}, which the service manages`);
  }
  if (Buffer.byteLength(JSON.stringify(policy)) > chromePolicyBytesMax) {
    throw invalid("chrome_policy", `is larger than 5 MiB (${chromePolicyBytesMax} bytes) as JSON`);
  }
  return Object.keys(policy).length > 0 ? policy : null;
}

/** The service chooses lower rates for larger windows. The rates follow its published presets. */
function refreshRateFor({ width, height }: Omit<Viewport, "refreshRate">): number {
  const pixels = width * height;
  return pixels <= 1_024_000 ? 60 : pixels <= 2_304_000 ? 25 : 10;
}

function changedTelemetry(before: PoolSettings["telemetry"], { enabled, browser }: TelemetryChange) {
  if (enabled === false && browser !== undefined && Object.keys(browser).length > 0) {
    throw invalid("telemetry", "is disabled and has categories; give one of them");
  }
  if (enabled === undefined && Object.keys(browser ?? {}).length === 0) {
    return before;
  }
  const base = enabled === true ? defaultCategories : (before ?? defaultCategories);
  const after = { ...base, ...browser };
  return enabled === false || Object.values(after).every((captured) => !captured) ? null : after;
}

/** The members of these names that have a value. */
function given<T extends object, K extends keyof T>(
  values: T,
  names: readonly K[],
): { [Name in K]: Exclude<T[Name], undefined> } {
  const present = names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]);
  return Object.fromEntries(present);
}

function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return given(value, Object.keys(value) as (keyof T)[]);
}

function invalid(property: string, problem: string): InputError {
  return new InputError("browser_pool_invalid", property, `${property} ${problem}.`);
}
