/** Pools and their browsers as the service sends them. What has no value is left out: a guess. */
import { withValues } from "../storage/table.js";
import type { BrowserPool, PoolBrowser } from "./record.js";
import type { PoolSettings } from "./settings.js";
import { profileIdOf } from "./store.js";

/** A pool, with how many of its browsers are idle and leased. Source: the published interface. */
export function poolOnWire(
  { id, name, createdAt, extensionIds, settings }: BrowserPool,
  counts: { readonly idle: number; readonly leased: number },
) {
  const { size, fillRatePerMinute, timeoutSeconds, refreshOnProfileUpdate, extensions, profile } = settings;
  return withValues({
    id,
    name,
    created_at: createdAt,
    available_count: counts.idle,
    acquired_count: counts.leased,
    extension_ids: extensionIds,
    profile_id: profileIdOf(profile),
    browser_pool_config: withValues({
      ...launchOnWire(settings),
      name,
      size,
      fill_rate_per_minute: fillRatePerMinute,
      timeout_seconds: timeoutSeconds,
      refresh_on_profile_update: refreshOnProfileUpdate,
      extensions,
      profile,
    }),
  });
}

/**
 * An acquired browser. Its URLs are of the published form, and lead nowhere: the emulator runs no
 * browsers.
 */
export function browserOnWire({ id, settings, builtMs, lease }: PoolBrowser, pool: BrowserPool) {
  const host = "browsers.emulator.invalid";
  const { profile } = settings;
  return withValues({
    ...launchOnWire(settings),
    session_id: id,
    created_at: new Date(builtMs).toISOString(),
    timeout_seconds: pool.settings.timeoutSeconds,
    cdp_ws_url: `wss://${host}/browser/cdp?session=${id}`,
    webdriver_ws_url: `wss://${host}/browser/webdriver/session?session=${id}`,
    base_url: `https://${host}/browser/kernel`,
    browser_live_view_url: settings.headless ? undefined : `https://${host}/browser/live?session=${id}`,
    pool: withValues({ id: pool.id, name: pool.name }),
    profile: profile && { id: profileIdOf(profile), name: profile.name ?? null, created_at: pool.createdAt },
    name: lease?.name,
    start_url: lease?.startUrl ?? settings.startUrl,
    tags: lease?.tags,
  });
}

/** The settings that a browser is started with. */
function launchOnWire({ viewport, telemetry, ...settings }: PoolSettings) {
  const categories = Object.entries(telemetry ?? {}).map(([name, enabled]) => [name, { enabled }]);
  return {
    stealth: settings.stealth,
    headless: settings.headless,
    kiosk_mode: settings.kioskMode,
    proxy_id: settings.proxyId,
    viewport: viewport && {
      width: viewport.width,
      height: viewport.height,
      refresh_rate: viewport.refreshRate,
    },
    chrome_policy: settings.chromePolicy,
    start_url: settings.startUrl,
    telemetry: telemetry && { browser: Object.fromEntries(categories) },
  };
}
