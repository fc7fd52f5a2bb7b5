import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DevTools } from "./devtools.js";

export interface LaunchOptions {
  /** Path of Chromium or Chrome. */
  readonly executable: string;
  /** Folder for everything that the browser writes. The user's profile stays unread. */
  readonly folder: string;
  /** Variables of a display. Undefined for a browser without a window. */
  readonly display?: NodeJS.ProcessEnv | undefined;
  /** Further arguments. */
  readonly args?: readonly string[];
}

/** Folder of the browser's profile below the folder of the browser. */
export const profileFolder = (folder: string) => join(folder, "profile");

/**
 * Starts a browser that answers on two pipes and on no port, and that ends when the pipes close. The
 * caller closes the browser and removes the folder.
 */
export function launch({ executable, folder, display, args = [] }: LaunchOptions): DevTools {
  const temporary = join(folder, "t");
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  const child = spawn(
    executable,
    [
      ...(display === undefined ? ["--headless=new"] : []),
      "--remote-debugging-pipe",
      "--enable-unsafe-extension-debugging",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-gpu",
      "--disable-sync",
      "--no-default-browser-check",
      "--no-first-run",
      // A profile must be readable after a copy, without the keyring of the user.
      "--password-store=basic",
      "--use-mock-keychain",
      ...(withoutSandbox() ? ["--no-sandbox"] : []),
      `--user-data-dir=${profileFolder(folder)}`,
      ...args,
      "about:blank",
    ],
    {
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
      env: { ...display, ...environmentIn(temporary) },
    },
  );
  return new DevTools(child);
}

/** Whether the browser runs without a sandbox: it does not work for root, the user in most containers. */
export function withoutSandbox(): boolean {
  return process.getuid?.() === 0;
}

/** Removes a folder that a browser has just left. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Environment of the browser: nothing of the user's but PATH, because pages and extensions are foreign
 * code and the user's variables have keys. Packages start Chromium by a script, which needs PATH. HOME and
 * the folder for temporary files are the browser's own, so that the user's home stays unread. Without a
 * locale of UTF-8, Chromium on Linux finds no file like `é.png`.
 */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LC_ALL: "C.UTF-8" };
}
