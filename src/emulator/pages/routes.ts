import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hono } from "hono";
import type { RouteEnvironment } from "../organization/api-keys/access.js";

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

const mediaTypes = { html: "text/html", css: "text/css", mjs: "text/javascript" } as const;

/** Files of the pages, by path, beside this module. The build copies the files to `dist`. */
const pages = { "/": "emulator.html", "/login/:id": "login.html" };

/** Files that the pages load. */
const assets = [
  "theme.css",
  "elements.mjs",
  "login.css",
  "login.mjs",
  "emulator.css",
  "emulator.mjs",
  "activity.mjs",
  "objects.mjs",
  "faults.mjs",
  "control.mjs",
];

/**
 * Adds the emulator's own page at `/`, and the login page at the `hosted_url` of every login. Both
 * are files, the same for everyone, and need no key. The emulator's page requests data with a key,
 * the login page with the token for the handoff code.
 */
export function addPageRoutes(app: Hono<RouteEnvironment>): void {
  const loaded = assets.map((file) => [`/_emulator/assets/${file}`, file] as const);
  for (const [path, file] of [...Object.entries(pages), ...loaded]) {
    const text = readFileSync(join(__dirname, file), "utf8");
    const mediaType = mediaTypes[file.split(".")[1] as keyof typeof mediaTypes];
    const type = { "content-type": `${mediaType}; charset=utf-8` };
    app.get(path, (context) => context.body(text, 200, { ...headers, ...type }));
  }
}
