import type { Context } from "hono";
import { withValues } from "../../storage/members.js";
import { settingsOnWire } from "../browser-pools/changes.js";
import type { BrowserPoolStore } from "../browser-pools/store.js";
import { profileOnWire } from "../profiles/routes.js";
import type { ProfileStore } from "../profiles/store.js";
import type { RunningBrowsers } from "./running.js";
import type { Session } from "./store.js";

interface WireParts {
  readonly pools: BrowserPoolStore;
  readonly profiles: ProfileStore;
  /** Undefined if the emulator starts no browsers. */
  readonly running: RunningBrowsers | undefined;
  /** Whether the emulator was told to start browsers. */
  readonly startsBrowsers: boolean;
}

/** Converts a session for a response. A context names the host under which the client reaches us. */
export function sessionOnWire({ pools, profiles, running, startsBrowsers }: WireParts) {
  const missing = startsBrowsers ? "no-chromium-on-this-machine" : "start-with-browser-option";
  return (session: Session, context: Pick<Context, "req">) => {
    const { id, settings, builtMs, lease, profileId } = session;
    const pool = pools.find(session.poolId ?? "");
    const profile = profiles.find(lease.profile?.id ?? pool?.profileId ?? profileId ?? "");
    const browser = running?.find(id);
    const host = context.req.header("host");
    const nowhere = `${missing}.emulator.invalid`;
    const addresses = browser
      ? {
          cdp_ws_url: `ws://${host}/browser/cdp?session=${id}&token=${browser.token}`,
          webdriver_ws_url: `wss://webdriver-is-not-emulated.emulator.invalid/browser/webdriver/session?session=${id}`,
          base_url: `http://${host}/browser/kernel`,
          browser_live_view_url: settings.headless ? undefined : `http://${host}/#browsers/${id}`,
        }
      : {
          cdp_ws_url: `wss://${nowhere}/browser/cdp?session=${id}`,
          webdriver_ws_url: `wss://${nowhere}/browser/webdriver/session?session=${id}`,
          base_url: `https://${nowhere}/browser/kernel`,
          browser_live_view_url: settings.headless
            ? undefined
            : `https://${nowhere}/browser/live?session=${id}`,
        };
    return withValues({
      ...settingsOnWire(settings, "of browsers"),
      ...addresses,
      session_id: id,
      created_at: new Date(builtMs).toISOString(),
      timeout_seconds: (pool?.settings ?? settings).timeoutSeconds,
      pool: pool && withValues({ id: pool.id, name: pool.name }),
      profile: profile && profileOnWire(profile),
      name: lease.name,
      start_url: lease.startUrl ?? settings.startUrl,
      tags: lease.tags,
    });
  };
}
