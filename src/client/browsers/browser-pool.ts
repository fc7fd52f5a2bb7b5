import { z } from "zod";
import { camelCased, dateTime, ifReadable, orNull, recordId } from "../schema.js";

/** Network access of the browsers of a pool. An omitted member differs from an empty list. */
export interface BrowserNetwork {
  /**
   * The only hosts that pages reach: a hostname, a leading `*.` for all subdomains, a public IP
   * address (IPv6 in brackets) or a public CIDR. Omitted: every host. Never empty.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Hosts reached directly, through the network of the session. Omitted: the private ranges. Empty:
   * none.
   */
  readonly privateHosts?: readonly string[] | undefined;
  /** Hosts reached through separate proxies. The most exact pattern counts. */
  readonly proxyRoutes?: readonly BrowserProxyRoute[] | undefined;
}

/** Hosts that the browsers of a pool reach through a separate proxy. */
export interface BrowserProxyRoute {
  /** Hostnames, with an optional leading `*.`. A pattern may occur in a single route only. */
  readonly hosts: readonly string[];
  /** Id of the proxy, in the pool's project. */
  readonly proxyId: string;
}

/**
 * Settings of a browser pool. An omitted setting gets the service's default in a new pool, and
 * stays unchanged in an update. Null clears a setting; in a new pool, null means omitted.
 */
export interface BrowserPoolSettings {
  /**
   * Name, unique within the project, by the rules for names of extensions. Can be changed, but
   * never cleared. Default in a new pool: no name.
   */
  readonly name?: string | undefined;
  /** Browsers to keep in the pool, at least 1. Required in a new pool. */
  readonly size?: number | undefined;
  /**
   * Region of the browsers: `us-east`, `us-west`, `eu-west` or `ap-southeast`. Only in a new pool.
   * Default: `us-east`. Regions except `us-east` require a suitable plan.
   */
  readonly region?: string | undefined;
  /**
   * Memory of a browser: `1GiB`, `2GiB` or `4GiB` if the browsers are headless, otherwise `8GiB` or
   * `16GiB`. Default in a new pool: the least.
   */
  readonly memory?: string | undefined;
  /** Network access of the browsers. Replaces all previous rules. */
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
  /** Chrome's enterprise policies by name, at most 5 MiB as JSON. Replaces all earlier policies. */
  readonly chromePolicy?: Readonly<Record<string, unknown>> | null | undefined;
  /** Size of the window in pixels, and refresh rate in hertz. Cannot be cleared. */
  readonly viewport?:
    | { readonly width: number; readonly height: number; readonly refreshRate?: number | null | undefined }
    | undefined;
  /** Whether the browsers have no window. */
  readonly headless?: boolean | undefined;
  /** Whether the browsers hide their automation from sites. */
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
   * Categories of telemetry to capture. Omitted categories follow the service's default set.
   * Replaces the previous selection.
   */
  readonly telemetry?: Readonly<Record<string, boolean>> | null | undefined;
  /** Id of the destination for exported telemetry. Needs telemetry. */
  readonly telemetryDestinationId?: string | null | undefined;
  /** Whether the service stores telemetry. False needs a destination. Default in a new pool: true. */
  readonly telemetryStorage?: boolean | undefined;
  /** CDP methods excluded from telemetry, such as `Page.navigate`. Replaces all earlier methods. */
  readonly telemetryExcludedMethods?: readonly string[] | undefined;
}

/** Size of a browser window. */
export interface BrowserViewport {
  /** Width in pixels, at least 1. */
  readonly width: number;
  /** Height in pixels, at least 1. */
  readonly height: number;
  /** Refresh rate in hertz, at least 1. No value: the service chooses a rate for the size. */
  readonly refreshRate: number | null;
}

/**
 * A browser pool: browsers with the same settings, kept ready by the service. A setting omitted by
 * the service has the service's default, which may change.
 */
