import type { Selector, Viewport } from "./setting-rules.js";

// Types that the published ones of the emulator name: this file imports no zod.

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

/**
 * Settings to change. Those that are undefined stay. An empty string clears an id, a name or a URL,
 * an empty object the policy.
 */
export type SettingChanges = {
  readonly [K in Exclude<keyof PoolSettings, "viewport" | "telemetry">]?:
    | NonNullable<PoolSettings[K]>
    | undefined;
} & {
  readonly viewport?:
    | (Omit<Viewport, "refreshRate"> & { readonly refreshRate?: number | undefined })
    | undefined;
  readonly telemetry?: TelemetryChange | undefined;
};

/** What a request asks of telemetry. */
export interface TelemetryChange {
  readonly enabled?: boolean | undefined;
  readonly browser?: Readonly<Record<string, boolean>> | undefined;
}

/** A browser pool as the emulator holds it. */
export interface BrowserPool {
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project; null when it was created without one. */
  readonly name: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  readonly settings: PoolSettings;
  /** The extensions of `settings`, resolved when they were set. */
  readonly extensionIds: readonly string[];
  /** Since when the next browser is being built, in milliseconds since 1970. */
  readonly buildingMs: number;
}

/** What somebody who has acquired a browser gave it, for this lease only. */
export interface Lease {
  readonly name: string | null;
  readonly startUrl: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
  /** When it was acquired, in milliseconds since 1970. */
  readonly acquiredMs: number;
}

/** A browser of a pool: a record only. */
export interface PoolBrowser {
  /** Id of its session. */
  readonly id: string;
  readonly poolId: string;
  /** Settings of the pool when it was built. */
  readonly settings: PoolSettings;
  readonly builtMs: number;
  /** Null while it is idle. */
  readonly lease: Lease | null;
  /** When it is destroyed unless it is released, in milliseconds since 1970; null while idle. */
  readonly expiresMs: number | null;
}
