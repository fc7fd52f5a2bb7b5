import * as pulumi from "@pulumi/pulumi";
import type { browserPoolState } from "../../providers/browsers/browser-pool/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Size of a browser window. */
export interface BrowserPoolViewport {
  /** Width in pixels, at least 1. */
  readonly width: number;
  /** Height in pixels, at least 1. */
  readonly height: number;
  /** Refresh rate in hertz, at least 1. Default: chosen by the service for the size. */
  readonly refreshRate?: number | undefined;
}

/** Hosts that the browsers reach through a separate proxy. */
export interface BrowserPoolProxyRoute {
  /** Hostnames, optionally with a leading `*.`. Routes must not share a pattern. */
  readonly hosts: string[];
  /** Id of a proxy in the project of the pool. */
  readonly proxyId: string;
}

/**
 * Network access of the browsers. Always changed as a whole. An undeclared list differs from an
 * empty list; `{}` removes all rules.
 */
export interface BrowserPoolNetwork {
  /**
   * Allowed hosts of pages, at least one entry: a hostname, one leading `*.` for all subdomains, a
   * public IP address (IPv6 in brackets) or a public range such as `198.41.0.0/24`. Default: every
   * host.
   */
  readonly allowedHosts?: string[] | undefined;
  /**
   * Hosts reached directly, through the network of the session: hostnames, and private addresses
   * and ranges. Empty: none. Default: all private ranges.
   */
  readonly privateHosts?: string[] | undefined;
  /** Hosts reached through a separate proxy. The most exact pattern counts. Default: none. */
  readonly proxyRoutes?: BrowserPoolProxyRoute[] | undefined;
}

/**
 * Telemetry categories of the browsers. Undeclared categories are as in the usual selection of the
 * service; `{}` is the usual selection. At least one category must be on.
 */
export interface BrowserTelemetry {
  /** Outcomes of attempts to solve a captcha. Usually on. */
  readonly captcha?: boolean | undefined;
  /** Clients that attach and detach. Usually on. */
  readonly connection?: boolean | undefined;
  /** Console messages and uncaught errors. Usually off. */
  readonly console?: boolean | undefined;
  /** Actions of an agent in the browser. Usually on. */
  readonly control?: boolean | undefined;
  /** Clicks, keys and scrolling. Usually off. */
  readonly interaction?: boolean | undefined;
  /** Requests and responses, with the text of the bodies. Usually off. */
  readonly network?: boolean | undefined;
  /** Navigation and loading of pages. Usually off. */
  readonly page?: boolean | undefined;
  /** Calls that manage the machine: recordings, files, processes. Usually off. */
  readonly platform?: boolean | undefined;
  /** Screenshots at intervals, a lot of data. Usually off. */
  readonly screenshot?: boolean | undefined;
  /** Health of the browser's machine. Usually on. */
  readonly system?: boolean | undefined;
}

