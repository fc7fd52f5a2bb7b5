import { conflict } from "../../http/service-error.js";
import { newId } from "../../storage/ids-and-names.js";
import type { BrowserPoolService } from "../browser-pools/service.js";
import type { SettingChanges } from "../browser-pools/settings.js";
import type { RunningBrowsers } from "./running.js";
import { asSession, type BrowserStore, type Lease, type Session } from "./store.js";

/** Seconds without a client after which a session ends. Source: the published interface. */
const timeoutSecondsDefault = 60;

export interface SessionToCreate extends Omit<Lease, "startUrl" | "acquiredMs"> {
  readonly projectId: string;
  readonly changes: SettingChanges & { readonly size: number };
}

/** Sessions: the leased browsers of pools, and browsers outside of pools. */
export class SessionService {
  readonly browsers: BrowserStore;
  /** Undefined if the emulator starts no browsers. */
  readonly running: RunningBrowsers | undefined;
  /** Whether the emulator was told to start browsers. */
  readonly startsBrowsers: boolean;
  readonly #pools: BrowserPoolService;

  constructor(
    browsers: BrowserStore,
    pools: BrowserPoolService,
    running: RunningBrowsers | undefined,
    startsBrowsers: boolean,
  ) {
    this.browsers = browsers;
    this.#pools = pools;
    this.running = running;
    this.startsBrowsers = startsBrowsers;
    if (running) {
      running.onClients = (id, isConnected) => this.#setConnected(id, isConnected);
      running.onSaved = (profileId) => this.#refresh(profileId);
      running.onSweep = () => this.#endExpired();
    }
  }

  /** Ends what is over, in a project or everywhere: the rest of the methods see the present sessions. */
  bringUpToDate(projectId?: string): void {
    for (const pool of projectId === undefined
      ? this.#pools.pools.select()
      : this.#pools.pools.all(projectId)) {
      this.#pools.bringUpToDate(pool);
    }
    this.#endOverdue();
  }

  /** Number of browsers that pools reserve and that sessions outside of pools are. */
  reserved(projectId?: string): number {
    this.#endOverdue();
    const outside = this.browsers.select(
      (each) => each.poolId === null && each.projectId === (projectId ?? each.projectId),
    );
    return this.#pools.pools.reserved(projectId) + outside.length;
  }

  /** Finds the session of a project by id or name. */
  find(projectId: string, idOrName: string): Session | undefined {
    this.bringUpToDate(projectId);
    return asSession(this.browsers.findIn(projectId, idOrName));
  }

  /** Refuses a name that a session of a project has. Throws `ServiceError` 409. */
  refuseActive(projectId: string, name: string | null): void {
    if (name !== null && this.find(projectId, name)?.lease.name === name) {
      throw conflict(`A browser session named "${name}" is already active in this project.`);
    }
  }

  /** Creates a browser outside of pools. Throws `InputError` `browser_pool_invalid` for a bad setting. */
  create({ projectId, changes, ...lease }: SessionToCreate): Session {
    const timed = { timeoutSeconds: timeoutSecondsDefault, ...changes };
    const { settings, extensionIds, profileId } = this.#pools.resolve(projectId, timed);
    const nowMs = this.browsers.now().getTime();
    const browser = this.browsers.add({
      ...{ id: newId(), projectId, poolId: null, settings, extensionIds, profileId, builtMs: nowMs },
      lease: { ...lease, startUrl: null, acquiredMs: nowMs },
      expiresMs: nowMs + settings.timeoutSeconds * 1_000,
    });
    return browser as Session;
  }

  /** Ends a session, with the browser if one runs. */
  async end(id: string): Promise<void> {
    this.browsers.remove(id);
    await this.running?.end(id);
  }

  /** Ends every session: no running browser outlives the emulator. */
  endAll(): void {
    for (const { id } of this.browsers.select(({ lease }) => lease !== null)) {
      this.browsers.remove(id);
    }
  }

  /** Ends the sessions whose time is over. Unlike `bringUpToDate`, leaves the pools alone without such a session. */
  #endExpired(): void {
    if (this.browsers.expired(() => true).length > 0) {
      this.bringUpToDate();
    }
  }

  /** Ends the sessions outside of pools whose time is over. */
  #endOverdue(): void {
    for (const { id } of this.browsers.expired(({ poolId }) => poolId === null)) {
      this.browsers.remove(id);
    }
  }

  /** Stops the time of a session while a client is connected, and starts the time afterwards. */
  #setConnected(id: string, isConnected: boolean): void {
    const browser = asSession(this.browsers.find(id));
    if (browser) {
      const { timeoutSeconds } = this.#pools.pools.find(browser.poolId ?? "")?.settings ?? browser.settings;
      const expiresMs = this.browsers.now().getTime() + timeoutSeconds * 1_000;
      this.browsers.setLease(id, browser.lease, isConnected ? null : expiresMs);
    }
  }

  /** Renews the idle browsers of the pools that load a profile and follow the profile's changes. */
  #refresh(profileId: string): void {
    for (const pool of this.#pools.pools.select((each) => each.profileId === profileId)) {
      if (pool.settings.refreshOnProfileUpdate) {
        this.#pools.update(pool, { changes: {}, discardsIdle: true });
      }
    }
  }
}
