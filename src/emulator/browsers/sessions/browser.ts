import { existsSync } from "node:fs";
import { cp, mkdir, rename } from "node:fs/promises";
import { join, relative } from "node:path";
import type { WebSocket } from "ws";
import { BrowserError, type DevTools } from "../../../chromium/devtools.js";
import { loadUnpacked } from "../../../chromium/extensions.js";
import { launch, profileFolder, removeFolder } from "../../../chromium/launch.js";
import { errorCharactersMax, Targets } from "../../../chromium/targets.js";
import { oneLine } from "../../../text/escape.js";
import { randomText } from "../../storage/ids-and-names.js";
import type { Viewport } from "../browser-pools/setting-rules.js";
import type { PoolSettings } from "../browser-pools/settings.js";
import { unpackExtension } from "../extensions/unpack.js";
import type { BrowserPicture, LeaseProfile } from "./store.js";

/** Longest time for the start of a browser, in milliseconds. */
const startMsMax = 60_000;

/** Longest time for an answer of a running browser, in milliseconds. */
const answerMsMax = 5_000;

/** Time in which a worker of an extension starts, in milliseconds. */
const workerMsMax = 3_000;

/** Window of a browser without a viewport. Source: the published default image. */
const defaultWindow = { width: 1920, height: 1080 };

/** Files of a profile that belong to a process, or that Chromium makes again. */
const notSaved = /^(Singleton|DevToolsActivePort|Crashpad|component_crx_cache)|Cache$/;

export interface BrowserStart {
  readonly executable: string;
  /** New folder of the browser, removed at the end. */
  readonly folder: string;
  readonly settings: PoolSettings;
  readonly extensions: readonly { readonly name: string; readonly archive: Uint8Array }[];
  /** Profile in a folder, which exists after the first save. Null for an empty profile, which is not saved. */
  readonly profile: (LeaseProfile & { readonly folder: string }) | null;
  readonly proxyServer: string | undefined;
}

type Page = Omit<BrowserPicture, "jpeg"> & { readonly targetId: string };

interface LoadedExtension {
  readonly name: string;
  readonly chromiumId: string;
  readonly hasWorker: boolean;
}

/** A Chromium that runs with the settings of a pool or a session. */
export class RunningBrowser {
  readonly devtools: DevTools;
  readonly profile: BrowserStart["profile"];
  readonly clients = new Set<WebSocket>();
  /** End of the browser, once it has begun. */
  ending: Promise<void> | undefined;
  /** Opens the address for one lease. */
  token = randomText(32);
  readonly #folder: string;
  readonly #startedMs = Date.now();
  readonly #extensions: LoadedExtension[] = [];
  readonly #targets: Targets;
  #viewport: Viewport | null;

  private constructor({ folder, settings, profile }: BrowserStart, devtools: DevTools) {
    this.devtools = devtools;
    this.profile = profile;
    this.#folder = folder;
    this.#viewport = settings.viewport;
    this.#targets = new Targets(devtools);
    this.#targets.preparePage = (session) => this.#resize(session);
  }

