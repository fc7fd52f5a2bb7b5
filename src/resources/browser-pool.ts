import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import { getBrowserPoolOutput } from "../functions/functions.js";
import type { browserPoolState } from "../providers/browser-pool/properties.js";
import { type Find, getResource, idOf, type ResourceState } from "./lookup.js";
import { giveUndefined, importFile, isOfKind, type Noun, registration } from "./registration.js";

/** Size of a browser window. */
export interface BrowserPoolViewport {
  /** Width in pixels, at least 1. */
  readonly width: number;
  /** Height in pixels, at least 1. */
  readonly height: number;
  /** Refresh rate in hertz, at least 1. Default: the service chooses one for the size. */
  readonly refreshRate?: number | undefined;
}

/** Hosts that the browsers reach through a proxy of their own. */
export interface BrowserPoolProxyRoute {
  /** Hostnames, each perhaps with one leading `*.`. A pattern is in one route only. */
  readonly hosts: string[];
  /** Id of the proxy, which is in the pool's project. */
  readonly proxyId: string;
}

/**
 * What the browsers reach over the network. It is always changed as a whole. A list that is left
 * out is not the same as an empty one; `{}` removes all rules.
 */
export interface BrowserPoolNetwork {
  /**
   * The only hosts that pages reach, at least one: a hostname, one leading `*.` for all subdomains,
   * a public IP address (IPv6 in brackets) or a public range such as `198.41.0.0/24`. Default:
   * every host.
   */
  readonly allowedHosts?: string[] | undefined;
  /**
   * Hosts that are reached directly, through the network of the session: hostnames, and addresses
   * and ranges that are private. Empty: none. Default: all private ranges.
   */
  readonly privateHosts?: string[] | undefined;
  /** Hosts that are reached through another proxy. The most exact pattern counts. Default: none. */
  readonly proxyRoutes?: BrowserPoolProxyRoute[] | undefined;
}

/**
 * Which telemetry the browsers capture. A category that is left out is as in the service's usual
 * selection, which `{}` is. At least one category must be on.
 */
export interface BrowserPoolTelemetry {
  /** Outcomes of attempts to solve a captcha. Usually on. */
  readonly captcha?: boolean | undefined;
  /** Clients that attach and detach. Usually on. */
  readonly connection?: boolean | undefined;
  /** What the console shows, and uncaught errors. Usually off. */
  readonly console?: boolean | undefined;
  /** What an agent does with the browser. Usually on. */
  readonly control?: boolean | undefined;
  /** Clicks, keys and scrolling. Usually off. */
  readonly interaction?: boolean | undefined;
  /** Requests and responses, with the text of their bodies. Usually off. */
  readonly network?: boolean | undefined;
  /** Navigation and loading of pages. Usually off. */
  readonly page?: boolean | undefined;
  /** Calls that manage the machine: recordings, files, processes. Usually off. */
  readonly platform?: boolean | undefined;
  /** Screenshots at intervals, which are many data. Usually off. */
  readonly screenshot?: boolean | undefined;
  /** Health of the machine that the browser runs on. Usually on. */
  readonly system?: boolean | undefined;
}

