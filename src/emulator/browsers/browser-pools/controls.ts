import type { z } from "zod";
import { InputError } from "../../../errors.js";
import { id, isNamed, noArgument, notNamed, only, plainlyNamed, project } from "../../http/seed-members.js";
import { anyText, exactly, flag } from "../../http/shapes.js";
import {
  type Lacks,
  ObjectControls,
  type ProjectIds,
  referred,
  type Written,
} from "../../objects/controls.js";
import { refuse } from "../../storage/ids-and-names.js";
import { snakeCased } from "../../storage/members.js";
import type { Browser, Lease } from "../sessions/store.js";
import { seedMembers } from "./changes.js";
import type { BrowserPoolService, PoolTables } from "./service.js";
import { selectorOf } from "./setting-rules.js";
import type { PoolSettings, SettingChanges } from "./settings.js";
import type { BrowserPool } from "./store.js";
import { telemetryInRequest } from "./telemetry.js";

/** Browser pool, as visible to a test. */
export interface EmulatedBrowserPool
  extends PoolSettings,
    Pick<BrowserPool, "id" | "projectId" | "name" | "createdAt" | "extensionIds"> {
  /** Number of browsers that can be acquired. */
  readonly availableCount: number;
  readonly acquiredCount: number;
}

/** Browser of a pool, as visible to a test. */
export interface EmulatedBrowser {
  readonly sessionId: string;
  /** Settings of the pool when the browser was built. */
  readonly settings: PoolSettings;
  /** Null while the browser is idle. */
  readonly lease: Lease | null;
}

/** Browser pool to create. The defaults are the defaults of a request. */
export interface NewBrowserPool extends SettingChanges {
  /** Default: a new id. */
  readonly id?: string | undefined;
  /** Default: the default project. */
  readonly projectId?: string | undefined;
  /** Unique within the project. Default: none. */
  readonly name?: string | undefined;
  /** Number of browsers in the pool. Limits do not apply. */
  readonly size: number;
}

/** Browser pool in a seed. @internal */
export const browserPoolEntry = exactly({
  id: id.optional(),
  project,
  name: plainlyNamed("Unique within the project. Default: none.").optional(),
  filled: flag.optional().describe("Whether all browsers are ready at the start. Default: true."),
  ...seedMembers,
}).refine(isNamed, notNamed);

/**
 * Browser pools of an emulator, without a client. Operations throw `InputError` for an unknown id
 * or a bad value. Limits of concurrent sessions do not apply.
 */
export class EmulatedBrowserPools extends ObjectControls<BrowserPool, EmulatedBrowserPool> {
  readonly #service: BrowserPoolService;
  readonly #tables: PoolTables;

  /** @internal */
  readonly operations = {
    fill: noArgument,
    acquire: noArgument,
    release: only("sessionId", anyText),
    remove: noArgument,
  };

  /** @internal */
  constructor(service: BrowserPoolService, tables: PoolTables, projects: ProjectIds) {
    super("browser_pool", service.pools, projects);
    this.#service = service;
    this.#tables = tables;
  }

  /** Creates a pool, with one browser or, at a fill rate of 0, with all browsers. */
  create({ id, projectId, name, ...changes }: NewBrowserPool): EmulatedBrowserPool {
    const pool = { id, projectId: this.projectId(projectId), name, changes };
    return this.shown(this.stored(this.#service.create(pool), name));
  }

  /** Present state of a pool. */
  get(id: string): EmulatedBrowserPool {
    return this.shown(this.require(id));
  }

  /**
   * Changes settings, as if by a different client. Existing browsers keep their settings. Idle
   * browsers are rebuilt if the allowed hosts change, and surplus idle browsers are removed.
   */
  update(id: string, { name, ...changes }: SettingChanges & { readonly name?: string }): EmulatedBrowserPool {
    return this.shown(this.stored(this.#service.update(this.require(id), { name, changes }), name));
  }

  /** Builds the missing browsers at once. */
  fill(id: string): EmulatedBrowserPool {
    this.#service.fill(this.require(id));
    return this.get(id);
  }

  /** Browsers of a pool: leased, then idle, the oldest first. */
  browsers(id: string): readonly EmulatedBrowser[] {
    const pool = this.#service.bringUpToDate(this.require(id));
    return [...this.#service.leased(pool), ...this.#service.idle(pool)].map(shownBrowser);
  }

  /** Leases an idle browser, as if by a different client. A browser must be idle: see `fill`. */
  acquire(id: string): EmulatedBrowser {
    const lease = { name: null, startUrl: null, tags: null, profile: null, apiKeyId: null };
    const problem = `The browser pool "${id}" has no idle browser. Fill it first.`;
    const browser = this.#service.acquire(this.require(id), lease);
    return shownBrowser(browser ?? refuse(new InputError("browser_unavailable", "id", problem)));
  }

  /**
   * Ends a lease. The browser becomes idle, or is destroyed if the pool has too many browsers or
   * different allowed hosts. Throws `InputError` `browser_unknown` if the browser is not leased.
   */
  release(id: string, sessionId: string): void {
    if (!this.#service.release(this.require(id), sessionId, true)) {
      const problem = `The browser pool "${id}" has no leased browser "${sessionId}".`;
      throw new InputError("browser_unknown", "sessionId", problem);
    }
  }

  /** Deletes a pool with all browsers, even leased browsers. */
  override remove(id: string): void {
    this.#service.remove(this.require(id));
  }

  /** @internal */
  createFrom(
    { project, filled = true, ...pool }: z.infer<typeof browserPoolEntry>,
    projectId: string,
  ): EmulatedBrowserPool {
    if (pool.profile?.name) {
      this.#tables.profiles.ensure(projectId, pool.profile.name);
    }
    const { id } = this.create({ ...pool, projectId });
    return filled ? this.fill(id) : this.get(id);
  }

  /** @internal */
  written(pool: BrowserPool, lacks: Lacks): Written<z.input<typeof browserPoolEntry>> {
    const { id, name, settings, extensionIds, profileId } = pool;
    const { viewport, telemetry, network } = settings;
    const { extensions, profiles, proxies, telemetryDestinations } = this.#tables;
    const find = <Item extends { readonly id: string }>(
      table: { find(id: string): Item | undefined },
      each: string | null | undefined,
    ) => referred(each, table.find(each ?? ""), lacks);
    const profile = find(profiles, profileId);
    const destination = find(telemetryDestinations, telemetry?.destinationId);
    const routes = network?.proxy_routes?.filter(({ proxy }) => find(proxies, proxy.id));
    const loaded = extensionIds.map((each) => find(extensions, each));
    const { availableCount, acquiredCount } = this.shown(pool);
    return {
      ...{ ...settings, id, name, proxyId: find(proxies, settings.proxyId)?.id },
      profile: selectorOf(profile, settings.profile),
      refreshOnProfileUpdate: settings.refreshOnProfileUpdate && profile !== undefined,
      extensions: loaded.flatMap((each, at) => selectorOf(each, settings.extensions[at]) ?? []),
      network: network && { ...network, ...(routes && { proxy_routes: routes }) },
      viewport: viewport && snakeCased({ ...viewport }),
      telemetry: telemetry && telemetryInRequest(telemetry, destination?.id),
      filled: availableCount + acquiredCount >= settings.size,
    };
  }

  /** Brings a pool up to date, and counts the browsers. */
  protected override shown(given: BrowserPool): EmulatedBrowserPool {
    const { settings, ...pool } = this.#service.counted(given);
    return { ...settings, ...pool };
  }
}

function shownBrowser({ id, settings, lease }: Browser): EmulatedBrowser {
  return { sessionId: id, settings, lease };
}