  /** Starts a browser. Throws an `Error` in Chromium's words, and removes the folder. */
  static async start(start: BrowserStart): Promise<RunningBrowser> {
    const { executable, folder, settings, profile, proxyServer } = start;
    const { width, height } = settings.viewport ?? defaultWindow;
    let devtools: DevTools | undefined;
    try {
      if (profile && existsSync(profile.folder)) {
        await cp(profile.folder, profileFolder(folder), { recursive: true });
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
      await browser.#prepare(start.extensions, AbortSignal.timeout(startMsMax));
      return browser;
    } catch (error) {
      await devtools?.close();
      removeFolder(folder);
      throw error;
    }
  }

  /** Makes the address invalid, and disconnects the clients. */
  rest(): void {
    this.token = randomText(32);
    for (const client of this.clients) {
      client.terminate();
    }
  }

  /** Opens a page for a lease, as far as the page loads. */
  async open(url: string): Promise<void> {
    const [session] = this.#targets.pages.values();
    await this.#call("Page.navigate", { url }, session).catch(() => undefined);
  }

  /** Changes the viewport of every page, also of later ones. */
  async setViewport(viewport: Viewport | null): Promise<void> {
    this.#viewport = viewport;
    await Promise.all([...this.#targets.pages.values()].map((session) => this.#resize(session)));
  }

  /** The page that was opened last and has an address, as it looks now; null without a page that answers. */
  async picture(): Promise<BrowserPicture | null> {
    const { targetInfos } = await this.#call("Target.getTargets", {});
    const present = new Map((targetInfos as readonly Page[]).map((each) => [each.targetId, each]));
    const pages = [...this.#targets.pages].reverse().filter(([id]) => present.has(id));
    const [id = "", session] = pages.find(([id]) => present.get(id)?.url !== "about:blank") ?? pages[0] ?? [];
    const page = present.get(id);
    if (!page) {
      return null;
    }
    const params = { format: "jpeg", quality: 50, optimizeForSpeed: true };
    const jpeg = await this.#call("Page.captureScreenshot", params, session).then(
      ({ data }) => String(data),
      () => null,
    );
    return { url: page.url, title: page.title, jpeg };
  }

  /** Loaded extensions, and errors of their scripts. */
  extensions(): readonly { readonly name: string; readonly errors: readonly string[] }[] {
    const isLate = Date.now() > this.#startedMs + workerMsMax;
    return this.#extensions.map(({ name, chromiumId, hasWorker }) => {
      const isMissing = hasWorker && isLate && !this.#targets.startedWorkers.has(chromiumId);
      const errors = this.#errorsOf((source) => source.includes(chromiumId));
      return { name, errors: isMissing ? ["The worker did not start.", ...errors] : errors };
    });
  }

  /** Errors of the scripts of pages. */
  pageErrors(): readonly string[] {
    return this.#errorsOf(
      (source) => !this.#extensions.some(({ chromiumId }) => source.includes(chromiumId)),
    );
  }

  /** Ends the browser. `saves`: whether to save the profile. */
  async end(saves: boolean): Promise<void> {
    // Before the end: a browser that closes answers strangely.
    this.rest();
    await this.devtools.close();
    try {
      if (this.profile && saves) {
        await saveProfile(profileFolder(this.#folder), this.profile.folder);
      }
    } finally {
      removeFolder(this.#folder);
    }
  }

  async #prepare(extensions: BrowserStart["extensions"], signal: AbortSignal): Promise<void> {
    await this.#targets.watch(signal);
    for (const [index, { name, archive }] of extensions.entries()) {
      const { folder, hasWorker } = await unpackExtension(archive, join(this.#folder, `e${index}`));
      const loaded = await loadUnpacked(this.devtools, folder, signal);
      if (typeof loaded === "string") {
        throw new BrowserError(`the extension "${name}" does not load: ${loaded}`);
      }
      this.#extensions.push({ name, hasWorker, chromiumId: loaded.id });
    }
    // For the first page, which may still open.
    await this.devtools.call("Browser.getVersion", {}, signal);
    await this.setViewport(this.#viewport);
  }

  async #resize(session: string): Promise<void> {
    if (this.#viewport) {
      const { width, height } = this.#viewport;
      const size = { width, height, deviceScaleFactor: 0, mobile: false };
      const signal = AbortSignal.timeout(startMsMax);
      await this.devtools.call("Emulation.setDeviceMetricsOverride", size, signal, session);
    }
  }

  #call(method: string, params: object, session?: string): Promise<Record<string, unknown>> {
    return this.devtools.call(method, params, AbortSignal.timeout(answerMsMax), session);
  }

  #errorsOf(isWanted: (source: string) => boolean): readonly string[] {
    const errors = this.#targets.errors.filter(({ source }) => isWanted(source));
    return errors.map(({ text }) => oneLine(text, errorCharactersMax));
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
  const isSaved = (path: string) =>
    !relative(from, path)
      .split("/")
      .some((part) => notSaved.test(part));
  await mkdir(to, { recursive: true, mode: 0o700 });
  await cp(from, next, { recursive: true, filter: isSaved });
  await rename(to, before);
  await rename(next, to);
  removeFolder(before);
}