/** Arguments of a {@link BrowserPool}. */
export interface BrowserPoolArgs {
  /**
   * Browsers that the service keeps in the pool, at least 1. The organization's limit of sessions
   * counts the sizes of all pools together.
   */
  readonly size: pulumi.Input<number>;
  /**
   * Name in the service, unique in its project: 1 to 255 of `A-Z a-z 0-9 . _ -`, and not 24
   * lower-case letters and digits, which is what an id looks like. Another name renames the pool in
   * place. Default: `<logical name>-<7 hexadecimal digits>`.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Its project. Another one replaces the pool. Default: the setting `browser-infra:projectId`,
   * else that of the API key.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * Where the browsers run: `us-east`, `us-west`, `eu-west` or `ap-southeast`; another one than
   * `us-east` needs a plan that allows it. Another region replaces the pool, and removing this leaves
   * it where it is. Default: the service's, which is `us-east`.
   */
  readonly region?: pulumi.Input<string | undefined>;
  /**
   * Memory of a browser: `1GiB`, `2GiB` or `4GiB` if `headless`, otherwise `8GiB` or `16GiB`.
   * Default: the service's, which is the least.
   */
  readonly memory?: pulumi.Input<string | undefined>;
  /** What the browsers reach over the network. Default: the service's, which is everything. */
  readonly network?: pulumi.Input<BrowserPoolNetwork | undefined>;
  /**
   * Ids of the extensions that each browser loads, in this order: at most 20, each once. Default:
   * no extension.
   */
  readonly extensionIds?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Id of the profile that each browser loads, read-only. Default: no profile. */
  readonly profileId?: pulumi.Input<string | undefined>;
  /** Name of the profile, instead of `profileId`. */
  readonly profileName?: pulumi.Input<string | undefined>;
  /**
   * Whether the service rebuilds idle browsers when the profile is updated. Needs a profile.
   * Default: the service's, which is `true` with a profile.
   */
  readonly refreshOnProfileUpdate?: pulumi.Input<boolean | undefined>;
  /** Id of the proxy that each browser uses. Default: no proxy. */
  readonly proxyId?: pulumi.Input<string | undefined>;
  /**
   * Chrome's enterprise policies by name, or the JSON of such an object; at most 5 MiB as JSON.
   * Compared by what they mean: order and whitespace are no change. Default: no policy.
   */
  readonly chromePolicy?: pulumi.Input<Readonly<Record<string, unknown>> | string | undefined>;
  /**
   * Size of the browser window. The service cannot go back to its own, so removing this replaces
   * the pool. Default: the service's, which is 1920x1080 at 25 Hz.
   */
  readonly viewport?: pulumi.Input<BrowserPoolViewport | undefined>;
  /** Whether the browsers have no window. Default: the service's, `false`. */
  readonly headless?: pulumi.Input<boolean | undefined>;
  /** Whether the browsers hide from sites that they are automated. Default: the service's, `false`. */
  readonly stealth?: pulumi.Input<boolean | undefined>;
  /** Whether the window has neither address bar nor tabs. Default: the service's, `false`. */
  readonly kioskMode?: pulumi.Input<boolean | undefined>;
  /**
   * URL that a new browser opens, at most 2048 bytes. The service ignores it if it cannot be
   * opened. Default: an empty page.
   */
  readonly startUrl?: pulumi.Input<string | undefined>;
  /**
   * Seconds of inactivity after which a leased browser is destroyed, 10 to 259200 (72 hours).
   * Default: the service's, which is 600 unless the organization has another.
   */
  readonly timeoutSeconds?: pulumi.Input<number | undefined>;
  /**
   * How many percent of the pool the service fills in a minute, at least 0. Most organizations have
   * a limit of 25. With 0, the service fills the pool only at first. Default: the service's, which is
   * 25 unless the organization has another.
   */
  readonly fillRatePerMinute?: pulumi.Input<number | undefined>;
  /** Which telemetry the browsers capture. Default: nothing. */
  readonly telemetry?: pulumi.Input<BrowserPoolTelemetry | undefined>;
  /** Id of the destination that telemetry is exported to. Needs `telemetry`. Default: no export. */
  readonly telemetryDestinationId?: pulumi.Input<string | undefined>;
  /** Whether the service stores telemetry. `false` needs a destination. Default: `true`. */
  readonly telemetryStorage?: pulumi.Input<boolean | undefined>;
  /** CDP methods that telemetry does not report, such as `Page.navigate`. Default: none. */
  readonly telemetryExcludedMethods?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Whether a change of what browsers start with destroys the idle ones and builds new ones at
   * once. Leased browsers keep the old settings. Default: `false`: only browsers that the pool
   * builds later have the new settings.
   */
  readonly rebuildIdleBrowsersOnUpdate?: pulumi.Input<boolean | undefined>;
  /**
   * Whether deleting the pool ends browsers that are leased. It counts as it was last deployed.
   * Default: `false`: leased browsers refuse the deletion, and the error says how many there are.
   */
  readonly forceDelete?: pulumi.Input<boolean | undefined>;
  /**
   * How many browsers must be ready before the deployment goes on, 1 to `size`. Leased ones count.
   * The row shows how many are. The longest wait is 10 minutes, plus twice the time that the fill
   * rate needs; `customTimeouts` can shorten it. Default: the deployment does not wait.
   */
  readonly waitForAvailable?: pulumi.Input<number | undefined>;
}

/** @internal What its classes know of it. */
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
  insteadOfImport: importFile("pools"),
  // Two pools at once count twice for the organization's limit, and names are unique in a project.
  deletesFirst: () => true,
} satisfies Noun<typeof browserPoolState>;

/**
 * What is known of a pool that {@link BrowserPool.get} looks up. Only `projectId` matters for
 * finding it; its default is that of {@link BrowserPoolArgs.projectId}.
 */
export type BrowserPoolState = ResourceState<BrowserPool>;

