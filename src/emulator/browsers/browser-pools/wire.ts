/** Pools and browsers as sent by the service. Members without a value are omitted: a guess. */

import { withValues } from "../../storage/members.js";
import { profileOnWire } from "../profiles/routes.js";
import type { EmulatedProfile } from "../profiles/store.js";
import { settingsOnWire } from "./changes.js";
import type { BrowserPool, PoolBrowser } from "./record.js";

/** Converts a pool, with numbers of idle and leased browsers. Source: the published interface. */
export function poolOnWire(
  { id, name, createdAt, extensionIds, profileId, settings }: BrowserPool,
  counts: { readonly idle: number; readonly leased: number },
) {
  return withValues({
    id,
    name,
    created_at: createdAt,
    available_count: counts.idle,
    acquired_count: counts.leased,
    extension_ids: extensionIds,
    region: settings.region,
    profile_id: profileId,
    browser_pool_config: withValues({ ...settingsOnWire(settings, "all"), name }),
  });
}

/**
 * Converts an acquired browser. The URLs have the published form, and lead nowhere: the emulator
 * runs no browsers.
 */
export function browserOnWire(
  { id, settings, builtMs, lease }: PoolBrowser,
  pool: BrowserPool,
  profile: EmulatedProfile | undefined,
) {
  const host = "browsers.emulator.invalid";
  return withValues({
    ...settingsOnWire(settings, "of browsers"),
    session_id: id,
    created_at: new Date(builtMs).toISOString(),
    timeout_seconds: pool.settings.timeoutSeconds,
    cdp_ws_url: `wss://${host}/browser/cdp?session=${id}`,
    webdriver_ws_url: `wss://${host}/browser/webdriver/session?session=${id}`,
    base_url: `https://${host}/browser/kernel`,
    browser_live_view_url: settings.headless ? undefined : `https://${host}/browser/live?session=${id}`,
    pool: withValues({ id: pool.id, name: pool.name }),
    profile: profile && profileOnWire(profile),
    name: lease?.name,
    start_url: lease?.startUrl ?? settings.startUrl,
    tags: lease?.tags,
  });
}