export interface BrowserPool {
  /** Unique id. The service uses 24 characters of a-z and 0-9; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the project; no value for a pool created without a name. */
  readonly name: string | null;
  /** Browsers that the service keeps in the pool, leased ones included. */
  readonly size: number;
  /** Region of the browsers, such as `us-east`. */
  readonly region: string | null;
  /** Memory of a browser, such as `8GiB`. */
  readonly memory: string | null;
  /** Network access of the browsers; no value without a rule. */
  readonly network: BrowserNetwork | null;
  /** Browsers ready to be acquired. */
  readonly availableCount: number;
  /** Leased browsers: acquired by somebody and not released. */
  readonly acquiredCount: number;
  /** Ids of the extensions loaded by every browser, in load order. */
  readonly extensionIds: readonly string[];
  /** Id of the profile loaded by every browser, read-only; no value without a profile. */
  readonly profileId: string | null;
  /** Name of the profile, if the pool was given the profile by name. */
  readonly profileName: string | null;
  /** Whether an update of the profile rebuilds the idle browsers. */
  readonly refreshOnProfileUpdate: boolean | null;
  /** Id of the proxy used by every browser; no value without a proxy. */
  readonly proxyId: string | null;
  /** Chrome's enterprise policies for every browser, by name; no value without a policy. */
  readonly chromePolicy: Readonly<Record<string, unknown>> | null;
  /** Size of the browser window; no value for the service's default. */
  readonly viewport: BrowserViewport | null;
  /** Whether the browsers have no window. */
  readonly headless: boolean | null;
  /** Whether the browsers hide their automation from sites. */
  readonly stealth: boolean | null;
  /** Whether the window has neither address bar nor tabs. */
  readonly kioskMode: boolean | null;
  /** URL that a new browser opens; no value for an empty page. */
  readonly startUrl: string | null;
  /** Seconds of inactivity after which a leased browser is destroyed. */
  readonly timeoutSeconds: number | null;
  /** Percent of the pool filled by the service in a minute. */
  readonly fillRatePerMinute: number | null;
  /** Categories of telemetry, true if captured; no value without telemetry. */
  readonly telemetry: Readonly<Record<string, boolean>> | null;
  /** Id of the destination for exported telemetry; no value without an export. */
  readonly telemetryDestinationId: string | null;
  /** Whether the service stores telemetry. */
  readonly telemetryStorage: boolean | null;
  /** CDP methods excluded from telemetry. */
  readonly telemetryExcludedMethods: readonly string[];
  /** Settings in the response that are unknown to the package, such as `network.dns`. */
  readonly unknownSettings: readonly string[];
  /** Creation time, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
}

const flag = orNull(z.boolean());
const pixels = z.int().positive();
/** Text; null if empty, because the service clears a text by an empty string. */
const text = orNull(z.string()).transform((value) => value || null);
const reference = z.object({ id: text, name: text });
const hosts = z.array(z.string()).nullish();

const viewportShape = { width: pixels, height: pixels, refresh_rate: orNull(pixels) };
const routeProxyShape = { id: recordId };
const routeShape = { hosts: z.array(z.string()), proxy: z.looseObject(routeProxyShape) };
const networkShape = {
  allowed_hosts: hosts,
  private_hosts: hosts,
  proxy_routes: z.array(z.looseObject(routeShape)).nullish(),
};
const cdpShape = { excluded_methods: orNull(z.array(z.string())) };
const categoryShape = { enabled: flag, cdp: orNull(z.looseObject(cdpShape)) };
const category = z.looseObject(categoryShape);
const otlpShape = { enabled: flag, destination: orNull(z.string()) };
const exportShape = { otlp: orNull(z.looseObject(otlpShape)) };
const storageShape = { enabled: flag };
const telemetryShape = {
  browser: orNull(z.record(z.string(), z.unknown())),
  export: orNull(z.looseObject(exportShape)),
  storage: orNull(z.looseObject(storageShape)),
};

/** The settings of a browser pool. Only `size` is certain. */
const configShape = {
  size: z.int().nonnegative(),
  memory: text,
  network: orNull(z.looseObject(networkShape)),
  extensions: orNull(z.array(z.object({ id: orNull(recordId.or(z.literal(""))) }))),
  profile: orNull(reference),
  proxy_id: text,
  chrome_policy: orNull(z.record(z.string(), z.unknown())),
  viewport: orNull(z.looseObject(viewportShape)),
  headless: flag,
  stealth: flag,
  kiosk_mode: flag,
  start_url: text,
  timeout_seconds: orNull(z.int()),
  fill_rate_per_minute: orNull(z.int()),
  refresh_on_profile_update: flag,
  telemetry: orNull(z.looseObject(telemetryShape)),
};
const config = z.object(configShape);

/** Known members of the settings. Name and region are reported outside of the settings as well. */
const knownSettings = { ...configShape, name: undefined, region: undefined };

/**
 * A browser pool. Every member that a caller may compare with a declaration is strict. A policy
 * without a member is read as no value. @internal
 */
export const browserPoolSchema: z.ZodType<BrowserPool> = z
  .object({
    id: recordId,
    name: text,
    region: text,
    available_count: z.int().nonnegative(),
    acquired_count: z.int().nonnegative(),
    extension_ids: orNull(z.array(recordId)),
    profile_id: text,
    created_at: ifReadable(dateTime),
    browser_pool_config: z.looseObject(configShape),
  })
  .transform(({ browser_pool_config: given, ...pool }) => {
    const { extensions, profile, chrome_policy, telemetry, network, viewport, ...others } =
      config.parse(given);
    const otlp = telemetry?.export?.otlp;
    const { categories, unreadable } = categoriesIn(telemetry?.browser ?? {});
    return {
      ...camelCased({ ...others, ...pool }),
      extensionIds: pool.extension_ids ?? (extensions ?? []).flatMap(({ id }) => id || []),
      profileId: pool.profile_id ?? profile?.id ?? null,
      profileName: profile?.name ?? null,
      chromePolicy: Object.keys(chrome_policy ?? {}).length > 0 ? chrome_policy : null,
      network: network && networkOf(network),
      viewport: viewport && {
        width: viewport.width,
        height: viewport.height,
        refreshRate: viewport.refresh_rate,
      },
      telemetry: telemetry && selectionOf(categories),
      telemetryDestinationId: (otlp?.enabled !== false && otlp?.destination) || null,
      telemetryStorage: telemetry?.storage?.enabled ?? null,
      telemetryExcludedMethods: categories.control?.cdp?.excluded_methods ?? [],
      unknownSettings: [
        ...unknownIn(given, knownSettings),
        ...unknownIn(viewport, viewportShape, "viewport."),
        ...unknownIn(network, networkShape, "network."),
        ...(network?.proxy_routes ?? []).flatMap((route, index) => [
          ...unknownIn(route, routeShape, `network.proxy_routes[${index}].`),
          ...unknownIn(route.proxy, routeProxyShape, `network.proxy_routes[${index}].proxy.`),
        ]),
        ...unknownIn(telemetry, telemetryShape, "telemetry."),
        ...unreadable.map((name) => `telemetry.browser.${name}`),
        ...Object.entries(categories).flatMap(([name, each]) => [
          ...unknownIn(each, categoryShape, `telemetry.browser.${name}.`),
          ...unknownIn(each.cdp, cdpShape, `telemetry.browser.${name}.cdp.`),
        ]),
        ...unknownIn(telemetry?.export, exportShape, "telemetry.export."),
        ...unknownIn(otlp, otlpShape, "telemetry.export.otlp."),
        ...unknownIn(telemetry?.storage, storageShape, "telemetry.storage."),
      ],
    };
  });

/** Network rules; null without a rule. An empty list differs from an absent list. */
function networkOf(wire: z.output<z.ZodObject<typeof networkShape>>): BrowserNetwork | null {
  const { allowed_hosts: allowedHosts, private_hosts: privateHosts, proxy_routes: routes } = wire;
  const network = {
    ...(allowedHosts && { allowedHosts }),
    ...(privateHosts && { privateHosts }),
    ...(routes && { proxyRoutes: routes.map((route) => ({ hosts: route.hosts, proxyId: route.proxy.id })) }),
  };
  return Object.keys(network).length > 0 ? network : null;
}

type Category = z.output<typeof category>;

/** Splits `telemetry.browser`: categories by name, and names of members that are no category. */
function categoriesIn(wire: Readonly<Record<string, unknown>>) {
  const categories: Record<string, Category> = {};
  const unreadable: string[] = [];
  for (const [name, value] of Object.entries(wire)) {
    const { data } = category.safeParse(value);
    if (data !== undefined) {
      categories[name] = data;
    } else if (value !== null) {
      unreadable.push(name);
    }
  }
  return { categories, unreadable };
}

/** Selection of categories: `{page: {enabled: true}}` becomes `{page: true}`. */
function selectionOf(categories: Readonly<Record<string, Category>>) {
  const reported = Object.entries(categories).flatMap(([name, { enabled }]) =>
    enabled === null ? [] : [[name, enabled] as const],
  );
  return Object.fromEntries(reported);
}

/** Members that a shape does not have, in order. Members without a value are skipped. */
function unknownIn(members: object | null | undefined, shape: object, path = ""): string[] {
  return Object.entries(members ?? {})
    .filter(([name, value]) => !Object.hasOwn(shape, name) && value !== null && value !== undefined)
    .map(([name]) => `${path}${name}`);
}
