import { cp, mkdir, rename } from "node:fs/promises";
import { relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { BrowserError, type DevTools, evaluate } from "../../../chromium/devtools.js";
import { loadUnpacked } from "../../../chromium/extensions.js";
import { launch, profileFolder, removeFolder } from "../../../chromium/launch.js";
import {
  errorCharactersMax,
  errorsMax,
  type Target,
  type UncaughtError,
  watchTargets,
} from "../../../chromium/targets.js";
import { oneLine } from "../../../text/escape.js";
import { randomText } from "../../storage/ids-and-names.js";
import type { Viewport } from "../browser-pools/setting-rules.js";
import type { PoolSettings } from "../browser-pools/settings.js";

/** Longest time for the start of a browser, in milliseconds. */
const startMsMax = 60_000;

/** Longest time for an answer of a running browser, in milliseconds. */
const answerMsMax = 5_000;

/** Time in which a worker of an extension starts, in milliseconds. */
const workerMsMax = 3_000;

/** Time between two looks at a worker that starts, in milliseconds. */
const workerPollMs = 100;

/** Window of a browser without a viewport. Source: the published default image. */
const defaultWindow = { width: 1920, height: 1080 };

/** Files of a profile that belong to a process, or that Chromium makes again. */
const notSaved = /^(Singleton|DevToolsActivePort|Crashpad|component_crx_cache)|Cache$/;

/** Extension of a browser, unpacked in a folder. */
export interface UnpackedExtension {
  readonly name: string;
  readonly folder: string;
  readonly hasWorker: boolean;
}

export interface BrowserStart {
  readonly executable: string;
  /** New folder of the browser, removed at the end. */
  readonly folder: string;
  readonly settings: PoolSettings;
  readonly extensions: readonly UnpackedExtension[];
  /** Folder of a saved profile; undefined for an empty profile. */
  readonly profile: string | undefined;
  readonly proxyServer: string | undefined;
}

interface LoadedExtension extends UnpackedExtension {
  readonly chromiumId: string;
}

/** Error of an extension or a page. */
export interface ScriptError {
  /** Name of the extension; null for a page. */
  readonly extension: string | null;
  readonly text: string;
}

/** A Chromium that runs with the settings of a pool or a session. */
export class RunningBrowser {
  readonly devtools: DevTools;
  readonly startedMs = Date.now();
  /** Opens the address for one lease. */
  token = randomText(32);
  readonly #start: BrowserStart;
  readonly #errors: ScriptError[] = [];
  readonly #extensions: LoadedExtension[] = [];
  /** Ids in Chromium of the extensions whose worker has started. */
  readonly #workers = new Set<string>();
  /** Own sessions with the pages, by the id of the page. */
  readonly #pages = new Map<string, string>();
  #viewport: Viewport | null;

  private constructor(start: BrowserStart, devtools: DevTools) {
    this.#start = start;
    this.devtools = devtools;
    this.#viewport = start.settings.viewport;
  }

  /** Starts a browser. Throws an `Error` in Chromium's words. */
  static async start(start: BrowserStart): Promise<RunningBrowser> {
    const { executable, folder, settings, extensions, profile, proxyServer } = start;
    const { width, height } = settings.viewport ?? defaultWindow;
    let devtools: DevTools | undefined;
    try {
      if (profile !== undefined) {
        await cp(profile, profileFolder(folder), { recursive: true });
      }
      devtools = launch({
        ...{ executable, folder, display: settings.headless ? undefined : displayOf(process.env) },
        args: [
          `--window-size=${width},${height}`,
          ...(settings.kioskMode ? ["--kiosk"] : []),
          ...(proxyServer === undefined ? [] : [`--proxy-server=${proxyServer}`]),
        ],
      });
      const browser = new RunningBrowser(start, devtools);
      const signal = AbortSignal.timeout(startMsMax);
      await watchTargets(
        devtools,
        {
          prepare: (target) => browser.#prepare(target),
          fail: (error) => browser.#fail(error),
          note: (method, { targetId }) =>
            method === "Target.detachedFromTarget" && browser.#pages.delete(String(targetId)),
        },
        signal,
      );
      for (const each of extensions) {
        const loaded = await loadUnpacked(devtools, each.folder, signal);
        if (typeof loaded === "string") {
          throw new BrowserError(`the extension "${each.name}" does not load: ${loaded}`);
        }
        browser.#extensions.push({ ...each, chromiumId: loaded.id });
      }
      // Also proves that the browser answers, and that the first page has its viewport.
      await browser.#setViewports(signal);
      return browser;
    } catch (error) {
      await devtools?.close();
      removeFolder(folder);
      throw error;
    }
  }

  /** Opens a page for a lease, as far as the page loads. */
  async open(url: string): Promise<void> {
    const [session] = this.#pages.values();
    await this.#call("Page.navigate", { url }, session).catch(() => undefined);
  }

  /** Changes the viewport of every page, also of later ones. */
  async setViewport(viewport: Viewport): Promise<void> {
    this.#viewport = viewport;
    await this.#setViewports(AbortSignal.timeout(answerMsMax));
  }

  /** Present pages: the newest with an address first. */
  async pages(): Promise<readonly { readonly id: string; readonly url: string; readonly title: string }[]> {
    const { targetInfos } = await this.#call("Target.getTargets", {});
    const opened = [...this.#pages.keys()];
    return (targetInfos as readonly { targetId: string; type: string; url: string; title: string }[])
      .filter(({ targetId }) => this.#pages.has(targetId))
      .map(({ targetId: id, url, title }) => ({ id, url, title }))
      .toSorted((a, b) => opened.indexOf(b.id) - opened.indexOf(a.id))
      .toSorted((a, b) => Number(a.url === "about:blank") - Number(b.url === "about:blank"));
  }

  /** Returns a picture of a page, as base64 of a JPEG. */
  async picture(pageId: string): Promise<string> {
    const params = { format: "jpeg", quality: 50, optimizeForSpeed: true };
    return String((await this.#call("Page.captureScreenshot", params, this.#pages.get(pageId))).data);
  }

  /** Loaded extensions, and errors of their scripts. */
  extensions(): readonly { readonly name: string; readonly errors: readonly string[] }[] {
    return this.#extensions.map(({ name, chromiumId, hasWorker }) => {
      const isMissing =
        hasWorker && !this.#workers.has(chromiumId) && Date.now() > this.startedMs + workerMsMax;
      const errors = this.#errors.filter(({ extension }) => extension === name).map(({ text }) => text);
      return { name, errors: isMissing ? ["The worker did not start.", ...errors] : errors };
    });
  }

  /** Errors of the scripts of pages. */
  pageErrors(): readonly string[] {
    return this.#errors.filter(({ extension }) => extension === null).map(({ text }) => text);
  }

  /** Ends the browser. `savedProfile`: folder for the profile; undefined saves nothing. */
  async end(savedProfile: string | undefined): Promise<void> {
    const { folder } = this.#start;
    await this.devtools.close();
    try {
      if (savedProfile !== undefined) {
        await saveProfile(profileFolder(folder), savedProfile);
      }
    } finally {
      removeFolder(folder);
    }
  }

  async #setViewports(signal: AbortSignal): Promise<void> {
    await this.devtools.call("Browser.getVersion", {}, signal);
    await Promise.all([...this.#pages.values()].map((session) => this.#setViewport(session, signal)));
  }

  async #setViewport(session: string, signal: AbortSignal): Promise<void> {
    if (this.#viewport) {
      const { width, height } = this.#viewport;
      const size = { width, height, deviceScaleFactor: 0, mobile: false };
      await this.devtools.call("Emulation.setDeviceMetricsOverride", size, signal, session);
    }
  }

  /** Notes the start of an extension's worker. A worker that Chromium refuses is there for a moment, too. */
  async #noteWorker(session: string, { protocol, host }: URL): Promise<void> {
    let state = protocol === "chrome-extension:" ? "new" : "foreign";
    while (!/^(activated|redundant|foreign)$/.test(state)) {
      await setTimeout(workerPollMs);
      const call = (method: string, params: object) => this.#call(method, params, session);
      state = String(await evaluate(call, "serviceWorker.state"));
    }
    if (state === "activated") {
      this.#workers.add(host);
    }
  }

  #call(method: string, params: object, session?: string): Promise<Record<string, unknown>> {
    return this.devtools.call(method, params, AbortSignal.timeout(answerMsMax), session);
  }

  /** Prepares a new page or worker. */
  #prepare({ session, id, type, url }: Target): Promise<void> | undefined {
    if (type === "page") {
      this.#pages.set(id, session);
      return this.#setViewport(session, AbortSignal.timeout(startMsMax));
    }
    if (URL.canParse(url)) {
      this.#noteWorker(session, new URL(url)).catch(() => undefined);
    }
    return undefined;
  }

  #fail({ source, text }: UncaughtError): void {
    const extension = this.#extensions.find(({ chromiumId }) => source.includes(chromiumId));
    this.#errors.push({ extension: extension?.name ?? null, text: oneLine(text, errorCharactersMax) });
    this.#errors.splice(0, this.#errors.length - errorsMax);
  }
}

/** Variables of the display of an environment; undefined without a display. */
function displayOf({ DISPLAY, WAYLAND_DISPLAY, XAUTHORITY, XDG_RUNTIME_DIR }: NodeJS.ProcessEnv) {
  const has = DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined || process.platform === "darwin";
  return has ? { DISPLAY, WAYLAND_DISPLAY, XAUTHORITY, XDG_RUNTIME_DIR } : undefined;
}

/** Replaces a saved profile. Renamed as a whole, so that a start never copies half a profile. */
async function saveProfile(from: string, to: string): Promise<void> {
  const [next, before] = [`${to}.${randomText(6)}`, `${to}.${randomText(6)}`];
  await mkdir(to, { recursive: true, mode: 0o700 });
  await cp(from, next, {
    recursive: true,
    filter: (path) =>
      !relative(from, path)
        .split("/")
        .some((part) => notSaved.test(part)),
  });
  await rename(to, before);
  await rename(next, to);
  removeFolder(before);
}
