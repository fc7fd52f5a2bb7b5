import type { Context } from "hono";
import { withValues } from "../../storage/members.js";
import { settingsOnWire } from "../browser-pools/changes.js";
import { profileOnWire } from "../profiles/routes.js";
import type { SessionService } from "./service.js";
import type { Session } from "./store.js";

/** Host of the addresses for WebDriver, which no browser of the emulator has. */
const notPlayed = "webdriver-is-not-emulated.emulator.invalid";

/** Converts a session for a response. The context names the host under which the client reaches us. */
export function sessionOnWire(sessions: SessionService, session: Session, context: Pick<Context, "req">) {
  const { id, settings, builtMs, lease } = session;
  const { size, fillRatePerMinute, refreshOnProfileUpdate, extensions, ...ofBrowser } = settings;
  const pool = sessions.poolOf(session);
  const profile = sessions.profileOf(session);
  const browser = sessions.running?.find(id);
  const missing = sessions.startsBrowsers ? "no-chromium-on-this-machine" : "start-with-browser-option";
  const host = browser ? context.req.header("host") : `${missing}.emulator.invalid`;
  const tls = browser ? "" : "s";
  return withValues({
    ...settingsOnWire(ofBrowser),
    cdp_ws_url: `ws${tls}://${host}/browser/cdp?session=${id}${browser ? `&token=${browser.token}` : ""}`,
    webdriver_ws_url: `wss://${browser ? notPlayed : host}/browser/webdriver/session?session=${id}`,
    base_url: `http${tls}://${host}/browser/kernel`,
    browser_live_view_url: settings.headless
      ? undefined
      : `http${tls}://${host}/${browser ? `#browsers/${id}` : `browser/live?session=${id}`}`,
    session_id: id,
    created_at: new Date(builtMs).toISOString(),
    timeout_seconds: (pool?.settings ?? settings).timeoutSeconds,
    pool: pool && withValues({ id: pool.id, name: pool.name }),
    profile: profile && profileOnWire(profile),
    name: lease.name,
    start_url: lease.startUrl ?? settings.startUrl,
    tags: lease.tags,
  });
}
