import { newId } from "../../storage/ids-and-names.js";
import { NamedTable, Table } from "../../storage/table.js";
import type { BrowserPool, Lease, PoolBrowser } from "./record.js";

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
