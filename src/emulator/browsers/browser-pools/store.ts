import { newId } from "../../storage/ids-and-names.js";
import { NamedTable, Table } from "../../storage/table.js";
import type { PoolSettings } from "./settings.js";

export interface BrowserPool {
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project; null for a pool without a name. */
  readonly name: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  readonly settings: PoolSettings;
  /** Ids of the extensions that new browsers load, in order: those in `settings`, resolved when set. */
  readonly extensionIds: readonly string[];
  /** Id of the profile in `settings`, resolved when set; null without a profile. */
  readonly profileId: string | null;
  /** Start of the next browser's build, in milliseconds since 1970. */
  readonly buildingMs: number;
}

/** Values given when a browser is acquired, for the lease only. */
export interface Lease {
  readonly name: string | null;
  readonly startUrl: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
  /** Time of the acquisition, in milliseconds since 1970. */
  readonly acquiredMs: number;
}

export interface PoolBrowser {
  readonly id: string;
  readonly poolId: string;
  /** Settings of the pool when the browser was built. */
  readonly settings: PoolSettings;
  readonly builtMs: number;
  /** Null while the browser is idle. */
  readonly lease: Lease | null;
  /** Time at which a leased browser is destroyed, in milliseconds since 1970; null while idle. */
  readonly expiresMs: number | null;
}

/** Pools in the database. @internal */
export class BrowserPoolStore extends NamedTable<BrowserPool> {
  /** Pools that load an extension, oldest first. */
  poolsWithExtension(extensionId: string): readonly BrowserPool[] {
    return this.select(({ extensionIds }) => extensionIds.includes(extensionId)).toReversed();
  }

  /** Number of browsers reserved by all pools, or by the pools of one project. */
  reserved(projectId?: string): number {
    const pools = projectId === undefined ? this.select() : this.all(projectId);
    return pools.reduce((sum, { settings }) => sum + settings.size, 0);
  }
}

/** Browsers of pools in the database. @internal */
export class PoolBrowserStore extends Table<PoolBrowser> {
  /** Every browser of a pool, oldest first. */
  listByPool(poolId: string): readonly PoolBrowser[] {
    return this.select((browser) => browser.poolId === poolId).toReversed();
  }

  /** Stores a browser built at a time, in milliseconds since 1970. */
  build({ id: poolId, settings }: BrowserPool, builtMs: number): void {
    this.add({ id: newId(), poolId, settings, builtMs, lease: null, expiresMs: null });
  }

  /** Makes a browser leased or, with null, idle. */
  setLease(id: string, lease: Lease | null, expiresMs: number | null): PoolBrowser | undefined {
    return this.set(id, { lease, expiresMs });
  }
}
