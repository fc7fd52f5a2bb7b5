import { InputError } from "../../errors.js";
import type { ProjectStore } from "../projects/store.js";
import { refuse } from "../storage/ids-and-names.js";
import type { BrowserPool, Lease, PoolBrowser } from "./record.js";
import type { BrowserPoolService } from "./service.js";
import type { PoolSettings, SettingChanges } from "./settings.js";

/** A browser pool, as a test sees it. */
export interface EmulatedBrowserPool extends PoolSettings {
  readonly id: string;
  readonly projectId: string;
  /** Null for a pool without a name. */
  readonly name: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  /** Ids of the extensions that new browsers load, in their order. */
  readonly extensionIds: readonly string[];
  /** Browsers that can be acquired. */
  readonly availableCount: number;
  /** Browsers that somebody has acquired. */
  readonly acquiredCount: number;
}

/** A browser of a pool, as a test sees it. */
export interface EmulatedBrowser {
  /** Id of its session. */
  readonly sessionId: string;
  /** What the pool's settings were when it was built. */
  readonly settings: PoolSettings;
  /** Null while it is idle. */
  readonly lease: Lease | null;
}

/** A browser pool to create. Its defaults are those of a request. */
export interface NewBrowserPool extends SettingChanges {
  /** Default: a new one. */
  readonly id?: string | undefined;
  /** Default: the default project. */
  readonly projectId?: string | undefined;
  /** Unique within the project. Default: none. */
  readonly name?: string | undefined;
  /** Browsers in the pool. Limits do not apply. */
  readonly size: number;
}

/**
 * The browser pools of an emulator, without a client. Each operation throws `InputError` for an
 * unknown id or a bad value. No limit of concurrent sessions applies to them.
 */
export interface EmulatedBrowserPools {
  /** Creates a pool, empty at first. */
  create(pool: NewBrowserPool): EmulatedBrowserPool;
  /** One pool, as of now. */
  get(id: string): EmulatedBrowserPool;
  /** Every pool of a project, by default of the default project, newest first. */
  list(projectId?: string): readonly EmulatedBrowserPool[];
  /** Changes settings, as if somebody else had. Browsers that exist stay as they are. */
  update(id: string, changes: SettingChanges & { readonly name?: string }): EmulatedBrowserPool;
  /** Builds the browsers that the pool lacks, at once. */
  fill(id: string): EmulatedBrowserPool;
  /** Its browsers, oldest first. */
  browsers(id: string): readonly EmulatedBrowser[];
  /** Leases an idle browser, as if somebody else had. There must be one: see `fill`. */
  acquire(id: string): EmulatedBrowser;
  /** Ends a lease; the browser is idle again. */
  release(id: string, sessionId: string): void;
  /** Deletes a pool with its browsers, leased ones included. */
  remove(id: string): void;
}

/**
 * The operations of `Emulator.browserPools`.
 *
 * @internal
 */
export function emulatedBrowserPools(
  service: BrowserPoolService,
  projects: ProjectStore,
): EmulatedBrowserPools {
  const require = (id: string): BrowserPool => {
    const problem = `The emulator has no browser pool with the id "${id}". Create it first.`;
    return service.pools.find(id) ?? refuse(new InputError("browser_pool_unknown", "id", problem));
  };
  const shown = (pool: BrowserPool): EmulatedBrowserPool => {
    const { id, projectId, name, createdAt, extensionIds, settings } = service.settled(pool);
    const [idle, leased] = [service.idle(pool), service.leased(pool)];
    const counts = { availableCount: idle.length, acquiredCount: leased.length };
    return { ...settings, id, projectId, name, createdAt, extensionIds, ...counts };
  };
  const shownBrowser = ({ id, settings, lease }: PoolBrowser): EmulatedBrowser => ({
    sessionId: id,
    settings,
    lease,
  });
  const unavailable = (id: string) => {
    const problem = `The browser pool "${id}" has no idle browser. Fill it first.`;
    return new InputError("browser_unavailable", "id", problem);
  };
  return {
    create: ({ projectId = projects.defaultProject.id, ...pool }) =>
      shown(createPool(service, { ...pool, projectId: projects.require(projectId).id })),
    get: (id) => shown(require(id)),
    list: (projectId = projects.defaultProject.id) =>
      service.pools.all(projects.require(projectId).id).map(shown),
    update: (id, { name, ...changes }) =>
      shown(service.update(require(id), { name, changes }) ?? refuse(poolExists(name))),
    fill: (id) => {
      service.fill(require(id));
      return shown(require(id));
    },
    browsers: (id) => {
      const pool = service.settled(require(id));
      return [...service.leased(pool), ...service.idle(pool)].map(shownBrowser);
    },
    acquire: (id) => {
      const lease = { name: null, startUrl: null, tags: null };
      return shownBrowser(service.acquire(require(id), lease) ?? refuse(unavailable(id)));
    },
    release: (id, sessionId) => {
      if (!service.release(require(id), sessionId, true)) {
        const problem = `The browser pool "${id}" has no leased browser "${sessionId}".`;
        throw new InputError("browser_unknown", "sessionId", problem);
      }
    },
    remove: (id) => service.remove(require(id)),
  };
}

/**
 * Creates a pool for a program or a seed. Throws `InputError` `browser_pool_invalid` or
 * `browser_pool_exists`.
 *
 * @internal
 */
export function createPool(
  service: BrowserPoolService,
  { id, projectId, name, ...changes }: NewBrowserPool & { readonly projectId: string },
): BrowserPool {
  return service.create({ id, projectId, name, changes }) ?? refuse(poolExists(name));
}

function poolExists(name: string | undefined): InputError {
  const problem = `A browser pool with this id, or with the name "${name}" in its project, already exists. Choose others.`;
  return new InputError("browser_pool_exists", "name", problem);
}