/** Arguments of a {@link BrowserPool}. */
export interface BrowserPoolArgs {
  /**
   * Number of browsers in the pool, at least 1. The sizes of all pools together count for the
   * organization's limit of sessions.
   *
   * @example 3
   */
  readonly size: pulumi.Input<number>;
  /**
   * Name in the service, unique in the project: 1 to 255 of `A-Z a-z 0-9 . _ -`, but not 24
   * lower-case letters and digits, the form of an id. A change renames the pool in place. Default:
   * `<logical name>-<7 hexadecimal digits>`.
   *
   * @example "agents"
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Id or name of an existing pool to manage instead of creating a pool; needs `name`. The deployment
   * changes the pool to what is declared, and fails if no change leads there. From then on, the pool
   * belongs to this resource. Counts only when the resource is created, so `adopt` may stay in the
   * program. A preview shows the pool. Default: a new pool.
   *
   * @example "agents"
   */
  readonly adopt?: pulumi.Input<string | undefined>;
  /**
   * Project id. A change replaces the pool. Default: the setting `browser-infra:projectId`, else
   * the project of the API key.
   *
   * @example project.id
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * Region of the browsers: `us-east`, `us-west`, `eu-west` or `ap-southeast`; all except `us-east`
   * require a suitable plan. A new region replaces the pool; removing this input keeps the current
   * region. Default of the service: `us-east`.
   */
  readonly region?: pulumi.Input<string | undefined>;
  /**
   * Memory of a browser: `1GiB`, `2GiB` or `4GiB` if `headless`, otherwise `8GiB` or `16GiB`.
   * Default of the service: the smallest size.
   */
  readonly memory?: pulumi.Input<string | undefined>;
  /**
   * Network access of the browsers. Default of the service: everything.
   *
   * @example { allowedHosts: ["shop.example", "*.shop.example"] }
   */
  readonly network?: pulumi.Input<BrowserPoolNetwork | undefined>;
  /**
   * Ids of the extensions that every browser loads, in this order: at most 20, without duplicates.
   * Default: no extension.
   *
   * @example [reader.id]
   */
  readonly extensionIds?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Id of the profile that every browser loads, read-only. Default: no profile.
   *
   * @example profile.id
   */
  readonly profileId?: pulumi.Input<string | undefined>;
  /**
   * Name of the profile, instead of `profileId`.
   *
   * @example "shop-buyer"
   */
  readonly profileName?: pulumi.Input<string | undefined>;
  /**
   * Whether the service rebuilds idle browsers when the profile is updated. Requires a profile.
   * Default of the service: `true` with a profile.
   */
  readonly refreshOnProfileUpdate?: pulumi.Input<boolean | undefined>;
  /**
   * Id of the proxy for all browsers. Default: no proxy.
   *
   * @example proxy.id
   */
  readonly proxyId?: pulumi.Input<string | undefined>;
  /**
   * Chrome's enterprise policies by name, or the JSON of such an object; at most 5 MiB as JSON.
   * Order and whitespace are no change. Default: no policy.
   *
   * @example { DownloadRestrictions: 3 }
   */
  readonly chromePolicy?: pulumi.Input<Readonly<Record<string, unknown>> | string | undefined>;
  /**
   * Size of the browser window. Removing this input replaces the pool, because the service cannot
   * reset the size. Default of the service: 1920x1080 at 25 Hz.
   *
   * @example { width: 1280, height: 800 }
   */
  readonly viewport?: pulumi.Input<BrowserPoolViewport | undefined>;
  /** Whether the browsers have no window. Default of the service: `false`. */
  readonly headless?: pulumi.Input<boolean | undefined>;
  /** Whether the browsers hide their automation from sites. Default of the service: `false`. */
  readonly stealth?: pulumi.Input<boolean | undefined>;
  /** Whether the window has neither address bar nor tabs. Default of the service: `false`. */
  readonly kioskMode?: pulumi.Input<boolean | undefined>;
  /**
   * First URL of a new browser, at most 2048 bytes, without a user name and a password. The service
   * ignores a URL that cannot be opened. Default: an empty page.
   *
   * @example "https://shop.example"
   */
  readonly startUrl?: pulumi.Input<string | undefined>;
  /**
   * Seconds of inactivity after which a leased browser is destroyed, 10 to 259200 (72 hours).
   * Default of the service: 600, unless the organization has its own default.
   *
   * @example 1800
   */
  readonly timeoutSeconds?: pulumi.Input<number | undefined>;
  /**
   * Percentage of the pool filled per minute, at least 0. Most organizations have a limit of 25.
   * With 0, the service fills the pool only at first. Default of the service: 25, unless the
   * organization has its own default.
   *
   * @example 10
   */
  readonly fillRatePerMinute?: pulumi.Input<number | undefined>;
  /**
   * Telemetry categories of the browsers. Default: no telemetry.
   *
   * @example { console: true, network: true }
   */
  readonly telemetry?: pulumi.Input<BrowserTelemetry | undefined>;
  /**
   * Id of the `TelemetryDestination` of the export. Requires `telemetry`. Default: no export.
   *
   * @example destination.id
   */
  readonly telemetryDestinationId?: pulumi.Input<string | undefined>;
  /** Whether the service stores telemetry. `false` requires a destination. Default: `true`. */
  readonly telemetryStorage?: pulumi.Input<boolean | undefined>;
  /** CDP methods excluded from telemetry, such as `Page.navigate`. Default: none. */
  readonly telemetryExcludedMethods?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Whether an update rebuilds the idle browsers at once. Only for settings that take effect when a
   * browser starts, such as `viewport`, not `name` or `size`. Leased browsers keep the old settings.
   * Default: `false`: only browsers built later get the new settings.
   */
  readonly rebuildIdleBrowsersOnUpdate?: pulumi.Input<boolean | undefined>;
  /**
   * Whether deleting the pool ends leased browsers. The last deployed value counts. Default:
   * `false`: leased browsers prevent the deletion, and the error contains their number.
   */
  readonly forceDelete?: pulumi.Input<boolean | undefined>;
  /**
   * Number of browsers that must be ready before the deployment continues, 1 to `size`. Leased
   * browsers count. The row shows the current number. Longest wait: 10 minutes plus twice the time
   * required by the fill rate, or a shorter `customTimeouts`. Default: no wait.
   *
   * @example 1
   */
  readonly waitForAvailable?: pulumi.Input<number | undefined>;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const browserPool = {
  kind: "BrowserPool",
  outputs: {
    name: true,
    projectId: true,
    size: true,
    region: true,
    memory: true,
    network: true,
    extensionIds: true,
    profileId: true,
    profileName: true,
    refreshOnProfileUpdate: true,
    proxyId: true,
    chromePolicy: true,
    viewport: true,
    headless: true,
    stealth: true,
    kioskMode: true,
    startUrl: true,
    timeoutSeconds: true,
    fillRatePerMinute: true,
    telemetry: true,
    telemetryDestinationId: true,
    telemetryStorage: true,
    telemetryExcludedMethods: true,
    createdAt: true,
  },
  importAdvice: { group: "pools" },
  find: (functions) => functions.getBrowserPoolOutput,
  // Two pools at once count twice for the organization's limit, and names are unique in a project.
  deletesFirst: () => true,
} satisfies ResourceDeclaration<typeof browserPoolState>;

/**
 * State for {@link BrowserPool.get}. The lookup uses only `projectId`, with the default of
 * {@link BrowserPoolArgs.projectId}.
 */
export type BrowserPoolState = ResourceState<BrowserPool>;

/** Outputs (declared settings) and lookup (all settings) of a browser pool, shared by both bridges. */
export abstract class BrowserPoolResource extends pulumi.CustomResource {
  /** Name in the service; undefined for an imported pool without a name. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** Project id; undefined for the project of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** Number of browsers in the pool. */
  declare readonly size: pulumi.Output<number>;
  /** Region of the browsers, as declared. */
  declare readonly region: pulumi.Output<string | undefined>;
  /** Memory of a browser, as declared. */
  declare readonly memory: pulumi.Output<string | undefined>;
  /** Network access of the browsers, as declared. */
  declare readonly network: pulumi.Output<BrowserPoolNetwork | undefined>;
  /** Ids of the extensions that every browser loads, in this order, as declared. */
  declare readonly extensionIds: pulumi.Output<string[] | undefined>;
  /** Id of the profile, as declared; undefined if undeclared, or if `profileName` is declared. */
  declare readonly profileId: pulumi.Output<string | undefined>;
  /** Name of the profile, if declared; otherwise undefined. */
  declare readonly profileName: pulumi.Output<string | undefined>;
  /** Whether an update of the profile rebuilds idle browsers, as declared. */
  declare readonly refreshOnProfileUpdate: pulumi.Output<boolean | undefined>;
  /** Id of the proxy, as declared; undefined if undeclared. */
  declare readonly proxyId: pulumi.Output<string | undefined>;
  /** Chrome's enterprise policies by name, as declared; undefined if undeclared. */
  declare readonly chromePolicy: pulumi.Output<Readonly<Record<string, unknown>> | undefined>;
  /** Size of the browser window, as declared; undefined for the default of the service. */
  declare readonly viewport: pulumi.Output<BrowserPoolViewport | undefined>;
  /** Whether the browsers have no window, as declared. */
  declare readonly headless: pulumi.Output<boolean | undefined>;
  /** Whether the browsers hide their automation from sites, as declared. */
  declare readonly stealth: pulumi.Output<boolean | undefined>;
  /** Whether the window has neither address bar nor tabs, as declared. */
  declare readonly kioskMode: pulumi.Output<boolean | undefined>;
  /** First URL of a new browser, as declared; undefined if undeclared. */
  declare readonly startUrl: pulumi.Output<string | undefined>;
  /** Seconds of inactivity after which a leased browser is destroyed, as declared. */
  declare readonly timeoutSeconds: pulumi.Output<number | undefined>;
  /** Percentage of the pool filled per minute, as declared. */
  declare readonly fillRatePerMinute: pulumi.Output<number | undefined>;
  /** Telemetry categories of the browsers, as declared. */
  declare readonly telemetry: pulumi.Output<BrowserTelemetry | undefined>;
  /** Id of the destination of the telemetry export, as declared. */
  declare readonly telemetryDestinationId: pulumi.Output<string | undefined>;
  /** Whether the service stores telemetry, as declared. */
  declare readonly telemetryStorage: pulumi.Output<boolean | undefined>;
  /** CDP methods excluded from telemetry, as declared. */
  declare readonly telemetryExcludedMethods: pulumi.Output<string[] | undefined>;
  /** Creation time, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /**
   * Looks up a pool that this program does not manage. `id`: id or exact name. `state`:
   * `projectId`, if the pool is not in the project of the settings.
   */
  static get(...args: GetArguments<BrowserPoolState>): BrowserPool {
    return getResource<BrowserPool>(this, ...args);
  }

  /** Whether `value` is a BrowserPool, from any copy of the package. */
  static override isInstance(value: unknown): value is BrowserPool {
    return isOfKind("BrowserPool", value);
  }
}

/**
 * A pool of browsers with the same settings, kept ready by the service. Changed in place: browsers
 * built after a change have the new settings.
 *
 * Undeclared settings are chosen by the service or by other users. Undeclared settings are neither
 * outputs nor drift. A replacement pool has the declared settings alone: the preview names the
 * undeclared settings of the old pool. A setting removed from the program returns to the documented
 * default.
 *
 * The numbers of ready and leased browsers change all the time, so they are not outputs. Use
 * `getBrowserPool`.
 */
export class BrowserPool extends BrowserPoolResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("BrowserPool");

  constructor(name: string, args: BrowserPoolArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, browserPool, name, args, opts));
    nullsToUndefined(this);
  }
}
