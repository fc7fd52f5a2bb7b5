/** What a browser pool can be given, and what the service says of one. Free of zod. */

/**
 * What the browsers of a pool reach over the network. A member that is left out is not the same as
 * an empty list.
 */
export interface BrowserNetwork {
  /**
   * The only hosts that pages reach: a hostname, one leading `*.` for all subdomains, a public IP
   * address (IPv6 in brackets) or a public CIDR. Left out: every host. Never empty.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Hosts that are reached directly, through the network of the session. Left out: the private
   * ranges. Empty: none.
   */
  readonly privateHosts?: readonly string[] | undefined;
  /** Hosts that are reached through another proxy. The most exact pattern counts. */
  readonly proxyRoutes?: readonly BrowserProxyRoute[] | undefined;
}

/** Hosts that the browsers of a pool reach through a proxy of their own. */
export interface BrowserProxyRoute {
  /** Hostnames, each perhaps with one leading `*.`. A pattern is in one route only. */
  readonly hosts: readonly string[];
  /** Id of the proxy, which is in the pool's project. */
  readonly proxyId: string;
}

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
  /**
   * Where its browsers run: `us-east`, `us-west`, `eu-west` or `ap-southeast`. Only in a new pool.
   * Default: `us-east`. Another one needs a plan that allows it.
   */
  readonly region?: string | undefined;
  /**
   * Memory of a browser: `1GiB`, `2GiB` or `4GiB` if the browsers are headless, otherwise `8GiB` or
   * `16GiB`. Default in a new pool: the least.
   */
  readonly memory?: string | undefined;
  /** What the browsers reach over the network. Replaces all of it. */
  readonly network?: BrowserNetwork | null | undefined;
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
  /** Id of the destination that telemetry is exported to. Needs telemetry. */
  readonly telemetryDestinationId?: string | null | undefined;
  /** Whether the service stores telemetry. False needs a destination. Default in a new pool: true. */
  readonly telemetryStorage?: boolean | undefined;
  /** CDP methods that telemetry does not report, such as `Page.navigate`. Replaces all former ones. */
  readonly telemetryExcludedMethods?: readonly string[] | undefined;
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
  /** Where its browsers run, such as `us-east`. */
  readonly region: string | null;
  /** Memory of each browser, such as `8GiB`. */
  readonly memory: string | null;
  /** What its browsers reach over the network; no value without a rule. */
  readonly network: BrowserNetwork | null;
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
  /** Id of the destination that telemetry is exported to; no value without an export. */
  readonly telemetryDestinationId: string | null;
  /** Whether the service stores telemetry. */
  readonly telemetryStorage: boolean | null;
  /** CDP methods that telemetry does not report. */
  readonly telemetryExcludedMethods: readonly string[];
  /** Settings in the answer that this version of the package does not know, such as `network.dns`. */
  readonly unknownSettings: readonly string[];
  /** When it was created, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
}
