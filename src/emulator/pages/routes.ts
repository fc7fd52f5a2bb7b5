import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hono } from "hono";
import type { RouteEnvironment } from "../api-keys/access.js";

const headers = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  // The URL of a login page contains the handoff code.
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

const html = "text/html; charset=utf-8";
const css = "text/css; charset=utf-8";
const javascript = "text/javascript; charset=utf-8";

/** Where each file beside this one is served. The build copies them to the same place in `dist`. */
const files = [
  ["/", html, "emulator.html"],
  ["/_emulator/assets/emulator.css", css, "emulator.css"],
  ["/_emulator/assets/emulator.mjs", javascript, "emulator.mjs"],
  ["/_emulator/assets/views.mjs", javascript, "views.mjs"],
  ["/_emulator/assets/control.mjs", javascript, "control.mjs"],
  ["/_emulator/assets/theme.css", css, "theme.css"],
  ["/_emulator/assets/elements.mjs", javascript, "elements.mjs"],
  ["/login/:id", html, "login.html"],
  ["/login/assets/login.css", css, "login.css"],
  ["/login/assets/login.js", javascript, "login.mjs"],
] as const;

/**
 * Adds the emulator's own page at `/`, and the login page at the `hosted_url` of every login. Both
 * are files, the same for everyone, and need no key: they ask for what they show, the first with a
 * key and the second with the token it gets for its handoff code.
 */
export function addPageRoutes(app: Hono<RouteEnvironment>): void {
  for (const [path, mediaType, file] of files) {
    const text = readFileSync(join(__dirname, file), "utf8");
    app.get(path, (context) => context.body(text, 200, { ...headers, "content-type": mediaType }));
  }
}
