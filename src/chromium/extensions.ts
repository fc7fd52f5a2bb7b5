import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalError } from "../errors.js";
import { oneLine } from "../text/escape.js";
import { messageOf } from "../text/words.js";
import { BrowserError, type DevTools } from "./devtools.js";
import { launch, removeFolder } from "./launch.js";

/** Longest quotation of a browser's message, in characters. */
const messageCharactersMax = 1_000;

/** Browser that loads extensions, within a time limit. */
export type RunningChromium = ReturnType<typeof runningChromium>;

/** `limit`: aborts at the end of the time of the browser. `page`: session with the page of extensions. */
function runningChromium(product: string, devtools: DevTools, limit: AbortSignal, page: string | undefined) {
  return {
    /** Name and version, such as `Chrome/156.0.8078.108`. */
    product,
    devtools,
    limit,
    /** Loads a folder. Returns the id of the extension, or why the browser does not load the folder. */
    load: (folder: string) => loadUnpacked(devtools, folder, limit),
    /**
     * Warnings about the manifest of a loaded extension, or errors when it runs; empty where the browser hides
     * them. An error of a worker that cannot be registered appears after about a second.
     */
    async messages(id: string, list: "manifestErrors" | "runtimeErrors"): Promise<readonly string[]> {
      const expression = `chrome.developerPrivate?.getExtensionInfo(${JSON.stringify(id)}).then(({ ${list} }) => ${list}.map(({ message }) => message))`;
      const found = page && (await devtools.evaluate(expression, limit, page));
      return Array.isArray(found) ? found.map((text) => oneLine(String(text), messageCharactersMax)) : [];
    },
  };
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
  const devtools = launch({ executable, folder });
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(msMax)]);
    const { product } = await devtools.call("Browser.getVersion", {}, limit);
    // A browser may hide the page: the verdict then comes without warnings.
    const page = await extensionsPage(devtools, limit).catch(() => undefined);
    return await work(runningChromium(String(product), devtools, limit, page));
  } catch (error) {
    signal.throwIfAborted();
    throw new LocalError(
      "browser_unusable",
      `The check in the browser ${executable} failed: ${oneLine(messageOf(error), messageCharactersMax).replace(/\.$/, "")}. ` +
        "Choose a different Chromium or Chrome with --browser.",
      { cause: error },
    );
  } finally {
    await devtools.close();
    removeFolder(folder);
  }
}

/** Loads a folder. Returns the id of the extension, or why the browser does not load the folder. */
export async function loadUnpacked(
  devtools: DevTools,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly id: string } | string> {
  try {
    const { id } = await devtools.call("Extensions.loadUnpacked", { path }, signal);
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

/**
 * Opens Chromium's page of extensions, the only place that shows warnings, and only in developer mode.
 * The page has no published interface: without the expected functions, no warning is shown.
 */
async function extensionsPage(devtools: DevTools, signal: AbortSignal): Promise<string> {
  const { targetId } = await devtools.call("Target.createTarget", { url: "about:blank" }, signal);
  const attached = await devtools.call("Target.attachToTarget", { targetId, flatten: true }, signal);
  const session = String(attached.sessionId);
  // A new target may still show its first, empty page; a navigation ends when the next page is there.
  await devtools.call("Page.navigate", { url: "chrome://extensions" }, signal, session);
  const developerMode = "chrome.developerPrivate?.updateProfileConfiguration({ inDeveloperMode: true })";
  await devtools.evaluate(`${afterLoad}.then(() => ${developerMode})`, signal, session);
  return session;
}
