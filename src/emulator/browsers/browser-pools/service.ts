import { EventEmitter, once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import type { TelemetryDestinationStore } from "../../organization/telemetry-destinations/store.js";
import type { Database } from "../../storage/database.js";
import { refuse, type Selector } from "../../storage/ids-and-names.js";
import type { ExtensionStore } from "../extensions/store.js";
import type { ProfileStore } from "../profiles/store.js";
import type { ProxyStore } from "../proxies/store.js";
import type { Browser, BrowserStore, Lease, Session } from "../sessions/store.js";
import { changedSettings, initialSettings } from "./changes.js";
import { invalid } from "./setting-rules.js";
import type { PoolSettings, SettingChanges } from "./settings.js";
import { type BrowserPool, BrowserPoolStore } from "./store.js";

/** Longest time between two reads of the clock during a wait, in milliseconds. */
const clockPollMsMax = 1_000;

/** Fewest browsers that a pool builds in a minute: a guess, so that small pools fill at all. */
const buildsPerMinuteMin = 1;

/** Database, clock, and the tables of the objects that a pool names. @internal */
export interface PoolTables {
  readonly database: Database;
  readonly now: () => Date;
  readonly extensions: ExtensionStore;
  readonly profiles: ProfileStore;
  readonly proxies: ProxyStore;
  readonly browsers: BrowserStore;
  readonly telemetryDestinations: TelemetryDestinationStore;
}

interface BrowserPoolParts extends PoolTables {
  /** Speed of filling pools; 1 is the speed of the service. */
  readonly speed: number;
}

export interface PoolToCreate {
  readonly id?: string | undefined;
  readonly projectId: string;
  readonly name?: string | undefined;
  readonly changes: SettingChanges & { readonly size: number };
}

interface PoolUpdate {
  readonly name?: string | undefined;
  readonly changes: SettingChanges;
  readonly discardsIdle?: boolean;
}

/**
 * Browser pools and the records of their browsers. Every access brings a pool up to date:
 * browsers are built, and leases expire, at their own times. Only waits need a timer.
 */
export class BrowserPoolService {
  readonly pools: BrowserPoolStore;
  readonly #browsers: BrowserStore;
  readonly #parts: BrowserPoolParts;
  /** Reports changes of pools to the waits for a browser, in the order of arrival. */
  readonly #changes = new EventEmitter().setMaxListeners(0);

  constructor(parts: BrowserPoolParts) {
    this.#parts = parts;
    this.pools = new BrowserPoolStore(parts.database, "browserPools", parts.now);
    this.#browsers = parts.browsers;
    parts.extensions.isHeld = (id) =>
      this.#browsers.select((each) => each.extensionIds.includes(id)).length > 0;
    parts.browsers.onRemove = ({ poolId, extensionIds }) => {
      parts.extensions.dropUnheld(extensionIds);
      this.#wake(poolId ?? "");
    };
  }

  /**
   * Creates a pool; undefined if the name or the id exists. Guesses: the first browser is ready at
   * once, and at a fill rate of 0 all browsers are. Throws `InputError` `browser_pool_invalid`.
   */
  create({ id, projectId, name, changes: given }: PoolToCreate): BrowserPool | undefined {
    const values = this.resolve(projectId, given);
    const { settings } = values;
    const buildingMs = this.#nowMs();
    const pool = this.pools.addNamed({ id, projectId, name: name ?? null, ...values, buildingMs });
    if (pool !== undefined) {
      this.#build(pool, settings.fillRatePerMinute === 0 ? settings.size : 1, buildingMs);
    }
    return pool;
  }

  /** Settings of new browsers, with the ids of the objects that they name. Throws `InputError`. */
  resolve(projectId: string, given: PoolToCreate["changes"]) {
    const { extensionIds = [], profileId = null, settings } = this.#change(projectId, initialSettings, given);
    return { settings, extensionIds, profileId };
  }

  /**
   * Changes a pool; undefined if a different pool has the name. Browsers keep their settings, but
   * idle browsers can be built again at once. Throws `InputError` `browser_pool_invalid`.
   */
  update(given: BrowserPool, { name, changes, discardsIdle }: PoolUpdate): BrowserPool | undefined {
    return this.#parts.database.atomically(() => {
      const pool = this.bringUpToDate(given);
      const values = this.#change(pool.projectId, pool.settings, changes);
      const changed = this.pools.change(pool, { name, ...values });
      if (changed === undefined) {
        return undefined;
      }
      const idle = this.idle(changed);
      // Idle browsers with a different list of allowed hosts are replaced automatically, as
      // published.
      const isRenewed = discardsIdle || !haveSameHosts(pool, changed);
      const surplus = -this.#missingCount(changed);
      // The oldest idle browsers of a pool that becomes smaller are removed: a guess.
      const removed = isRenewed ? idle : idle.slice(0, Math.max(0, surplus));
      for (const { id } of removed) {
        this.#browsers.remove(id);
      }
      if (isRenewed) {
        this.#build(changed, Math.min(idle.length, this.#missingCount(changed)), this.#nowMs());
      }
      this.#wake(pool.id);
      return changed;
    });
  }

  /** Removes a pool with all browsers, even leased browsers. */
  remove({ id }: BrowserPool): void {
    this.#parts.database.atomically(() => {
      for (const browser of this.#browsers.listByPool(id)) {
        this.#browsers.remove(browser.id);
      }
      this.pools.remove(id);
    });
    // For the waits for a browser of a pool without browsers.
    this.#wake(id);
  }

  /** Returns the pool as of now, with due builds made and expired leases ended. */
  bringUpToDate(given: BrowserPool): BrowserPool {
    return this.#parts.database.atomically(() => {
      let pool = this.pools.find(given.id) ?? given;
      const nowMs = this.#nowMs();
      for (const { id, expiresMs } of this.#browsers.expired(({ poolId }) => poolId === pool.id)) {
        pool = this.#buildDue(pool, Number(expiresMs));
        this.#browsers.remove(id);
      }
      return this.#buildDue(pool, nowMs);
    });
  }

  /** The pool as of now, with the numbers of its browsers. */
  counted(given: BrowserPool) {
    const { buildingMs, ...pool } = this.bringUpToDate(given);
    return { ...pool, availableCount: this.idle(pool).length, acquiredCount: this.leased(pool).length };
  }

  /** Browsers of a pool that can be acquired, oldest first, as of the last `bringUpToDate`. */
  idle({ id }: Pick<BrowserPool, "id">): readonly Browser[] {
    return this.#browsers.listByPool(id).filter(({ lease }) => lease === null);
  }

  /** Acquired browsers of a pool, oldest first. */
  leased({ id }: Pick<BrowserPool, "id">): readonly Browser[] {
    return this.#browsers.listByPool(id).filter(({ lease }) => lease !== null);
  }

  /** Leases the oldest idle browser; undefined if no browser is idle. */
  acquire(given: BrowserPool, lease: Omit<Lease, "acquiredMs">): Session | undefined {
    const pool = this.bringUpToDate(given);
    const [first] = this.idle(pool);
    return first && this.#browsers.lease(first, lease, pool.settings);
  }

  /**
   * Like `acquire`, but waits for a browser: for `timeoutSeconds` of the system's clock, by default
   * for the time to fill the pool. Undefined if no browser became idle, if the pool was deleted, or
   * if `signal` has aborted.
   */
  async acquireWithin(
    pool: BrowserPool,
    lease: Omit<Lease, "acquiredMs">,
    timeoutSeconds: number | undefined,
    signal: AbortSignal,
  ): Promise<Session | undefined> {
    const waitMs = timeoutSeconds === undefined ? this.#fillMs(pool) : timeoutSeconds * 1_000;
    const endMs = performance.now() + waitMs;
    for (;;) {
      if (signal.aborted || this.pools.find(pool.id) === undefined) {
        return undefined;
      }
      const browser = this.acquire(pool, lease);
      const leftMs = endMs - performance.now();
      if (browser !== undefined || leftMs <= 0) {
        return browser;
      }
      const lookAgain = AbortSignal.timeout(
        Math.ceil(Math.min(leftMs, clockPollMsMax, this.#intervalMs(pool))),
      );
      const either = AbortSignal.any([signal, lookAgain]);
      await once(this.#changes, changeOf(pool.id), { signal: either }).catch(() => undefined);
    }
  }

  /**
   * Ends a lease; false if there is none. With `reuse`, the browser becomes idle, unless the pool
   * has too many browsers or different allowed hosts, or the lease had a profile of its own, as published.
   * Otherwise, the browser is destroyed.
   */
  release(pool: BrowserPool, sessionId: string, reuse: boolean): boolean {
    const browser = this.leased(this.bringUpToDate(pool)).find(({ id }) => id === sessionId);
    if (browser === undefined) {
      return false;
    }
    const isPlain = browser.lease?.profile === null;
    if (reuse && isPlain && this.#missingCount(pool) >= 0 && haveSameHosts(browser, pool)) {
      this.#browsers.set(browser.id, { lease: null, expiresMs: null });
    } else {
      this.#browsers.remove(browser.id);
    }
    this.#wake(pool.id);
    return true;
  }

  /** Destroys all idle browsers. The pool builds new browsers in time. */
  flush(given: BrowserPool): void {
    for (const { id } of this.idle(this.bringUpToDate(given))) {
      this.#browsers.remove(id);
    }
  }

  /** Builds all missing browsers at once. */
  fill(given: BrowserPool): void {
    const pool = this.bringUpToDate(given);
    this.#build(pool, this.#missingCount(pool), this.#nowMs());
    this.#wake(pool.id);
  }

  /**
   * Pools with a browser that exports to a telemetry destination. Guess: idle browsers count as
   * sessions, too.
   */
  exportingTo(destinationId: string): readonly BrowserPool[] {
    return this.pools.select((pool) =>
      [...this.leased(this.bringUpToDate(pool)), ...this.idle(pool), pool].some(
        ({ settings }) => settings.telemetry?.destinationId === destinationId,
      ),
    );
  }

  /** Settings after a change, with the ids of the objects that the change names. Throws `InputError`. */
  #change(projectId: string, before: PoolSettings, wanted: SettingChanges) {
    const changes = { ...wanted, ...this.#withDestination(wanted) };
    const settings = this.#withProxies(projectId, changedSettings(before, changes), changes);
    return { settings, ...this.#references(projectId, settings, changes) };
  }

  /**
   * Ids of the extensions and the profile in a change. Throws `InputError` for an object that the
   * project does not have. Guess: the service refuses an unknown profile as it refuses an unknown
   * extension.
   */
  #references(projectId: string, { extensions, profile }: PoolSettings, changes: SettingChanges) {
    const { extensions: ofExtensions, profiles } = this.#parts;
    return {
      extensionIds:
        changes.extensions &&
        extensions.map((each, index) => {
          const refusal = (problem: string) => invalid(`extensions[${index}]`, problem);
          return ofExtensions.selected(projectId, each, "extension", refusal).id;
        }),
      profileId:
        changes.profile &&
        profile &&
        profiles.selected(projectId, profile, "profile", (problem) => invalid("profile", problem)).id,
    };
  }

  /** Replaces the telemetry destination in a change by an id. Throws `InputError`. */
  #withDestination({ telemetry }: SettingChanges): Pick<SettingChanges, "telemetry"> {
    const { destination } = telemetry ?? {};
    if (!destination) {
      return {};
    }
    const refusal = (problem: string) => invalid("telemetry.export.otlp.destination", problem);
    const { telemetryDestinations } = this.#parts;
    const { id } = telemetryDestinations.selected(undefined, destination, "telemetry destination", refusal);
    return { telemetry: { ...telemetry, destination: { id } } };
  }

  /**
   * Replaces the proxies in a change by ids. Throws `InputError` for a proxy that the project does
   * not have: a guess. An unchanged proxy may have been deleted.
   */
  #withProxies(
    projectId: string,
    { proxyId, network, ...settings }: PoolSettings,
    changes: SettingChanges,
  ): PoolSettings {
    const idOf = (member: string, { id, name }: Selector): string => {
      const [proxy] = this.#parts.proxies.allIn(projectId, id || (name ?? ""));
      return proxy?.id ?? refuse(invalid(member, `names no proxy of the project: "${id || name}"`));
    };
    const routes =
      changes.network &&
      network?.proxy_routes?.map(({ hosts, proxy }, index) => ({
        hosts,
        proxy: { id: idOf(`network.proxy_routes[${index}].proxy`, proxy) },
      }));
    return {
      ...settings,
      proxyId: changes.proxyId && proxyId !== null ? idOf("proxy_id", { id: proxyId }) : proxyId,
      network: routes === undefined ? network : { ...network, proxy_routes: routes },
    };
  }

  #buildDue(pool: BrowserPool, atMs: number): BrowserPool {
    const missing = this.#missingCount(pool);
    const intervalMs = this.#intervalMs(pool);
    const due = Math.max(0, Math.floor((atMs - pool.buildingMs) / intervalMs));
    const built = Math.min(Math.max(missing, 0), due);
    for (let count = 1; count <= built; count += 1) {
      this.#build(pool, 1, pool.buildingMs + count * intervalMs);
    }
    if (built >= missing) {
      return this.pools.change(pool, { buildingMs: Math.max(atMs, pool.buildingMs) }) ?? pool;
    }
    const buildingMs = pool.buildingMs + built * intervalMs;
    return built === 0 ? pool : (this.pools.change(pool, { buildingMs }) ?? pool);
  }

  #build(pool: BrowserPool, count: number, builtMs: number): void {
    const { id: poolId, projectId, settings, extensionIds, profileId } = pool;
    for (let built = 0; built < count; built += 1) {
      this.#browsers.build({ projectId, poolId, settings, extensionIds, profileId }, builtMs);
    }
  }

  /** Number of missing browsers; negative if the pool has more browsers than its size. */
  #missingCount({ id, settings }: BrowserPool): number {
    return settings.size - this.#browsers.listByPool(id).length;
  }

  /** Time to build one browser, in milliseconds; infinite at a rate of 0. */
  #intervalMs({ settings }: BrowserPool): number {
    const { size, fillRatePerMinute } = settings;
    const perMinute = Math.max(buildsPerMinuteMin, (size * fillRatePerMinute) / 100);
    return fillRatePerMinute === 0 ? Number.POSITIVE_INFINITY : 60_000 / perMinute / this.#parts.speed;
  }

  /** Time to fill the whole pool, in milliseconds: an hour at most. */
  #fillMs(pool: BrowserPool): number {
    return Math.min(pool.settings.size * this.#intervalMs(pool), 3_600_000);
  }

  /** Lets the waits for a browser of a pool look again. */
  #wake(poolId: string): void {
    this.#changes.emit(changeOf(poolId));
  }

  #nowMs(): number {
    return this.#parts.now().getTime();
  }
}

/** Event of a pool. The prefix separates ids from names with a meaning, such as `error`. */
function changeOf(poolId: string): string {
  return `pool ${poolId}`;
}

/** Whether two browsers, or a browser and a pool, have the same allowed hosts. */
function haveSameHosts(one: Pick<Browser, "settings">, other: Pick<Browser, "settings">): boolean {
  return isDeepStrictEqual(one.settings.network?.allowed_hosts, other.settings.network?.allowed_hosts);
}
