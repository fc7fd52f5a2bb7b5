import { z } from "zod";
import type { BrowserNetwork, BrowserPool } from "../records/browser-pool.js";
import { dateTime, ifReadable, inOurNames, orNull, recordId } from "./answer.js";

const switchedOn = orNull(z.boolean());
const pixels = z.int().positive();
const reference = z.object({ id: orNull(z.string()), name: orNull(z.string()) });
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
const categoryShape = { enabled: switchedOn, cdp: orNull(z.looseObject(cdpShape)) };
const category = z.looseObject(categoryShape);
const otlpShape = { enabled: switchedOn, destination: orNull(z.string()) };
const exportShape = { otlp: orNull(z.looseObject(otlpShape)) };
const storageShape = { enabled: switchedOn };
const telemetryShape = {
  browser: orNull(z.record(z.string(), z.unknown())),
  export: orNull(z.looseObject(exportShape)),
  storage: orNull(z.looseObject(storageShape)),
};

/** The settings of a browser pool. Only `size` is certain. */
const configShape = {
  size: z.int().nonnegative(),
  memory: orNull(z.string()),
  network: orNull(z.looseObject(networkShape)),
  extensions: orNull(z.array(z.object({ id: orNull(recordId.or(z.literal(""))) }))),
  profile: orNull(reference),
  proxy_id: orNull(z.string()),
  chrome_policy: orNull(z.record(z.string(), z.unknown())),
  viewport: orNull(z.looseObject(viewportShape)),
  headless: switchedOn,
  stealth: switchedOn,
  kiosk_mode: switchedOn,
  start_url: orNull(z.string()),
  timeout_seconds: orNull(z.int()),
  fill_rate_per_minute: orNull(z.int()),
  refresh_on_profile_update: switchedOn,
  telemetry: orNull(z.looseObject(telemetryShape)),
};
const config = z.object(configShape);

/** Known members of the settings. Name and region are reported outside of the settings as well. */
const knownSettings = { ...configShape, name: undefined, region: undefined };

/**
 * A browser pool. Every member that a caller may compare with a declaration is strict. The service
 * clears a setting by an empty string, so an empty string is read as no value. So is a policy
 * without a member.
 */
export const browserPoolSchema: z.ZodType<BrowserPool> = z
  .object({
    id: recordId,
    name: orNull(z.string()),
    region: orNull(z.string()),
    available_count: z.int().nonnegative(),
    acquired_count: z.int().nonnegative(),
    extension_ids: orNull(z.array(recordId)),
    profile_id: orNull(z.string()),
    created_at: ifReadable(dateTime),
    browser_pool_config: z.looseObject(configShape),
  })
  .transform(({ browser_pool_config: given, ...pool }) => {
    const { extensions, profile, chrome_policy, telemetry, network, viewport, ...others } =
      config.parse(given);
    const otlp = telemetry?.export?.otlp;
    const { categories, unreadable } = categoriesIn(telemetry?.browser ?? {});
    return {
      ...inOurNames({ ...others, ...pool }),
      extensionIds: pool.extension_ids ?? (extensions ?? []).flatMap(({ id }) => id || []),
      name: pool.name || null,
      profileId: pool.profile_id || profile?.id || null,
      profileName: profile?.name || null,
      proxyId: others.proxy_id || null,
      startUrl: others.start_url || null,
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
  const told = Object.entries(categories).flatMap(([name, { enabled }]) =>
    enabled === null ? [] : [[name, enabled] as const],
  );
  return Object.fromEntries(told);
}

/** Members that a shape does not have, in order. Members without a value are skipped. */
function unknownIn(members: object | null | undefined, shape: object, path = ""): string[] {
  return Object.entries(members ?? {})
    .filter(([name, value]) => !Object.hasOwn(shape, name) && value !== null && value !== undefined)
    .map(([name]) => `${path}${name}`);
}
