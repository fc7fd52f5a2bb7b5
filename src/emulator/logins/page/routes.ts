import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hono } from "hono";
import type { RouteEnvironment } from "../../api-keys/access.js";

const headers = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  // The URL contains the handoff code.
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Where each file beside this one is served. The build copies them to the same place in `dist`. */
const files = [
  ["/login/assets/login.css", "text/css; charset=utf-8", "page.css"],
  ["/login/assets/login.js", "text/javascript; charset=utf-8", "page.js"],
  ["/login/:id", "text/html; charset=utf-8", "page.html"],
] as const;

/**
 * Adds the login page, at the `hosted_url` of every login. It is the same for all: it asks the
 * service's own operations for what it shows, with the token it gets for its handoff code.
 */
export function addLoginPageRoutes(app: Hono<RouteEnvironment>): void {
  for (const [path, mediaType, file] of files) {
    const text = readFileSync(join(__dirname, file), "utf8");
    app.get(path, (context) => context.body(text, 200, { ...headers, "content-type": mediaType }));
  }
}