/** The outputs and the lookup of a browser pool, which are the same for both bridges. */
export abstract class BrowserPoolResource extends pulumi.CustomResource {
  /** Name in the service; undefined for an imported pool without a name. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** Project that the pool belongs to; undefined for the project of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** Browsers that the service keeps in the pool. */
  declare readonly size: pulumi.Output<number>;
  /** Where the browsers run, as declared. */
  declare readonly region: pulumi.Output<string | undefined>;
  /** Memory of a browser, as declared. */
  declare readonly memory: pulumi.Output<string | undefined>;
  /** What the browsers reach over the network, as declared. */
  declare readonly network: pulumi.Output<BrowserPoolNetwork | undefined>;
  /** Ids of the extensions that each browser loads, in this order, as declared. */
  declare readonly extensionIds: pulumi.Output<string[] | undefined>;
  /** Id of the profile; undefined without one, and where `profileName` is declared. */
  declare readonly profileId: pulumi.Output<string | undefined>;
  /** Name of the profile, where it is declared; otherwise undefined. */
  declare readonly profileName: pulumi.Output<string | undefined>;
  /** Whether an update of the profile rebuilds idle browsers, as declared. */
  declare readonly refreshOnProfileUpdate: pulumi.Output<boolean | undefined>;
  /** Id of the proxy; undefined without one. */
  declare readonly proxyId: pulumi.Output<string | undefined>;
  /** Chrome's enterprise policies by name; undefined without one. */
  declare readonly chromePolicy: pulumi.Output<Readonly<Record<string, unknown>> | undefined>;
  /** Size of the browser window as declared; undefined for the service's own. */
  declare readonly viewport: pulumi.Output<BrowserPoolViewport | undefined>;
  /** Whether the browsers have no window, as declared. */
  declare readonly headless: pulumi.Output<boolean | undefined>;
  /** Whether the browsers hide from sites that they are automated, as declared. */
  declare readonly stealth: pulumi.Output<boolean | undefined>;
  /** Whether the window has neither address bar nor tabs, as declared. */
  declare readonly kioskMode: pulumi.Output<boolean | undefined>;
  /** URL that a new browser opens; undefined for an empty page. */
  declare readonly startUrl: pulumi.Output<string | undefined>;
  /** Seconds of inactivity after which a leased browser is destroyed, as declared. */
  declare readonly timeoutSeconds: pulumi.Output<number | undefined>;
  /** How many percent of the pool the service fills in a minute, as declared. */
  declare readonly fillRatePerMinute: pulumi.Output<number | undefined>;
  /** Which telemetry the browsers capture, as declared. */
  declare readonly telemetry: pulumi.Output<BrowserPoolTelemetry | undefined>;
  /** Id of the destination that telemetry is exported to, as declared. */
  declare readonly telemetryDestinationId: pulumi.Output<string | undefined>;
  /** Whether the service stores telemetry, as declared. */
  declare readonly telemetryStorage: pulumi.Output<boolean | undefined>;
  /** CDP methods that telemetry does not report, as declared. */
  declare readonly telemetryExcludedMethods: pulumi.Output<string[] | undefined>;
  /** When the pool was created, ISO 8601; undefined if the service's value is not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /** @internal How one is found by its name. */
  declare protected static readonly find: Find;

  /**
   * Looks up a pool that this program does not manage. `id`: its id or its exact name. `state`: its
   * `projectId`, if it is not in the project of the settings.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: BrowserPoolState,
    opts?: pulumi.CustomResourceOptions,
  ): BrowserPool {
    const found = idOf(this.find, id, state, opts);
    return getResource<BrowserPoolArgs, BrowserPool>(this, name, found, state, opts);
  }

  /** Whether `value` is a BrowserPool, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is BrowserPool {
    return isOfKind("BrowserPool", value);
  }
}

/**
 * A pool of browsers with the same settings, which the service keeps ready. Changed in place:
 * browsers that the pool builds from then on have the new settings.
 *
 * A setting that is left out is the service's, or whoever sets it: it is no output and no drift, and
 * a pool that takes the place of this one keeps it. One that is removed from the program goes back
 * to the documented default.
 *
 * How many browsers are ready or leased is no output, as it changes all the time: `getBrowserPool`
 * tells.
 */
export class BrowserPool extends BrowserPoolResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("BrowserPool");
  /** @internal */
  protected static override readonly find = getBrowserPoolOutput;

  constructor(name: string, args: BrowserPoolArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, browserPool, name, args, opts));
    giveUndefined(this);
  }
}
