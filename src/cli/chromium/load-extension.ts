import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalError } from "../../errors.js";
import { oneLine } from "../../text/escape.js";
import { messageOf } from "../../text/words.js";
import { BrowserError, DevTools } from "./devtools.js";

/** Longest time for the start of the browser and all responses, in milliseconds. */
const browserMsMax = 60_000;

/** Longest quotation of a browser's message, in characters. */
const messageCharactersMax = 1_000;

export interface LoadResult {
  /** Name and version of the browser, such as `Chrome/156.0.8078.108`. */
  readonly browser: string;
  /** Why the browser does not load the extension; null if it does. */
  readonly problem: string | null;
  /** Parts that the browser ignores, in its own words; empty without a warning. */
  readonly warnings: readonly string[];
}

/** Loads a folder, which Chromium may change. Throws `LocalError` `browser_unusable`. */
export function loadInChromium(executable: string, folder: string, signal: AbortSignal): Promise<LoadResult> {
  return withChromium(executable, browserMsMax, signal, async (chromium) => {
    const loaded = await chromium.load(folder);
    return typeof loaded === "string"
      ? { browser: chromium.product, problem: loaded, warnings: [] }
      : { browser: chromium.product, problem: null, warnings: await chromium.manifestWarnings(loaded.id) };
  });
}

export interface RunningChromium {
  /** Name and version, such as `Chrome/156.0.8078.108`. */
  readonly product: string;
  /** Loads a folder. Returns the id of the extension, or why the browser does not load the folder. */
  load(folder: string): Promise<{ readonly id: string } | string>;
  unload(id: string): Promise<void>;
  /** Warnings about the manifest of a loaded extension; empty where the browser hides them. */
  manifestWarnings(id: string): Promise<readonly string[]>;
  /** Errors of a loaded extension. A worker that cannot be registered appears after about a second. */
  runtimeErrors(id: string): Promise<readonly string[]>;
}

/**
 * Starts a browser without a window and without the user's profile, and closes the browser after `work`,
 * or after `msMax` milliseconds. Throws `LocalError` `browser_unusable` if the browser fails.
 *
 * @public scripts/chromium/measure.mjs loads the build of this file.
 */
export async function withChromium<T>(
  executable: string,
  msMax: number,
  signal: AbortSignal,
  work: (chromium: RunningChromium) => Promise<T>,
): Promise<T> {
  const profile = mkdtempSync(join(tmpdir(), "browser-infra-profile-"));
  const child = spawn(
    executable,
    [
      "--headless=new",
      "--remote-debugging-pipe",
      "--enable-unsafe-extension-debugging",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-gpu",
      "--disable-sync",
      "--no-first-run",
      // The sandbox does not work for root, the user in most containers.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], env: environmentWith(profile) },
  );
  const browser = new DevTools(child);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(msMax)]);
  try {
    const { product } = await browser.call("Browser.getVersion", {}, limit);
    // A browser may hide the page: the verdict then comes without warnings.
    const page = await extensionsPage(browser, limit).catch(() => undefined);
    return await work({
      product: String(product),
      async load(folder) {
        try {
          const { id } = await browser.call("Extensions.loadUnpacked", { path: folder }, limit);
          return { id: String(id) };
        } catch (error) {
          if (!(error instanceof BrowserError)) {
            throw error;
          }
          // The folder is temporary, so the path means nothing to the reader.
          const text = error.message.replaceAll(`${folder}/`, "").replaceAll(folder, ".");
          return oneLine(text, messageCharactersMax);
        }
      },
      async unload(id) {
        await browser.call("Extensions.uninstall", { id }, limit);
      },
      manifestWarnings: (id) => errorsOf(id, "manifestErrors", page),
      runtimeErrors: (id) => errorsOf(id, "runtimeErrors", page),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new LocalError(
      "browser_unusable",
      `The check in the browser ${executable} failed: ${oneLine(messageOf(error), messageCharactersMax)}. ` +
        "Choose a different Chromium or Chrome with --browser.",
      { cause: error },
    );
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Evaluates an expression in a page, and returns the value. */
type Evaluate = (expression: string) => Promise<unknown>;

/**
 * Opens Chromium's page of extensions, the only place that shows warnings, and only in developer mode.
 * The page has no published interface: without the expected functions, no warning is shown.
 */
async function extensionsPage(browser: DevTools, signal: AbortSignal): Promise<Evaluate> {
  const { targetId } = await browser.call("Target.createTarget", { url: "chrome://extensions" }, signal);
  const session = await browser.call("Target.attachToTarget", { targetId, flatten: true }, signal);
  const evaluate: Evaluate = async (expression) => {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await browser.call("Runtime.evaluate", params, signal, String(session.sessionId));
    return (result as { readonly value?: unknown } | undefined)?.value;
  };
  await evaluate(
    'new Promise((loaded) => document.readyState === "complete" ? loaded() : addEventListener("load", loaded))',
  );
  await evaluate("chrome.developerPrivate?.updateProfileConfiguration({ inDeveloperMode: true })");
  return evaluate;
}

/** Messages of a loaded extension on the page of extensions. */
async function errorsOf(
  id: string,
  list: "manifestErrors" | "runtimeErrors",
  evaluate: Evaluate | undefined,
): Promise<readonly string[]> {
  const found = await evaluate?.(
    `chrome.developerPrivate?.getExtensionInfo(${JSON.stringify(id)}).then(({ ${list} }) => ${list}.map(({ message }) => message))`,
  );
  return Array.isArray(found) ? found.map((text) => oneLine(String(text), messageCharactersMax)) : [];
}

/**
 * Environment of the browser: nothing of the user's but PATH, because the extension is foreign code and
 * the user's variables have keys. Packages start Chromium by a script, which needs PATH. HOME and the
 * folder for temporary files are the profile, so that the user's home stays unread. No display: the
 * browser has no window. Without a locale of UTF-8, Chromium on Linux finds no file like `é.png`.
 */
function environmentWith(profile: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: profile, TMPDIR: profile, LC_ALL: "C.UTF-8" };
}
