import type { Context } from "hono";
import { withValues } from "../../storage/members.js";
import { settingsOnWire } from "../browser-pools/changes.js";
import type { BrowserPoolStore } from "../browser-pools/store.js";
import { profileOnWire } from "../profiles/routes.js";
import type { ProfileStore } from "../profiles/store.js";
import type { SessionService } from "./service.js";
import type { Session } from "./store.js";

interface WireParts {
  readonly pools: BrowserPoolStore;
  readonly profiles: ProfileStore;
  readonly sessions: SessionService;
}

/** Converts a session for a response. A context names the host under which the client reaches us. */
export function sessionOnWire({ pools, profiles, sessions }: WireParts) {
  const missing = sessions.startsBrowsers ? "no-chromium-on-this-machine" : "start-with-browser-option";
  return (session: Session, context: Pick<Context, "req">) => {
    const { id, settings, builtMs, lease, profileId } = session;
    const pool = pools.find(session.poolId ?? "");
    const profile = profiles.find(lease.profile?.id ?? pool?.profileId ?? profileId ?? "");
    const token = sessions.running?.find(id)?.token;
    const host = context.req.header("host");
    const nowhere = `${missing}.emulator.invalid`;
    const [cdp, webdriver, base, liveView] =
      token === undefined
        ? [`wss://${nowhere}`, nowhere, `https://${nowhere}`, `https://${nowhere}/browser/live?session=${id}`]
        : [
            `ws://${host}`,
            "webdriver-is-not-emulated.emulator.invalid",
            `http://${host}`,
            `http://${host}/#browsers/${id}`,
          ];
    return withValues({
      ...settingsOnWire(settings, "of browsers"),
      cdp_ws_url: `${cdp}/browser/cdp?session=${id}${token === undefined ? "" : `&token=${token}`}`,
      webdriver_ws_url: `wss://${webdriver}/browser/webdriver/session?session=${id}`,
      base_url: `${base}/browser/kernel`,
      browser_live_view_url: settings.headless ? undefined : liveView,
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
