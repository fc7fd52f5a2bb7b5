import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalError } from "../errors.js";
import { oneLine } from "../text/escape.js";
import { messageOf } from "../text/words.js";
import { BrowserError, type DevTools, evaluate } from "./devtools.js";
import { launch, removeFolder } from "./launch.js";

/** Longest quotation of a browser's message, in characters. */
const messageCharactersMax = 1_000;

export interface RunningChromium {
  /** Name and version, such as `Chrome/156.0.8078.108`. */
  readonly product: string;
  /** Calls a method of the browser or of a session, within the time limit of the browser and of `signal`. */
  call(
    method: string,
    params: object,
    session?: string,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>>;
  readonly devtools: DevTools;
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
  const folder = mkdtempSync(join(tmpdir(), "browser-infra-profile-"));
  const browser = launch({ executable, folder });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(msMax)]);
  try {
    const { product } = await browser.call("Browser.getVersion", {}, limit);
    // A browser may hide the page: the verdict then comes without warnings.
    const page = await extensionsPage(browser, limit).catch(() => undefined);
    return await work({
      product: String(product),
      devtools: browser,
      call: (method, params, session, own) =>
        browser.call(method, params, own === undefined ? limit : AbortSignal.any([limit, own]), session),
      load: (path) => loadUnpacked(browser, path, limit),
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
    removeFolder(folder);
  }
}

/** Loads a folder. Returns the id of the extension, or why the browser does not load the folder. */
export async function loadUnpacked(
  browser: DevTools,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly id: string } | string> {
  try {
    const { id } = await browser.call("Extensions.loadUnpacked", { path }, signal);
    return { id: String(id) };
  } catch (error) {
    if (!(error instanceof BrowserError)) {
      throw error;
    }
    // The folder is temporary, so the path means nothing to the reader.
    return oneLine(error.message.replaceAll(`${path}/`, "").replaceAll(path, "."), messageCharactersMax);
  }
}

/** Expression for a page: a promise of the end of the loading. */
export const afterLoad =
  'new Promise((loaded) => document.readyState === "complete" ? loaded() : addEventListener("load", loaded))';

/** Evaluates an expression in a page, and returns the value. */
type Evaluate = (expression: string) => Promise<unknown>;

/**
 * Opens Chromium's page of extensions, the only place that shows warnings, and only in developer mode.
 * The page has no published interface: without the expected functions, no warning is shown.
 */
async function extensionsPage(browser: DevTools, signal: AbortSignal): Promise<Evaluate> {
  const { targetId } = await browser.call("Target.createTarget", { url: "chrome://extensions" }, signal);
  const session = await browser.call("Target.attachToTarget", { targetId, flatten: true }, signal);
  const inPage: Evaluate = (expression) =>
    evaluate((method, params) => browser.call(method, params, signal, String(session.sessionId)), expression);
  await inPage(afterLoad);
  await inPage("chrome.developerPrivate?.updateProfileConfiguration({ inDeveloperMode: true })");
  return inPage;
}

/** Messages of a loaded extension on the page of extensions. */
async function errorsOf(
  id: string,
  list: "manifestErrors" | "runtimeErrors",
  inPage: Evaluate | undefined,
): Promise<readonly string[]> {
  const found = await inPage?.(
    `chrome.developerPrivate?.getExtensionInfo(${JSON.stringify(id)}).then(({ ${list} }) => ${list}.map(({ message }) => message))`,
  );
  return Array.isArray(found) ? found.map((text) => oneLine(String(text), messageCharactersMax)) : [];
}
