import type { Hono } from "hono";
import type { RouteEnvironment } from "../../http/route.js";
import { loginPageHtml } from "./html.js";
import { loginPageScript } from "./script.js";
import { loginPageStyle } from "./style.js";

const headers = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  // The address has the handoff code in it.
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/**
 * Adds the login page, at the `hosted_url` of every login. It is the same for all: what it shows it
 * asks the service's own operations for, with the token its handoff code is exchanged for.
 */
export function addLoginPageRoutes(app: Hono<RouteEnvironment>): void {
  const files = [
    ["/login/assets/login.css", "text/css; charset=utf-8", loginPageStyle],
    ["/login/assets/login.js", "text/javascript; charset=utf-8", loginPageScript],
    ["/login/:id", "text/html; charset=utf-8", loginPageHtml],
  ] as const;
  for (const [path, mediaType, text] of files) {
    app.get(path, (context) => context.body(text, 200, { ...headers, "content-type": mediaType }));
  }
}
