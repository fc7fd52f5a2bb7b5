import { findChromium } from "../../../chromium/find.js";
import { conflict, ServiceError } from "../../http/service-error.js";
import type { RequestProject } from "../../objects/access.js";
import type { EmulatedOrganization } from "../../organization/projects/organization.js";
import type { Selector } from "../../storage/ids-and-names.js";
import type { BrowserPoolService, PoolTables, PoolToCreate } from "../browser-pools/service.js";
import { invalid } from "../browser-pools/setting-rules.js";
import type { BrowserPool } from "../browser-pools/store.js";
import type { EmulatedProfile } from "../profiles/store.js";
import { RunningBrowsers } from "./running.js";
import { asSession, type Browser, type BrowserStore, type Lease, type Session } from "./store.js";

/** Seconds without a client after which a session ends. Source: the published interface. */
const timeoutSecondsDefault = 60;

interface SessionServiceParts extends PoolTables {
  readonly organization: EmulatedOrganization;
  readonly pools: BrowserPoolService;
  /** See `EmulatorOptions`. */
  readonly browser: string | true | undefined;
  readonly dataDir: string | undefined;
}

/** Sessions: the leased browsers of pools, and browsers outside of pools. */
export class SessionService {
  readonly browsers: BrowserStore;
  /** Whether the emulator was told to start browsers. */
  readonly startsBrowsers: boolean;
  /** Undefined if the emulator starts no browsers, or this machine has none. */
  readonly running: RunningBrowsers | undefined;
  readonly #parts: SessionServiceParts;
  readonly #pools: BrowserPoolService;

  constructor(parts: SessionServiceParts) {
    const { browser } = parts;
    const executable = browser === true ? findChromium(process.env.PATH) : browser;
    this.browsers = parts.browsers;
    this.startsBrowsers = browser !== undefined;
    this.#parts = parts;
    this.#pools = parts.pools;
    if (executable !== undefined) {
      this.running = new RunningBrowsers({
        ...{ ...parts, executable },
        onClients: (id, isConnected) => this.#setConnected(id, isConnected),
        onSaved: (profileId) => this.#refresh(profileId),
        onSweep: () => this.sweep(),
      });
    }
  }

  /** Ends what is over, in a project or everywhere: the rest of the methods see the present sessions. */
  bringUpToDate(projectId?: string): void {
    for (const pool of this.#pools.pools.of(projectId)) {
      this.#pools.bringUpToDate(pool);
    }
    this.#endOverdue();
  }

  /** Number of browsers that pools reserve and that sessions outside of pools are. */
  reserved(projectId?: string): number {
    // Leaves the pools alone: a count must not build the browsers of a huge pool.
    this.#endOverdue();
    const outside = this.browsers.select(
      (each) => each.poolId === null && each.projectId === (projectId ?? each.projectId),
    );
    return this.#pools.pools.reserved(projectId) + outside.length;
  }

  /** Pool of a browser; undefined outside of pools. */
  poolOf({ poolId }: Browser): BrowserPool | undefined {
    return this.#pools.pools.find(poolId ?? "");
  }

  /** Profile that a session has loaded; undefined without a profile. */
  profileOf(session: Session): EmulatedProfile | undefined {
    const id = session.lease.profile?.id ?? this.poolOf(session)?.profileId ?? session.profileId;
    return this.#parts.profiles.find(id ?? "");
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

  /**
   * Refuses to reserve more browsers than a limit allows. A pool counts with its whole size, as
   * published. Status and code are guesses.
   */
  refuseOverLimits({ id, limits }: RequestProject, more: number): void {
    const { maxConcurrentSessions, defaultProjectMaxConcurrentSessions } = this.#parts.organization.limits();
    const ofProject = limits.maxConcurrentSessions ?? defaultProjectMaxConcurrentSessions;
    for (const [owner, limit, present] of [
      ["project", ofProject, this.reserved(id)],
      ["organization", maxConcurrentSessions, this.reserved()],
    ] as const) {
      if (more > 0 && limit !== null && present + more > limit) {
        const message = `The ${owner} allows ${limit} concurrent sessions. Its browser pools reserve ${present}, so ${more} more are too many.`;
        throw new ServiceError(403, "limit_exceeded", message);
      }
    }
  }

  /** Profile that a request selects; null without one. Throws `InputError`. */
  profile(
    projectId: string,
    given: (Selector & { readonly save_changes?: boolean | undefined }) | undefined,
  ) {
    const refusal = (problem: string) => invalid("profile", problem);
    const profile = given && this.#parts.profiles.selected(projectId, given, "profile", refusal);
    return profile ? { id: profile.id, savesChanges: given.save_changes === true } : null;
  }

  /** Creates a browser outside of pools. Throws `InputError` `browser_pool_invalid` for a bad setting. */
  create(projectId: string, changes: PoolToCreate["changes"], lease: Omit<Lease, "acquiredMs">): Session {
    const wanted = { timeoutSeconds: timeoutSecondsDefault, ...changes };
    const built = this.#pools.resolve(projectId, wanted);
    const browser = this.browsers.build({ ...built, projectId, poolId: null }, this.browsers.now().getTime());
    return this.browsers.lease(browser, lease, built.settings);
  }

  /** Ends a session, with the browser if one runs. */
  async end(id: string): Promise<void> {
    this.browsers.remove(id);
    await this.running?.endOrphans();
  }

  /** Ends every session if browsers run: none outlives the emulator. */
  endAll(): void {
    for (const { id } of this.running ? this.browsers.select(({ lease }) => lease !== null) : []) {
      this.browsers.remove(id);
    }
  }

  /**
   * Ends the sessions whose time is over, with their browsers if browsers run. Unlike `bringUpToDate`, leaves
   * the pools alone without such a session.
   */
  async sweep(): Promise<void> {
    if (this.running && this.browsers.expired(() => true).length > 0) {
      this.bringUpToDate();
    }
    await this.running?.endOrphans();
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
      const { settings } = this.poolOf(browser) ?? browser;
      this.browsers.set(id, { expiresMs: isConnected ? null : this.browsers.expiryMs(settings) });
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
