import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { removeFolder } from "../../../chromium/launch.js";
import { oneLine } from "../../../text/escape.js";
import { messageOf } from "../../../text/words.js";
import { FinalServiceError } from "../../http/service-error.js";
import type { PoolTables } from "../browser-pools/service.js";
import type { PoolSettings } from "../browser-pools/settings.js";
import type { ProxyStore } from "../proxies/store.js";
import { RunningBrowser } from "./browser.js";
import { serve } from "./client.js";
import type { Session } from "./store.js";

/** Time between two searches for browsers without a record, in milliseconds. */
const sweepMs = 1_000;

/** Longest text of a failed start, in characters. */
const problemCharactersMax = 600;

/** Longest folder for temporary files, in characters: the path of a socket has 108 at most. */
const temporaryCharactersMax = 40;

/**
 * Removes a folder after the end of this process, however it ends: the standard input of the shell ends,
 * and Chromium, which ends with its pipes, needs a moment.
 */
const janitor = 'cat; sleep 1; rm -rf -- "$1"; sleep 2; rm -rf -- "$1"';

interface RunningParts extends PoolTables {
  /** Path of Chromium or Chrome. */
  readonly executable: string;
  /** Folder that keeps profiles; undefined for the time of the process. */
  readonly dataDir: string | undefined;
  /** Called when a client of a session has connected or has left. */
  readonly onClients: (id: string, isConnected: boolean) => void;
  /** Called when a profile was saved. */
  readonly onSaved: (profileId: string) => void;
  /** Called every second, to end the sessions whose time is over, and browsers without a record. */
  readonly onSweep: () => Promise<void>;
}

/** The processes of sessions: one Chromium for each, from the lease to the end of the browser. */
export class RunningBrowsers {
  readonly executable: string;
  readonly #parts: RunningParts;
  readonly #starting = new Map<string, Promise<RunningBrowser>>();
  readonly #running = new Map<string, RunningBrowser>();
  readonly #folder: string;
  readonly #profiles: string;
  readonly #janitor: ChildProcess;
  readonly #timer: NodeJS.Timeout;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });

  constructor(parts: RunningParts) {
    this.executable = parts.executable;
    this.#parts = parts;
    const temporary = tmpdir().length > temporaryCharactersMax ? "/tmp" : tmpdir();
    this.#folder = mkdtempSync(join(temporary, "browser-infra-"));
    this.#profiles = join(parts.dataDir ?? this.#folder, "profiles");
    mkdirSync(this.#profiles, { recursive: true, mode: 0o700 });
    this.#janitor = spawn("/bin/sh", ["-c", janitor, "sh", this.#folder], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      env: { PATH: "/usr/bin:/bin" },
    });
    this.#janitor.unref();
    (this.#janitor.stdin as unknown as { unref(): void }).unref();
    this.#timer = setInterval(() => void parts.onSweep(), sweepMs).unref();
  }

  /**
   * Starts the browser of a session, or renews the address of a running one. After a failure, the session has
   * ended. Throws `FinalServiceError` 500 `browser_failed` with Chromium's words.
   */
  async start(session: Session): Promise<void> {
    const { id, lease, settings } = session;
    try {
      if (lease.profile !== null) {
        // A reused browser has the profile of somebody else.
        await this.#end(id);
      }
      const reused = this.#starting.get(id);
      const starting = reused ?? this.#start(session);
      this.#starting.set(id, starting);
      const browser = await starting;
      browser.rest();
      // A reused browser is where it was left.
      const url = lease.startUrl ?? (reused ? null : settings.startUrl);
      if (url) {
        await browser.open(url);
      }
    } catch (error) {
      this.#starting.delete(id);
      this.#parts.browsers.remove(id);
      const why = oneLine(messageOf(error), problemCharactersMax);
      throw new FinalServiceError(500, "browser_failed", `The browser did not start: ${why}`);
    }
  }

  /** The running browser of a session; undefined if there is none. */
  find(id: string): RunningBrowser | undefined {
    return this.#running.get(id);
  }

  /** Ends the browsers without a record, and removes the folders of profiles without a record. */
  async endOrphans(): Promise<void> {
    const { browsers, profiles } = this.#parts;
    // Somebody may have removed the folder of the data.
    for (const entry of existsSync(this.#profiles) ? readdirSync(this.#profiles) : []) {
      if (!entry.includes(".") && profiles.find(entry) === undefined) {
        removeFolder(join(this.#profiles, entry));
      }
    }
    const orphans = [...this.#starting.keys()].filter((id) => browsers.find(id) === undefined);
    await Promise.all(orphans.map((id) => this.#end(id)));
  }

  /** Ends every browser. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#starting.keys()].map((id) => this.#end(id)));
    this.#sockets.close();
    removeFolder(this.#folder);
    this.#janitor.kill("SIGKILL");
  }

  /** Connects a client at the address of a session. Returns false for an address that no session has. */
  connect(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const id = searchParams.get("session") ?? "";
    const browser = this.find(id);
    if (pathname !== "/browser/cdp" || searchParams.get("token") !== browser?.token) {
      return false;
    }
    const { clients } = browser;
    const { onClients } = this.#parts;
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      clients.add(client);
      onClients(id, true);
      client.once("close", () => {
        clients.delete(client);
        onClients(id, clients.size > 0);
      });
      serve(browser.devtools, client, () => void this.#remove(id)).catch(() => client.terminate());
    });
    return true;
  }

  async #start({ id, settings, lease, profileId, extensionIds }: Session): Promise<RunningBrowser> {
    const { executable, extensions, proxies } = this.#parts;
    const profile = lease.profile ?? (profileId === null ? null : { id: profileId, savesChanges: false });
    const browser = await RunningBrowser.start({
      ...{ executable, settings, folder: mkdtempSync(join(this.#folder, "b")) },
      profile: profile && { ...profile, folder: join(this.#profiles, profile.id) },
      extensions: extensionIds.map((each) => ({
        name: extensions.find(each)?.name ?? each,
        archive: extensions.archive(each),
      })),
      proxyServer: proxyServerOf(settings, proxies),
    });
    this.#running.set(id, browser);
    void browser.devtools.ended.then(() => browser.ending ?? this.#remove(id));
    return browser;
  }

  /** Ends a browser, and saves the profile if the session asked for that. Later calls wait for the first. */
  async #end(id: string): Promise<void> {
    const browser = await this.#starting.get(id)?.catch(() => undefined);
    if (browser) {
      browser.ending ??= this.#finish(id, browser);
      await browser.ending;
    }
  }

  async #finish(id: string, browser: RunningBrowser): Promise<void> {
    const { profiles, onSaved } = this.#parts;
    const { profile } = browser;
    this.#running.delete(id);
    // The profile may be deleted by now.
    const saves = profile?.savesChanges === true && profiles.find(profile.id) !== undefined;
    await browser.end(saves);
    this.#starting.delete(id);
    if (saves) {
      onSaved(profile.id);
    }
  }

  /** Ends a session whose browser has ended, or is to end. */
  async #remove(id: string): Promise<void> {
    this.#parts.browsers.remove(id);
    await this.endOrphans();
  }
}

/** Address of a proxy for Chromium; undefined for a proxy whose traffic is not played. */
function proxyServerOf({ proxyId }: PoolSettings, proxies: ProxyStore): string | undefined {
  const proxy = proxyId === null ? undefined : proxies.find(proxyId);
  const { host, port, has_password: hasPassword } = proxy?.config ?? {};
  return proxy?.type === "custom" && !hasPassword ? `${proxy.protocol}://${host}:${port}` : undefined;
}
