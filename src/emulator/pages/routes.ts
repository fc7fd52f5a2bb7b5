import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Hono } from "hono";
import type { RouteEnvironment } from "../objects/access.js";

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

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".mjs": "text/javascript",
};

/** Paths of the pages. Every other file is an asset. */
const pages: Readonly<Record<string, string>> = { "emulator.html": "/", "login.html": "/login/:id" };

/**
 * Adds the emulator's own page at `/`, the login page at the `hosted_url` of every login, and the files
 * that the pages load, which the build copies beside this module. The files are the same for everyone,
 * and need no key. The emulator's page requests data with a key, the login page with the token for the
 * handoff code.
 */
export function addPageRoutes(app: Hono<RouteEnvironment>): void {
  for (const file of readdirSync(__dirname, { recursive: true, encoding: "utf8" })) {
    const mediaType = mediaTypes[extname(file)];
    if (mediaType !== undefined) {
      const text = readFileSync(join(__dirname, file), "utf8");
      const type = { "content-type": `${mediaType}; charset=utf-8` };
      const path = pages[file] ?? `/_emulator/assets/${file.replaceAll("\\", "/")}`;
      app.get(path, (context) => context.body(text, 200, { ...headers, ...type }));
    }
  }
}
