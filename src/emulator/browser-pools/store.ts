import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { newId } from "../storage/ids-and-names.js";
import { type Page, type PageRequest, ProjectTable, Table } from "../storage/table.js";
import type { BrowserPool, Lease, PoolBrowser } from "./record.js";
import type { Selector } from "./setting-rules.js";

/** What a list of pools asks for. */
interface PoolQuery extends PageRequest {
  readonly projectId: string;
  /** Only names equal to this one except for case and accents. */
  readonly name?: string | undefined;
  /** Only names that contain this text in any case, or the pool with exactly this id. */
  readonly query?: string | undefined;
}

/** The browser pools in the database. */
export class BrowserPoolStore extends ProjectTable<BrowserPool> {
  constructor(database: DatabaseSync) {
    super(database, "browser_pools", poolFromRow);
  }

  /** Stores a pool; undefined when its id exists, or when its name has a {@link holder}. */
  insert(pool: Omit<BrowserPool, "id"> & { readonly id?: string | undefined }): BrowserPool | undefined {
    if (pool.name !== null && this.holder(pool.projectId, pool.name)) {
      return undefined;
    }
    return this.insertRow({ ...pool, id: pool.id ?? newId() });
  }

  /** Stores changes; undefined when the new name is that of another pool, as in {@link holder}. */
  change(pool: BrowserPool, changes: Partial<BrowserPool>): BrowserPool | undefined {
    const holder = changes.name ? this.holder(pool.projectId, changes.name) : undefined;
    return holder === undefined || holder.id === pool.id ? this.updateRow(pool.id, changes) : undefined;
  }

  /** The pool of a project that has this name, whatever its case and accents. */
  holder(projectId: string, name: string): BrowserPool | undefined {
    return this.selectOne("project_id = ? AND folded(name) = folded(?)", projectId, name);
  }

  /** The pool of a project with this id, else the one that has this name. */
  findIn(projectId: string, idOrName: string): BrowserPool | undefined {
    return (
      this.selectOne("project_id = ? AND id = ?", projectId, idOrName) ?? this.holder(projectId, idOrName)
    );
  }

  /** One page, newest first: a guess, following the service's list of API keys. */
  page({ projectId, name, query, ...page }: PoolQuery): Page<BrowserPool> {
    return this.selectPage(page, [
      ["project_id = ?", projectId],
      ["folded(name) = folded(?)", name],
      ["(instr(lowered(name), lowered(?)) > 0 OR id = ?)", query, query],
    ]);
  }

  /** The pools that load an extension, oldest first. */
  usersOf(extensionId: string): readonly BrowserPool[] {
    return this.select(
      "EXISTS (SELECT 1 FROM json_each(extension_ids) WHERE value = ?)",
      extensionId,
    ).toReversed();
  }

  /** How many browsers all pools reserve, or those of one project. */
  reserved(projectId?: string): number {
    const pools = projectId === undefined ? this.select() : this.all(projectId);
    return pools.reduce((sum, { settings }) => sum + settings.size, 0);
  }
}

/** The browsers of all pools in the database. */
export class PoolBrowserStore extends Table<PoolBrowser> {
  constructor(database: DatabaseSync) {
    super(database, "pool_browsers", browserFromRow);
  }

  /** Every browser of a pool, oldest first. */
  of(poolId: string): readonly PoolBrowser[] {
    return this.select("pool_id = ?", poolId).toReversed();
  }

  /** Stores a browser that was built now. */
  build(pool: BrowserPool, builtMs: number): void {
    this.insertRow({ id: newId(), poolId: pool.id, settings: pool.settings, builtMs });
  }

  /** Makes a browser leased or, with null, idle. */
  setLease(id: string, lease: Lease | null, expiresMs: number | null): PoolBrowser | undefined {
    this.database
      .prepare("UPDATE pool_browsers SET lease = ?, expires_ms = ? WHERE id = ?")
      .run(lease === null ? null : JSON.stringify(lease), expiresMs, id);
    return this.find(id);
  }

  /** The leased browser of a project that somebody gave this name. */
  leasedAs(projectId: string, name: string): PoolBrowser | undefined {
    return this.selectOne(
      "lease ->> 'name' = ? AND pool_id IN (SELECT id FROM browser_pools WHERE project_id = ?)",
      name,
      projectId,
    );
  }
}

/**
 * Id of a selected profile. The emulator has no profiles: it takes every id, and makes one of a
 * name, always the same.
 */
export function profileIdOf(profile: Selector | null): string | undefined {
  if (profile === null) {
    return undefined;
  }
  return profile.id ?? createHash("sha256").update(`profile ${profile.name}`).digest("hex").slice(0, 24);
}

type PoolRow = Omit<BrowserPool, "settings" | "extensionIds"> & {
  readonly seq: number;
  readonly settings: string;
  readonly extensionIds: string;
};

function poolFromRow({ seq, ...row }: PoolRow): BrowserPool {
  return { ...row, settings: JSON.parse(row.settings), extensionIds: JSON.parse(row.extensionIds) };
}

type BrowserRow = Omit<PoolBrowser, "settings" | "lease"> & {
  readonly seq: number;
  readonly settings: string;
  readonly lease: string | null;
};

function browserFromRow({ seq, ...row }: BrowserRow): PoolBrowser {
  const lease = row.lease === null ? null : JSON.parse(row.lease);
  return { ...row, settings: JSON.parse(row.settings), lease };
}
