import type { DatabaseSync } from "node:sqlite";
import { newId } from "../../storage/ids-and-names.js";
import { type NamedQuery, NamedTable, type Page, Table } from "../../storage/table.js";
import type { BrowserPool, Lease, PoolBrowser } from "./record.js";

/** Browser pools in the database. */
export class BrowserPoolStore extends NamedTable<BrowserPool> {
  constructor(database: DatabaseSync, now: () => Date) {
    super(database, "browser_pools", now, { json: ["settings", "extensionIds"] });
  }

  /** Pools that load an extension, oldest first. */
  usersOf(extensionId: string): readonly BrowserPool[] {
    return this.select(
      "EXISTS (SELECT 1 FROM json_each(extension_ids) WHERE value = ?)",
      extensionId,
    ).toReversed();
  }

  /** Page of the pools of a project, in one region or in all regions. */
  pageIn(region: string | undefined, query: NamedQuery): Page<BrowserPool> {
    return this.page(query, [["settings ->> 'region' = ?", region]]);
  }

  /** Number of browsers reserved by all pools, or by the pools of one project. */
  reserved(projectId?: string): number {
    const pools = projectId === undefined ? this.select() : this.all(projectId);
    return pools.reduce((sum, { settings }) => sum + settings.size, 0);
  }
}

/** Browsers of all pools in the database. */
export class PoolBrowserStore extends Table<PoolBrowser> {
  constructor(database: DatabaseSync) {
    super(database, "pool_browsers", { json: ["settings", "lease"] });
  }

  /** Every browser of a pool, oldest first. */
  of(poolId: string): readonly PoolBrowser[] {
    return this.select("pool_id = ?", poolId).toReversed();
  }

  /** Stores a browser built at a time, in milliseconds since 1970. */
  build(pool: BrowserPool, builtMs: number): void {
    this.insertRow({ id: newId(), poolId: pool.id, settings: pool.settings, builtMs });
  }

  /** Makes a browser leased or, with null, idle. */
  setLease(id: string, lease: Lease | null, expiresMs: number | null): PoolBrowser | undefined {
    return this.updateRow(id, { lease, expiresMs });
  }

  /** Finds the leased browser of a project by the name of the lease. */
  leasedAs(projectId: string, name: string): PoolBrowser | undefined {
    return this.selectOne(
      "lease ->> 'name' = ? AND pool_id IN (SELECT id FROM browser_pools WHERE project_id = ?)",
      name,
      projectId,
    );
  }
}
