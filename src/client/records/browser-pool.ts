/** What a browser pool can be given, and what the service says of one. Free of zod. */

/**
 * The settings of a browser pool. One that is left out gets the service's default in a new pool,
 * and stays as it is in an update. Null clears it, in a new pool it is the same as left out.
 */
export interface BrowserPoolSettings {
  /**
   * Name, unique within the project, by the rules for names of extensions. It can be changed, but
   * never cleared. Default in a new pool: no name.
   */
  readonly name?: string | undefined;
  /** Browsers to keep in the pool, at least 1. A new pool needs it. */
  readonly size?: number | undefined;
  /** Ids of the extensions to load, in this order: at most 20, each once. Empty: no extension. */
  readonly extensionIds?: readonly string[] | undefined;
  /** Id of the profile to load, read-only. Not together with `profileName`. */
  readonly profileId?: string | null | undefined;
  /** Name of the profile to load, read-only. Not together with `profileId`. */
  readonly profileName?: string | null | undefined;
  /** Whether an update of the profile rebuilds the idle browsers. Needs a profile. */
  readonly refreshOnProfileUpdate?: boolean | undefined;
  /** Id of the proxy to use. */
  readonly proxyId?: string | null | undefined;
  /** Chrome's enterprise policies by name, at most 5 MiB as JSON. Replaces all former ones. */
  readonly chromePolicy?: Readonly<Record<string, unknown>> | null | undefined;
  /** Size of the window in pixels, and its refresh rate in hertz. Cannot be cleared. */
  readonly viewport?:
    | { readonly width: number; readonly height: number; readonly refreshRate?: number | null | undefined }
    | undefined;
  /** Whether the browsers have no window. */
  readonly headless?: boolean | undefined;
  /** Whether the browsers hide from sites that they are automated. */
  readonly stealth?: boolean | undefined;
  /** Whether the window has neither address bar nor tabs. */
  readonly kioskMode?: boolean | undefined;
  /** URL that a new browser opens, at most 2048 bytes. */
  readonly startUrl?: string | null | undefined;
  /** Seconds of inactivity after which a leased browser is destroyed, 10 to 259200. */
  readonly timeoutSeconds?: number | undefined;
  /** Percent of the pool to fill in a minute, at least 0. The service's maximum is often 25. */
  readonly fillRatePerMinute?: number | undefined;
  /**
   * Which categories of telemetry to capture. Those left out are as in the service's default set.
   * Replaces the former selection.
   */
  readonly telemetry?: Readonly<Record<string, boolean>> | null | undefined;
}

/** Size of a browser window. */
export interface BrowserViewport {
  /** Width in pixels, at least 1. */
  readonly width: number;
  /** Height in pixels, at least 1. */
  readonly height: number;
  /** Refresh rate in hertz, at least 1. No value: the service chooses one for the size. */
  readonly refreshRate: number | null;
}

/**
 * A browser pool: browsers with the same settings that the service keeps ready. What the service
 * leaves out of the settings is its default, which it may change.
 */
export interface BrowserPool {
  /** Unique id. The service uses 24 characters of a-z and 0-9; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the project; no value when it was created without one. */
  readonly name: string | null;
  /** Browsers that the service keeps in the pool, leased ones included. */
  readonly size: number;
  /** Browsers that are ready to be acquired. */
  readonly availableCount: number;
  /** Browsers that somebody has acquired and not released: leased ones. */
  readonly acquiredCount: number;
  /** Ids of the extensions that each browser loads, in this order. */
  readonly extensionIds: readonly string[];
  /** Id of the profile that each browser loads, read-only; no value without a profile. */
  readonly profileId: string | null;
  /** Name of that profile, if the pool was given the profile by its name. */
  readonly profileName: string | null;
  /** Whether an update of the profile rebuilds the idle browsers. */
  readonly refreshOnProfileUpdate: boolean | null;
  /** Id of the proxy that each browser uses; no value without a proxy. */
  readonly proxyId: string | null;
  /** Chrome's enterprise policies for each browser, by name; no value without one. */
  readonly chromePolicy: Readonly<Record<string, unknown>> | null;
  /** Size of the browser window; no value for the service's default. */
  readonly viewport: BrowserViewport | null;
  /** Whether the browsers have no window. */
  readonly headless: boolean | null;
  /** Whether the browsers hide from sites that they are automated. */
  readonly stealth: boolean | null;
  /** Whether the window has neither address bar nor tabs. */
  readonly kioskMode: boolean | null;
  /** URL that a new browser opens; no value for an empty page. */
  readonly startUrl: string | null;
  /** Seconds of inactivity after which a leased browser is destroyed. */
  readonly timeoutSeconds: number | null;
  /** How many percent of the pool the service fills in a minute. */
  readonly fillRatePerMinute: number | null;
  /** Which categories of telemetry the browsers capture; no value without telemetry. */
  readonly telemetry: Readonly<Record<string, boolean>> | null;
  /** When it was created, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
}
